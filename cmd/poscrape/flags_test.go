package main

import (
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// settingsOf returns what `poscrape run` makes of arguments.
func settingsOf(t *testing.T, args ...string) session.Config {
	t.Helper()
	var cfg session.Config
	r := newStandIn()
	r.stop <- wellEnd()
	tr := newTrial(r, &cfg)
	tr.start(t, append([]string{"run"}, args...)...)
	if code := tr.wait(t); code != exitWell {
		t.Fatalf("exit code %d:\n%s", code, tr.err.String())
	}
	cfg.OnProgress, cfg.OnNotice, cfg.Input, cfg.Logger = nil, nil, nil, nil
	return cfg
}

func TestRunWithoutFlags(t *testing.T) {
	t.Parallel()
	want := session.DefaultConfig()
	want.AllowLocal, want.NoSandbox = true, chromekit.NoSandbox() // of the tests' environment
	want.File, want.Version, want.Columns = "pos.csv", currentBuild().Version, map[string]string{}
	if got := settingsOf(t, "pos.csv"); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if err := want.Validate(); err != nil {
		t.Error(err)
	}
}

// TestFlagDefaults: what the requirements promise where a flag is not given, which its help says, too.
// What a session makes of it is in session/defaults_test.go.
func TestFlagDefaults(t *testing.T) {
	t.Parallel()
	flags := (&program{stdout: io.Discard, stderr: io.Discard}).newRunCommand().Flags()
	for _, d := range []struct{ row, flag, want string }{
		{"E1", "workers", "4"},
		{"E1", "headful", "false"},
		{"E11", "retries", "2"},
		{"E11", "task-timeout", "2m"},
		{"E16", "cpu-threshold", "0.8"},
		{"E16", "memory-threshold", "0.9"},
		{"E16", "check-interval", "5s"},
		{"E16", "no-scale", "false"},
	} {
		f := flags.Lookup(d.flag)
		if f == nil {
			t.Errorf("%s: there is no --%s", d.row, d.flag)
			continue
		}
		if f.DefValue != d.want || shortDuration(f.Value.String()) != d.want {
			t.Errorf("%s: the default of --%s is %s, and its help says %s; want %s", d.row, d.flag, f.Value, f.DefValue, d.want)
		}
		if says := strings.Join(strings.Fields(flagHelp(f)), " "); d.want != "false" && !strings.Contains(says, "(default "+d.want+")") {
			t.Errorf("%s: the help of --%s does not say that its default is %s: %s", d.row, d.flag, d.want, says)
		}
	}
}

func TestRunWithAllFlags(t *testing.T) {
	t.Parallel()
	want := session.Config{
		File: "-", Out: "there", RecipeFile: "r.yaml", URL: "https://h/{po}",
		Columns: map[string]string{"po": "Order, no.=", "url": "Link"},
		Compare: map[string]string{"total": "Betrag"},
		Sheet:   "Open orders", Encoding: "cp850", Only: []string{"supplier=A,B*", "note="}, Limit: 12, SkipDone: []string{"a", "b"},
		Mode: session.ModeFetch, Workers: 8, Retries: 0, TaskTimeout: 90 * time.Second, Grace: time.Second, BreakerPatience: 3 * time.Minute, Lifetime: session.Once,
		Distribution: tasks.RoundRobin, CPUThreshold: 0.5, MemoryThreshold: 0.98,
		CheckInterval: time.Second, NoScale: true,
		Limits: worker.Limits{MaxOrders: 7, MaxAge: 90 * time.Minute, MaxMemory: 2_000_000_000, MemoryLimit: 1 << 30, CPULimit: 1.5,
			DiskLimit: 300_000_000, Action: worker.LimitKill, ProfileSize: 512 << 20},
		BaseProfile: "base", TempDir: "big", MinFree: 64_000_000,
		PollInterval: 2 * time.Second, IdleBackoff: 20 * time.Second, HangTimeout: 15 * time.Second, CleanupTimeout: 5 * time.Second,
		KeepProfiles: true, Isolation: worker.Mixed, IsolationRequired: true, ContainerEngine: "podman --runtime runc", ContainerImage: "chrome", ContainerArgs: "--network host",
		Chrome: "/opt/chrome", Headful: true, NoSandbox: true, Hardened: true, AllowLocal: true, Proxy: "http://proxy:3128", CA: "ca.pem",
		Version: currentBuild().Version, LogFile: "the.log",
		Evidence: session.KeepAll, EvidenceLimit: 20_000_000, StopEarly: true, NoRepair: true,
	}
	got := settingsOf(t, append(strings.Fields(`-w 8 -o there --recipe r.yaml --url https://h/{po} --mode fetch --retries 0
		--task-timeout 1m30s --grace 1s --breaker-patience 3m --stop-early --worker-lifetime once --max-orders-per-worker 7 --distribution round_robin
		--cpu-threshold .5 --memory-threshold 0.98 --check-interval 1s --no-scale --base-profile base --temp-dir big --max-worker-age 1h30m --max-worker-memory 2GB
		--worker-memory-limit 1GiB --worker-cpu-limit 1.5 --worker-disk-limit 300MB --limit-action kill
		--profile-size-limit 512MiB --min-free 64MB --chrome /opt/chrome --headful --no-sandbox --hardened --allow-local --proxy http://proxy:3128 --ca ca.pem
		--evidence all --evidence-limit 20MB --no-repair --log-file the.log --no-progress -v --column url=Link --compare total=Betrag -`), "--column", "po=Order, no.=", "--keep-profiles", "--poll-interval", "2s", "--idle-backoff", "20s", "--hang-timeout", "15s", "--cleanup-timeout", "5s", "--isolation", "mixed", "--isolation-required",
		"--container-engine", "podman --runtime runc", "--container-image", "chrome", "--container-args", "--network host",
		"--sheet", "Open orders", "--encoding", "cp850", "--only", "supplier=A,B*", "--only", "note=", "--limit", "12", "--skip-done", "a,b")...)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// Every setting of a session that a user can choose has its flag.
func TestEachFlagIsInASectionAndExplained(t *testing.T) {
	t.Parallel()
	p := &program{stdout: io.Discard, stderr: io.Discard}
	cmd := p.newRunCommand()
	count := 0
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		count++
		if f.Annotations[sectionAnnotation] == nil {
			t.Errorf("--%s is in no section of the help", f.Name)
		}
		if f.Usage == "" || strings.Contains(f.Usage, "`") {
			t.Errorf("--%s: its help is %q", f.Name, f.Usage)
		}
		for line := range strings.Lines(flagHelp(f)) {
			if len(strings.TrimSuffix(line, "\n")) > helpWidth {
				t.Errorf("--%s: a line of its help is longer than %d columns: %q", f.Name, helpWidth, line)
			}
		}
	})
	if want := 67; count != want {
		t.Errorf("run has %d flags, want %d: bring this test and docs/flags.md up to date", count, want)
	}
}

