package monitor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// tick is the unit of processor times in /proc, the same on every system that Go
// runs on (USER_HZ, see proc_pid_stat(5)).
const tick = time.Second / 100

// process is what /proc/<pid>/stat tells of a process.
type process struct {
	pid   string
	group int
	// ended: it waits for its parent to notice.
	ended bool
	// used is its processor time, with that of its children that have ended and
	// were noticed: what a child has used is so neither lost nor counted twice.
	used time.Duration
	// resident is its resident set in bytes.
	resident int64
}

func (s *UsageSampler) sample(ctx context.Context, pgids []int) (map[int]Usage, error) {
	wanted := make(map[int]bool, len(pgids))
	for _, pgid := range pgids {
		wanted[pgid] = true
	}
	found, err := s.processes(ctx, wanted)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	usage, used := map[int]Usage{}, map[int]time.Duration{}
	for _, p := range found {
		used[p.group] += p.used
		if p.ended {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		memory, err := proportional(filepath.Join(s.proc, p.pid, "smaps_rollup"))
		if errors.Is(err, errGone) {
			continue
		}
		u := usage[p.group]
		u.At = now
		u.Processes++
		if err != nil {
			memory = p.resident
			u.Resident++
		}
		u.Memory += memory
		usage[p.group] = u
	}
	s.addCPU(usage, used, now)
	return usage, nil
}

// addCPU turns the groups' processor times into what they used since the look
// before, and keeps them for the next.
func (s *UsageSampler) addCPU(usage map[int]Usage, used map[int]time.Duration, now time.Time) {
	times := make(map[int]groupTime, len(usage))
	for pgid, u := range usage {
		times[pgid] = groupTime{at: now, used: used[pgid]}
		before, known := s.before[pgid]
		if elapsed := now.Sub(before.at); known && elapsed > 0 {
			u.CPU = max(0, (used[pgid]-before.used).Seconds()/elapsed.Seconds())
			usage[pgid] = u
		}
	}
	s.before = times
}

// processes returns those of the wanted groups.
func (s *UsageSampler) processes(ctx context.Context, wanted map[int]bool) ([]process, error) {
	dir, err := os.Open(s.proc)
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	var found []process
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		// One that cannot be read has ended meanwhile.
		stat, err := os.ReadFile(filepath.Join(s.proc, name, "stat"))
		if err != nil {
			continue
		}
		if p, ok := parseStat(name, stat); ok && wanted[p.group] {
			found = append(found, p)
		}
	}
	return found, nil
}

// parseStat reads a process's line, see proc_pid_stat(5). Its second field, the
// command's name in parentheses, may hold anything; the third one follows the
// last parenthesis.
func parseStat(pid string, stat []byte) (process, bool) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const state, group, utime, cstime, rss = 0, 2, 11, 14, 21
	if len(fields) <= rss {
		return process{}, false
	}
	p := process{pid: pid, group: int(number(fields[group])), ended: fields[state][0] == 'Z' || fields[state][0] == 'X'}
	for i := utime; i <= cstime; i++ {
		p.used += time.Duration(number(fields[i])) * tick
	}
	p.resident = number(fields[rss]) * int64(os.Getpagesize())
	return p, true
}

func number(field []byte) int64 {
	n, err := strconv.ParseInt(string(field), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

var errGone = errors.New("the process has ended")

// proportional returns the proportional set size in bytes, with what of it was
// swapped out.
func proportional(file string) (int64, error) {
	content, err := os.ReadFile(file)
	switch {
	case errors.Is(err, os.ErrPermission):
		return 0, err
	case err != nil:
		// ESRCH where the process has ended, ENOENT also on kernels before 4.14.
		if _, statErr := os.Stat(filepath.Dir(file)); statErr != nil || !errors.Is(err, os.ErrNotExist) {
			return 0, errGone
		}
		return 0, err
	}
	total, found := int64(0), false
	for line := range bytes.Lines(content) {
		if name, value, _ := bytes.Cut(line, []byte(":")); string(name) == "Pss" || string(name) == "SwapPss" {
			total += number(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(value), []byte("kB")))) << 10
			found = true
		}
	}
	if !found {
		return 0, errGone // it ended between open and read: nothing is mapped any more
	}
	return total, nil
}
