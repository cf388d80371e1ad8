package changes

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

const (
	// mostSessions is how many sessions are looked at for the newest with the same recipe, and
	// mostOrders how many of its orders are remembered.
	mostSessions, mostOrders = 20, 300
	// mostOwn is how many of its own orders a session is compared with that is gone on with.
	mostOwn = 1000
	// patience bounds how long that takes: it is worth no more.
	patience = 5 * time.Second
)

// errEnough ends the reading of a ledger.
var errEnough = errors.New("enough")

// RememberNewest takes in the orders of the newest session in a folder beside this one's that says
// it has the same recipe. What cannot be read is left out: then there is less to compare with. It
// changes nothing there, and blocks for some seconds at most.
func (w *Watch) RememberNewest(ctx context.Context, dir string, same func(tasks.Session) bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, other := range newest(dir) {
		found := false
		_ = folder.ReadOnly(ctx, other, func(ctx context.Context, l *ledger.Ledger) error {
			record, err := l.Session(ctx)
			if err != nil || !same(record) {
				return err
			}
			found = true
			n := 0
			return l.Each(ctx, func(task *tasks.ProcessingTask) error {
				if n++; n > mostOrders {
					return errEnough
				}
				w.Remember(task)
				return nil
			})
		})
		if found || ctx.Err() != nil {
			return
		}
	}
}

// RememberOwn takes in what earlier runs of this session have recorded in its queue.
func (w *Watch) RememberOwn(ctx context.Context, q tasks.TaskQueue) error {
	n := 0
	err := q.Each(ctx, func(task *tasks.ProcessingTask) error {
		w.Remember(task)
		if task.State.Final() {
			n++
		}
		if n == mostOwn {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// newest returns the folders of the sessions beside one, the newest first.
func newest(dir string) []string {
	type session struct {
		dir string
		at  time.Time
	}
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		return nil
	}
	var found []session
	for _, e := range entries {
		other := filepath.Join(filepath.Dir(dir), e.Name())
		info, err := os.Lstat(filepath.Join(other, folder.LedgerName))
		if err == nil && info.Mode().IsRegular() && other != dir {
			found = append(found, session{other, info.ModTime()})
		}
	}
	slices.SortFunc(found, func(a, b session) int { return b.at.Compare(a.at) })
	var dirs []string
	for _, s := range found[:min(len(found), mostSessions)] {
		dirs = append(dirs, s.dir)
	}
	return dirs
}
