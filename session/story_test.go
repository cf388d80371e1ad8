package session

import (
	"testing"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/load"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// TestFewerWorkersAreInTheStory: changes that the monitor has not told are told, with
// their reason.
func TestFewerWorkersAreInTheStory(t *testing.T) {
	t.Parallel()
	s := openOne(t)
	s.workers = worker.NewOpener(worker.Config{})
	p, err := s.newPool(s.workers.Open)
	if err == nil {
		_, err = s.life.Begin(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		event pool.Event
		want  string
	}{
		{pool.Event{Owner: pool.LimitedByLaunches, From: 4, To: 2, Detail: "launches keep failing"}, "2 of 4 workers: launches keep failing"},
		{pool.Event{From: 2, To: 3}, "3 of 4 workers"},
		{pool.Event{Owner: load.Owner, From: 3, To: 2, Detail: "CPU 91 % over 80 %"}, ""},
	} {
		before, err := s.folder.Ledger.Events(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		test.event.Type = pool.EventScaled
		s.onPoolEvent(test.event)
		after, err := s.folder.Ledger.Events(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, e := range after[len(before):] {
			got += e.Detail
			if e.Type != tasks.EventScaled {
				t.Errorf("told as %+v", e)
			}
		}
		if got != test.want {
			t.Errorf("%+v is told as %q, want %q", test.event, got, test.want)
		}
	}
}
