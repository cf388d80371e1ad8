package profiles

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/poscrape/poscrape/internal/proc"
)

const (
	// The wait between two searches for processes that were killed.
	searchAgain = 10 * time.Millisecond
	// doubtPatience is how long processes are waited for that may be ours: one that is just ending, or has just begun,
	// does not show what would prove it.
	doubtPatience = time.Second
)

// Why a process is taken for ours. Ids are used again, so an id proves nothing:
//
//   - A process is the recorded one if its id and its start are the same, of the
//     same start of the machine and in the same namespace of ids. If it leads its
//     own group, all of the group is ours: it was empty before.
//   - If the leader is gone, the id cannot have become another process's as long
//     as the group has members; but a whole group may have come and gone in
//     between. One member that is shown to be ours shows that it is the same
//     group: its home is the profile, or it runs the same program for the same
//     user in the same session (Chrome's children write over their environment).
//   - Wherever it is, a process whose home is a profile of this root was started
//     by the owner: it is the record of a browser that could not be recorded.

// search is one search for the family of a root.
type search struct {
	root    string
	users   []int                // who can be the user of a browser
	known   map[int]proc.Process // ours, as an earlier search has proven
	all     map[int]proc.Process
	members map[int][]proc.Process // by group, zombies left out
	boot    string
	space   string

	ours, doubtful map[int]proc.Process
	groups         map[int]bool
}

// runningFamily finds the processes of the browsers that lived in the root. The
// users are those that Chrome can have run as.
func runningFamily(root string, records []processRecord, users []int) (family, error) {
	s, err := searchFor(root, records, users, nil)
	if err != nil {
		return family{}, err
	}
	return s.family(), nil
}

func searchFor(root string, records []processRecord, users []int, known map[int]proc.Process) (*search, error) {
	all, err := proc.All()
	if err != nil {
		return nil, err
	}
	s := &search{
		root: root, users: users, known: known, all: map[int]proc.Process{}, members: map[int][]proc.Process{},
		boot: proc.Boot(), space: proc.Namespace("pid"),
		ours: map[int]proc.Process{}, doubtful: map[int]proc.Process{}, groups: map[int]bool{},
	}
	for _, p := range all {
		s.all[p.PID] = p
		if !p.Ended {
			s.members[p.Group] = append(s.members[p.Group], p)
		}
	}
	for _, record := range records {
		s.byRecord(record)
	}
	s.byHome()
	return s, nil
}

// byRecord judges the process of a record, and its group.
func (s *search) byRecord(r processRecord) {
	if r.BootID == "" || r.BootID != s.boot || r.PIDNamespace != s.space || r.StartTicks == 0 || r.PID <= 1 {
		return
	}
	leader, there := s.all[r.PID]
	switch {
	case there && leader.Start != r.StartTicks:
		return // the id is another one's now, so nothing is left of the group
	case there && !leader.Ended:
		s.ours[r.PID] = leader
	}
	if r.PGID != r.PID || there && leader.Group != r.PGID {
		return // the group is somebody else's: only the process itself is ours
	}
	members := s.members[r.PGID]
	later := !slices.ContainsFunc(members, func(p proc.Process) bool { return p.Start < r.StartTicks })
	known := there || slices.ContainsFunc(members, func(p proc.Process) bool { return s.isLike(p, r) })
	if later && known {
		s.take(r.PGID)
		return
	}
	for _, p := range members {
		s.doubtful[p.PID] = p
	}
}

// isLike reports whether a member of a group without its leader is shown to
// come of the recorded process.
func (s *search) isLike(p proc.Process, r processRecord) bool {
	uid, known := proc.User(p.PID)
	sameProgram := known && uid == r.UID && p.Session == r.Session && r.Exe != "" && proc.Program(p.PID) == r.Exe
	return sameProgram || s.livesHere(p)
}

// byHome takes every process that was started with a profile of this root as
// its home, and the groups that such processes lead.
func (s *search) byHome() {
	for _, p := range s.all {
		if _, known := s.ours[p.PID]; known || p.Ended || !s.livesHere(p) {
			continue
		}
		s.ours[p.PID] = p
		if p.Group == p.PID {
			s.take(p.Group)
		}
	}
}

// livesHere stays true to the end of a process: one that is about to end has no
// environment any more.
func (s *search) livesHere(p proc.Process) bool {
	if before, known := s.known[p.PID]; known {
		return before.Start == p.Start
	}
	home := proc.Home(p.PID)
	if home == "" || filepath.Dir(home) != s.root {
		return false
	}
	uid, known := proc.User(p.PID)
	return known && slices.Contains(s.users, uid)
}

func (s *search) take(group int) {
	s.groups[group] = true
	for _, p := range s.members[group] {
		s.ours[p.PID] = p
	}
}

// family sums up. Whatever seems to be proven, this process and those that it
// descends from are never ended, nor the groups that they are in.
func (s *search) family() family {
	var f family
	spared := s.ownLine()
	for _, pid := range slices.Sorted(maps.Keys(s.ours)) {
		p := s.ours[pid]
		if spared[pid] || s.groups[p.Group] && spared[p.Group] {
			s.doubtful[pid] = p
			continue
		}
		delete(s.doubtful, pid)
		f.ours = append(f.ours, Process{PID: pid, Name: p.Name})
		if !s.groups[p.Group] {
			f.singles = append(f.singles, pid)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(s.groups)) {
		if group > 1 && !spared[group] && len(s.members[group]) > 0 {
			f.groups = append(f.groups, group)
		}
	}
	for _, pid := range slices.Sorted(maps.Keys(s.doubtful)) {
		f.doubtful = append(f.doubtful, Process{PID: pid, Name: s.doubtful[pid].Name})
	}
	return f
}

// ownLine returns the ids of this process, of those that it descends from, and
// of the groups of all of them.
func (s *search) ownLine() map[int]bool {
	line := map[int]bool{1: true, syscall.Getpgrp(): true}
	pid := os.Getpid()
	for range len(s.all) {
		line[pid], line[s.all[pid].Group] = true, true
		if pid = s.all[pid].Parent; pid == 0 {
			break
		}
	}
	return line
}

// endFamily kills what is provably ours and returns when none of it runs any
// more: who was ended, and who is in doubt and was not touched. Before each
// signal it searches anew. The error says what did not end before the deadline.
func endFamily(ctx context.Context, root string, records []processRecord, users []int, deadline time.Time) (family, error) {
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	tick := time.NewTicker(searchAgain)
	defer tick.Stop()
	known, began := map[int]proc.Process{}, time.Now()
	for {
		s, err := searchFor(root, records, users, known)
		if err != nil {
			return family{}, err
		}
		f := s.family()
		if len(f.ours) == 0 && (len(f.doubtful) == 0 || time.Since(began) >= doubtPatience) {
			for _, pid := range slices.Sorted(maps.Keys(known)) {
				f.ours = append(f.ours, Process{PID: pid, Name: known[pid].Name})
			}
			return f, nil
		}
		for _, p := range f.ours {
			known[p.PID] = s.ours[p.PID]
		}
		f.kill()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return f, fmt.Errorf("%s of its browsers cannot be ended: %w", namesOf(f.ours), context.Cause(ctx))
		}
	}
}

// kill ends the family. What has ended meanwhile is no error, and what may not
// be ended shows in the next search.
func (f family) kill() {
	for _, group := range f.groups {
		_ = syscall.Kill(-group, syscall.SIGKILL)
	}
	for _, pid := range f.singles {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
