package session

import (
	"strings"
	"testing"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// TestHoldsMoveTheSession: it is PAUSED as long as there is a hold, says who holds it
// and why, and says that it goes on when the last one has ended.
func TestHoldsMoveTheSession(t *testing.T) {
	t.Parallel()
	s := openOne(t)
	var notices []string
	s.story.OnNotice = func(n Notice) { notices = append(notices, n.Message) }
	if _, err := s.life.Begin(nil); err != nil {
		t.Fatal(err)
	}
	portal := Hold{Owner: HeldByPortal, Reason: "the portal is down", Claiming: true}
	disk := Hold{Owner: HeldByDisk, Reason: "the disk is short"}
	user := Hold{Owner: "user", Reason: "lunch"}
	began := func(owner, why string, holds ...Hold) pool.Event {
		return pool.Event{Type: pool.EventHoldBegan, Owner: owner, Detail: why, Holds: holds}
	}
	ended := func(owner, why string, holds ...Hold) pool.Event {
		return pool.Event{Type: pool.EventHoldEnded, Owner: owner, Detail: why, Holds: holds}
	}
	for _, step := range []struct {
		event          pool.Event
		status         tasks.SessionStatus
		reason         string
		story, message string
	}{
		{began(HeldByPortal, portal.Reason, portal), tasks.SessionPaused, "", "session_paused: the portal is down", ""},
		{began(HeldByDisk, disk.Reason, portal, disk), tasks.SessionPaused, "paused: the disk is short", "session_paused: the disk is short", "paused, so no order is begun: the disk is short"},
		{began("user", user.Reason, portal, disk, user), tasks.SessionPaused, "paused: the disk is short; lunch", "session_paused: lunch", "paused, so no order is begun: lunch"},
		{ended(HeldByDisk, "there is room again", portal, user), tasks.SessionPaused, "paused: lunch", "notice: there is room again; still paused: the portal is down; lunch", ""},
		{ended("user", "back", portal), tasks.SessionPaused, "", "notice: back; still paused: the portal is down", ""},
		{ended(HeldByPortal, ""), tasks.SessionRunning, "", "session_resumed: ", ""},
		{began("user", user.Reason, user), tasks.SessionPaused, "paused: lunch", "session_paused: lunch", "paused, so no order is begun: lunch"},
		{ended("user", "back"), tasks.SessionRunning, "", "session_resumed: back", "continuing: back"},
	} {
		notices = nil
		s.onHold(t.Context(), step.event)
		s.story.Told()
		record, err := s.folder.Ledger.Session(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		events, err := s.folder.Ledger.Events(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		last := events[len(events)-1]
		p := s.tally.Now()
		if s.life.Record().Status != step.status || record.Status != step.status || p.Status != step.status {
			t.Errorf("after %s of %s it is %s, in the ledger %s, to watchers %s; want %s",
				step.event.Type, step.event.Owner, s.life.Record().Status, record.Status, p.Status, step.status)
		}
		if got := last.Type + ": " + last.Detail; got != step.story || p.Reason != step.reason || len(p.Holds) != len(step.event.Holds) {
			t.Errorf("the story says %q, the progress %q with holds %+v; want %q and %q", got, p.Reason, p.Holds, step.story, step.reason)
		}
		if got := strings.Join(notices, ""); got != step.message {
			t.Errorf("people are told %q, want %q", got, step.message)
		}
	}
}
