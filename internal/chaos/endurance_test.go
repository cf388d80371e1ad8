//go:build linux

package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
)

// use is what a running poscrape has of what it may not have more and more of.
type use struct {
	files, goroutines, kilobytes, directories int
}

// watch notes each second what poscrape uses, until it has ended.
func (p *workspace) watch(r *process) []use {
	p.t.Helper()
	var all []use
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-r.ended:
			return all
		case <-ticker.C:
			if u, err := p.used(r.cmd.Process.Pid); err == nil {
				all = append(all, u)
			} else if !errors.Is(err, fs.ErrNotExist) {
				p.t.Error(err)
			}
		}
	}
}

// used returns fs.ErrNotExist where the process has ended or has only begun.
func (p *workspace) used(pid int) (use, error) {
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return use{}, err
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return use{}, err
	}
	gauge, err := os.ReadFile(p.gauge)
	if err != nil {
		return use{}, err
	}
	goroutines, err := strconv.Atoi(string(bytes.TrimSpace(gauge)))
	if err != nil {
		return use{}, fs.ErrNotExist // it is being written
	}
	roots, err := os.ReadDir(p.tmp)
	u := use{files: len(files), goroutines: goroutines, directories: len(roots)}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Pss:" {
			u.kilobytes, err = strconv.Atoi(fields[1])
		}
	}
	return u, err
}

// steady returns what was more at the end than at the beginning, after the first
// tenth, in which everything is opened and filled for the first time.
func steady(all []use) (problems []string, seen string) {
	const least = 40
	if len(all) < least {
		return []string{fmt.Sprintf("only %d looks at what poscrape uses, want at least %d", len(all), least)}, ""
	}
	all = all[len(all)/10:]
	fifth := len(all) / 5
	first, last := all[:fifth], all[len(all)-fifth:]
	var said []string
	for _, c := range []struct {
		what string
		of   func(use) int
		// more is how much more the end may have, for what comes and goes.
		more func(begin int) int
	}{
		{"open files", func(u use) int { return u.files }, func(int) int { return 8 }},
		{"goroutines", func(u use) int { return u.goroutines }, func(int) int { return 20 }},
		{"directories", func(u use) int { return u.directories }, func(int) int { return 0 }},
		{"KB of memory (PSS)", func(u use) int { return u.kilobytes }, func(begin int) int { return begin / 4 }},
	} {
		begin, end := median(first, c.of), median(last, c.of)
		said = append(said, fmt.Sprintf("%s %d, at the end %d", c.what, begin, end))
		if end > begin+c.more(begin) {
			problems = append(problems, fmt.Sprintf("%s: %d at first, %d at the end", c.what, begin, end))
		}
	}
	return problems, strings.Join(said, "; ")
}

func median(all []use, of func(use) int) int {
	var values []int
	for _, u := range all {
		values = append(values, of(u))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// TestSteady works for long with one poscrape: what it uses must not grow.
func TestSteady(t *testing.T) {
	for i, c := range []struct {
		name, fault string
		orders      int
		flags       []string
		// starts is the least number of browsers that are started.
		starts int
	}{
		{"Workers", "1,000 workers are started and stopped", 1000, []string{"-w4", "--worker-lifetime", "once"}, 1000},
		{"Orders", "5,000 orders on one worker, recycled every 200", 5000, []string{"-w1", "--mode", "render", "--max-orders-per-worker", "200"}, 25},
	} {
		t.Run(c.name, func(t *testing.T) {
			fullOnly(t)
			cfg := portal.Config{Orders: c.orders, MaxDocument: 8 << 10,
				Variations: []portal.Variation{portal.Plain, portal.NoneMarker, portal.NoneMarker, portal.NoneMarker}}
			s := open(t, cfg)
			p := newWorkspace(t, s)
			p.env = []string{"POSCRAPE_GOROUTINES=" + p.gauge}
			r := p.run(c.flags...)
			all := p.watch(r)
			r.mustExit(0)
			v := p.judge(s, p.report(), nil)
			problems, seen := steady(all)
			v.other = append(v.other, problems...)
			v.wantEvents("worker_started", c.starts)
			y := newTally(t, 700+i, c.fault, "")
			y.row.Seen = "Median of the first fifth after the warm-up: " + seen
			y.count(len(v.report.events("worker_started")), v)
			y.write()
		})
	}
}

// What grows is found.
func TestSteadyFindsGrowth(t *testing.T) {
	t.Parallel()
	flat := use{files: 50, goroutines: 200, kilobytes: 60_000, directories: 1}
	grown := func(change func(u *use, i int)) []use {
		all := make([]use, 100)
		for i := range all {
			all[i] = flat
			change(&all[i], i)
		}
		return all
	}
	for name, c := range map[string]struct {
		change func(u *use, i int)
		want   int
	}{
		"nothing":     {func(*use, int) {}, 0},
		"warm-up":     {func(u *use, i int) { u.files -= max(0, 10-i) }, 0},
		"files":       {func(u *use, i int) { u.files += i / 5 }, 1},
		"goroutines":  {func(u *use, i int) { u.goroutines += i }, 1},
		"memory":      {func(u *use, i int) { u.kilobytes += 300 * i }, 1},
		"directories": {func(u *use, i int) { u.directories += i / 50 }, 1},
	} {
		if problems, _ := steady(grown(c.change)); len(problems) != c.want {
			t.Errorf("%s: got %q, want %d problems", name, problems, c.want)
		}
	}
	if problems, _ := steady(nil); len(problems) != 1 {
		t.Errorf("no looks: got %q", problems)
	}
}
