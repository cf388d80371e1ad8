//go:build linux

package chaos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/poscrape/poscrape/internal/proc"
)

// member is a running process of a browser's group.
type member struct {
	pid, pgid int
	command   string
}

// group is a browser: the processes that share its group.
type group struct {
	pgid    int
	members []member
}

func (g group) String() string {
	return fmt.Sprintf("browser %d with %d processes", g.pgid, len(g.members))
}

// groupsOf returns the browsers whose profiles are below tmp. A browser's main
// process is known by its environment and arguments, which name its profile, or
// by the profile's record; its children by the group that they share.
func groupsOf(tmp string) []group {
	recorded := recordedGroups(tmp)
	ours := map[int]bool{}
	byGroup := map[int][]member{}
	for _, m := range processes() {
		byGroup[m.pgid] = append(byGroup[m.pgid], m)
		if recorded[m.pgid] || strings.Contains(m.command, tmp+"/") || names(m.pid, tmp) {
			ours[m.pgid] = true
		}
	}
	delete(ours, syscall.Getpgrp()) // poscrape itself, in the group of the tests
	var groups []group
	for _, pgid := range slices.Sorted(maps.Keys(ours)) {
		groups = append(groups, group{pgid, byGroup[pgid]})
	}
	return groups
}

// recordedGroups returns the groups that the profiles' records name.
func recordedGroups(tmp string) map[int]bool {
	found := map[int]bool{}
	files, _ := filepath.Glob(tmp + "/poscrape-*/*.json") // the pattern is well-formed
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // removed meanwhile
		}
		var record struct {
			Processes []struct {
				PGID int `json:"pgid"`
			} `json:"processes"`
		}
		if json.Unmarshal(text, &record) == nil {
			for _, p := range record.Processes {
				found[p.PGID] = true
			}
		}
	}
	return found
}

// names reports whether the process's environment has its home below tmp.
func names(pid int, tmp string) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && bytes.Contains(text, []byte("HOME="+tmp+"/"))
}

// processes returns all processes that run; zombies have ended.
func processes() []member {
	found, _ := proc.All() // none where they cannot be listed
	var all []member
	for _, p := range found {
		if !p.Ended {
			all = append(all, member{p.PID, p.Group, proc.Command(p.PID)})
		}
	}
	return all
}

// kill ends all processes of the group.
func (g group) kill() { _ = syscall.Kill(-g.pgid, syscall.SIGKILL) } // it may have ended

// killMain ends the browser's main process alone.
func (g group) killMain() error { return syscall.Kill(g.pgid, syscall.SIGKILL) }

// killRenderers ends the processes that show pages.
func (g group) killRenderers() error {
	n := 0
	for _, m := range g.members {
		if strings.Contains(m.command, "--type=renderer") && syscall.Kill(m.pid, syscall.SIGKILL) == nil {
			n++
		}
	}
	if n == 0 {
		return fmt.Errorf("%v has no renderer", g)
	}
	return nil
}

// stop freezes all processes of the group.
func (g group) stop() error { return syscall.Kill(-g.pgid, syscall.SIGSTOP) }

// stopMain freezes the browser's main process alone.
func (g group) stopMain() error { return syscall.Kill(g.pgid, syscall.SIGSTOP) }

// stopped reports whether the process is frozen.
func stopped(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.HasPrefix(text[bytes.LastIndexByte(text, ')')+1:], []byte(" T"))
}