// TestEachFlagIsInItsPage: the table there has each flag of run, with the values that a choice has.
func TestEachFlagIsInItsPage(t *testing.T) {
	t.Parallel()
	table, readme := testkit.Read(t, "../../docs/flags.md"), testkit.Read(t, "../../README.md")
	p := &program{stdout: io.Discard, stderr: io.Discard}
	p.newRunCommand().Flags().VisitAll(func(f *pflag.Flag) {
		want := "--" + f.Name
		if f.Shorthand != "" && f.Value.Type() == "bool" {
			want = "-" + f.Shorthand
		}
		if kind := f.Value.Type(); strings.Contains(kind, "|") {
			want += " " + strings.ReplaceAll(kind, "|", `\|`)
		}
		if !slices.ContainsFunc(strings.Split(table, "\n"), func(line string) bool {
			return strings.HasPrefix(line, "| ") && strings.Contains(line, want)
		}) {
			t.Errorf("no row of the table in docs/flags.md has %s", want)
		}
	})
	for _, way := range []tasks.Distribution{tasks.LoadBalanced, tasks.RoundRobin} {
		if _, text, _ := strings.Cut(readme, "### Which worker gets which order"); !strings.Contains(text, "`"+string(way)+"`") &&
			!strings.Contains(text, "`--distribution "+string(way)+"`") {
			t.Errorf("the README does not explain %s", way)
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"500MB": 500_000_000, "1GB": 1_000_000_000, "512KiB": 512 << 10, "1.5 gb": 1_500_000_000, "20000000": 20_000_000, "0": 0,
	} {
		var s size
		if err := s.Set(text); err != nil || int64(s) != want {
			t.Errorf("%q: got %d and %v, want %d", text, s, err, want)
		}
	}
	for _, text := range []string{"", "MB", "-5MB", "5 bananas", "100EB", "1e400"} {
		var s size
		if err := s.Set(text); err == nil {
			t.Errorf("%q was taken for %d bytes", text, s)
		}
	}
	s := size(500_000_000)
	if got := s.String(); got != "500MB" {
		t.Errorf("got %q, want 500MB", got)
	}
}

func TestShortDuration(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2m0s": "2m", "30s": "30s", "1h0m0s": "1h", "1h30m0s": "1h30m", "1m30s": "1m30s", "10m0s": "10m", "0s": "0s", "20h0m0s": "20h",
	} {
		if got := shortDuration(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	p := &program{stdout: io.Discard, stderr: io.Discard}
	apply := func(env map[string]string, args ...string) (*pflag.FlagSet, error) {
		flags := p.newRunCommand().Flags()
		if err := flags.Parse(args); err != nil {
			t.Fatal(err)
		}
		return flags, applyEnvironment(flags, nil, func(name string) (string, bool) {
			value, ok := env[name]
			return value, ok
		})
	}
	value := func(f *pflag.FlagSet, name string) string { return f.Lookup(name).Value.String() }

	flags, err := apply(map[string]string{
		"POSCRAPE_WORKERS": "2", "POSCRAPE_RETRIES": "9", "POSCRAPE_NO_SCALE": "true", "POSCRAPE_OUT": "",
		"POSCRAPE_CHROME": "/left/to/browser", "POSCRAPE_PROFILE_SIZE_LIMIT": "1GB", "POSCRAPE_COLUMN": "po=Number",
		"POSCRAPE_VERSION": "1.2.3", "POSCRAPE_HELP": "me",
	}, "--retries", "1")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"workers": "2", "retries": "1", "no-scale": "true", "out": "", "chrome": "", "profile-size-limit": "1GB", "column": "po=Number",
	} {
		if got := value(flags, name); got != want {
			t.Errorf("--%s is %q, want %q", name, got, want)
		}
	}
	if _, err := apply(map[string]string{"POSCRAPE_TASK_TIMEOUT": "30"}); err == nil ||
		err.Error() != `POSCRAPE_TASK_TIMEOUT: "30" is not a duration such as 30s, 2m or 1h30m` {
		t.Errorf("got %v", err)
	}

	flags, err = apply(map[string]string{"POSCRAPE_WORKERS": "9"})
	if err != nil {
		t.Fatal(err)
	}
	got := nameVariable(flags, &session.ConfigError{Field: "workers", Message: "9 is out of bounds"})
	if want := "POSCRAPE_WORKERS: 9 is out of bounds"; got.Error() != want || exitCode(got) != exitUsage {
		t.Errorf("got %v, want %s", got, want)
	}
	typed := &session.ConfigError{Field: "retries", Message: "no"}
	if got := nameVariable(flags, typed); !errors.Is(got, typed) {
		t.Errorf("an error about a flag that was typed became %v", got)
	}
}
