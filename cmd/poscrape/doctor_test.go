package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/doctor"
)

// healthy is a clinic in which all is well and nothing is left.
func healthy() clinic {
	return clinic{
		examine: func(context.Context, doctor.Config) ([]doctor.Finding, error) {
			return []doctor.Finding{{Subject: "chrome", Level: doctor.LevelOK, Message: "it is there"}}, nil
		},
		find:            func(string) ([]doctor.Remains, error) { return nil, nil },
		clear:           func(context.Context, string) (cleared, kept []doctor.Remains, err error) { return nil, nil, nil },
		findContainers:  func(context.Context) ([]doctor.Remains, error) { return nil, nil },
		clearContainers: func(context.Context) ([]doctor.Remains, error) { return nil, nil },
		sessions:        func(context.Context, string) ([]leftSession, error) { return nil, nil },
	}
}

// visit runs doctor in a clinic and returns its exit code.
func visit(t *testing.T, c clinic, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	tr := newTrial(nil, nil)
	tr.clinic = c
	tr.start(t, append([]string{"doctor"}, args...)...)
	return tr.wait(t), tr.out.String(), tr.err.String()
}

func wantLines(t *testing.T, got string, want ...string) {
	t.Helper()
	if got != strings.Join(want, "\n")+"\n" {
		t.Errorf("got\n%swant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestDoctorOfAHealthyMachine(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := visit(t, healthy())
	if code != exitWell || stderr != "" {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	wantLines(t, stdout,
		"ok       chrome     it is there",
		"ok       leftovers  none",
		"",
		"poscrape can run here.")
}

func TestDoctorOfAMachineWithAProblem(t *testing.T) {
	t.Parallel()
	c := healthy()
	c.examine = func(context.Context, doctor.Config) ([]doctor.Finding, error) {
		return []doctor.Finding{
			{Subject: "chrome", Level: doctor.LevelProblem, Message: "it is\n\x1b[31mnot there", Advice: "install it"},
			{Subject: "memory", Level: doctor.LevelWarning, Message: "little", Advice: "buy some"},
		}, nil
	}
	code, stdout, stderr := visit(t, c)
	if code != exitEnvironment || !strings.HasPrefix(stderr, "poscrape: something keeps poscrape from running here") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	wantLines(t, stdout,
		"problem  chrome     it is | \uFFFD[31mnot there; install it",
		"warning  memory     little; buy some",
		"ok       leftovers  none",
		"",
		"poscrape cannot run here.")
}

// leftBehind is what a killed run left, and a directory that cannot be removed.
func leftBehind() []doctor.Remains {
	began := time.Date(2026, 3, 4, 5, 6, 7, 0, time.Local)
	return []doctor.Remains{
		{Path: "/t/poscrape-1-1", Since: began, Bytes: 12_000_000, Processes: 6},
		{Path: "/t/poscrape-1-2", Bytes: 5, Processes: 1, Reason: "it is stuck"},
	}
}

func TestDoctorNamesWhatIsLeft(t *testing.T) {
	t.Parallel()
	c := healthy()
	c.find = func(string) ([]doctor.Remains, error) {
		return append(leftBehind(), doctor.Remains{Path: "/t/poscrape-1-3", Kept: true}), nil
	}
	c.findContainers = func(context.Context) ([]doctor.Remains, error) {
		return []doctor.Remains{{Path: "poscrape-abc", Container: true}}, nil
	}
	c.clearContainers = func(context.Context) ([]doctor.Remains, error) { t.Error("it clears"); return nil, nil }
	c.sessions = func(_ context.Context, out string) ([]leftSession, error) {
		if out != "poscrape-out" {
			t.Errorf("sessions are looked for in %s", out)
		}
		return []leftSession{
			{Dir: "poscrape-out/a b", Staging: "poscrape-out/a b/.staging", Bytes: 2_000_000, Resumable: true,
				Clean: func() error { t.Error("it was cleaned"); return nil }},
			{Dir: "poscrape-out/c", Resumable: true},
		}, nil
	}
	code, stdout, stderr := visit(t, c)
	if code != exitWell || stderr != "" {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	wantLines(t, stdout,
		"ok       chrome     it is there",
		"warning  leftovers  /t/poscrape-1-1: 12 MB, 6 processes still running, of a run that began 2026-03-04 05:06; 'poscrape doctor --clean' removes it",
		"warning  leftovers  /t/poscrape-1-2: 5 B, 1 process still running; it is stuck",
		"warning  leftovers  /t/poscrape-1-3: profiles that were kept to be looked at; 'poscrape doctor --clean' removes it",
		"warning  leftovers  container poscrape-abc; 'poscrape doctor --clean' removes it",
		"warning  leftovers  poscrape-out/a b/.staging: 2 MB; 'poscrape doctor --clean' removes it",
		`warning  leftovers  poscrape-out/a b: a session that was interrupted; 'poscrape resume "poscrape-out/a b"' goes on with it`,
		"warning  leftovers  poscrape-out/c: a session that was interrupted; 'poscrape resume poscrape-out/c' goes on with it",
		"",
		"poscrape can run here. With --clean, doctor removes what earlier runs have left.")
}

func TestDoctorCleans(t *testing.T) {
	t.Parallel()
	c := healthy()
	c.find = func(string) ([]doctor.Remains, error) { t.Error("it only looked"); return nil, nil }
	c.clear = func(context.Context, string) (cleared, kept []doctor.Remains, err error) {
		all := leftBehind()
		return all[:1], all[1:], nil
	}
	c.clearContainers = func(context.Context) ([]doctor.Remains, error) {
		return []doctor.Remains{{Path: "poscrape-abc", Container: true}}, errors.New("one is stuck")
	}
	cleaned := 0
	c.sessions = func(context.Context, string) ([]leftSession, error) {
		return []leftSession{
			{Dir: "poscrape-out/a", Staging: "poscrape-out/a/.staging", Bytes: 2_000_000, Resumable: true, Clean: func() error { cleaned++; return nil }},
			{Dir: "poscrape-out/b", Staging: "poscrape-out/b/.staging", Clean: func() error { return errors.New("busy") }},
		}, nil
	}
	code, stdout, _ := visit(t, c, "--clean")
	if code != exitWell || cleaned != 1 {
		t.Errorf("exit code %d, %d cleaned", code, cleaned)
	}
	wantLines(t, stdout,
		"ok       chrome     it is there",
		"warning  leftovers  containers of killed runs may be left: one is stuck",
		"ok       leftovers  removed /t/poscrape-1-1: 12 MB, 6 processes ended, of a run that began 2026-03-04 05:06",
		"ok       leftovers  removed container poscrape-abc",
		"warning  leftovers  /t/poscrape-1-2: 5 B, 1 process still running; it is stuck",
		"ok       leftovers  removed poscrape-out/a/.staging: 2 MB",
		"warning  leftovers  poscrape-out/a: a session that was interrupted; 'poscrape resume poscrape-out/a' goes on with it",
		"warning  leftovers  poscrape-out/b/.staging; it cannot be removed: busy",
		"",
		"poscrape can run here.")
}

func TestDoctorAsJSON(t *testing.T) {
	t.Parallel()
	c := healthy()
	c.clear = func(context.Context, string) (cleared, kept []doctor.Remains, err error) {
		all := leftBehind()
		return all[:1], all[1:], nil
	}
	code, stdout, stderr := visit(t, c, "--json", "--clean")
	if code != exitWell || stderr != "" || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("exit code %d, %q, %q", code, stdout, stderr)
	}
	var got diagnosis
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	if !got.CanRun || got.Version == "" || len(got.Findings) != 3 || len(got.Leftovers) != 1 || len(got.Removed) != 1 {
		t.Errorf("got %+v", got)
	}
	for _, want := range []string{
		`"removed":[{"kind":"profiles","path":"/t/poscrape-1-1","bytes":12000000,"processes":6,"since":"2026-03-04T05:06:07`,
		`"leftovers":[{"kind":"profiles","path":"/t/poscrape-1-2","bytes":5,"processes":1,"since":null,"reason":"it is stuck","command":""}]`,
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%s lacks %s", stdout, want)
		}
	}
}

// What cannot be looked at is said, and the rest is looked at.
func TestDoctorWhereNothingCanBeRead(t *testing.T) {
	t.Parallel()
	c := healthy()
	c.find = func(string) ([]doctor.Remains, error) { return nil, errors.New("unreadable place") }
	c.sessions = func(context.Context, string) ([]leftSession, error) { return nil, errors.New("unreadable sessions") }
	code, stdout, _ := visit(t, c)
	if code != exitWell || !strings.Contains(stdout, "warning  leftovers  unreadable place\n") ||
		!strings.Contains(stdout, "warning  leftovers  unreadable sessions\n") {
		t.Errorf("exit code %d:\n%s", code, stdout)
	}
	c.examine = func(context.Context, doctor.Config) ([]doctor.Finding, error) { return nil, errors.New("odd") }
	code, stdout, stderr := visit(t, c)
	if code != exitInternal || stdout != "" || !strings.Contains(stderr, "odd") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}

func TestDoctorIsInterrupted(t *testing.T) {
	t.Parallel()
	for name, patient := range map[string]bool{"in order": true, "at once": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := healthy()
			stopped, release := make(chan struct{}), make(chan struct{})
			c.examine = func(ctx context.Context, _ doctor.Config) ([]doctor.Finding, error) {
				<-ctx.Done()
				close(stopped)
				if !patient {
					<-release
				}
				return nil, context.Cause(ctx)
			}
			tr := newTrial(nil, nil)
			tr.clinic = c
			tr.start(t, "doctor")
			tr.signals <- os.Interrupt
			<-stopped
			if !patient {
				tr.signals <- os.Interrupt
			}
			code := tr.wait(t)
			close(release)
			if code != exitInterrupted || tr.out.String() != "" || !strings.Contains(tr.err.String(), "interrupted") {
				t.Errorf("exit code %d, %q, %q", code, tr.out.String(), tr.err.String())
			}
		})
	}
}
