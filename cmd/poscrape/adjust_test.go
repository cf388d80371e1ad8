package main

import (
	"reflect"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// A session that is gone on with keeps every setting that is not typed anew.
func TestAdjustKeepsWhatIsNotTyped(t *testing.T) {
	t.Parallel()
	was := session.DefaultConfig()
	was.Workers, was.Retries, was.TaskTimeout, was.Grace, was.MaxOrders = 8, 0, time.Minute, time.Second, 7
	was.Lifetime, was.Distribution, was.NoScale = session.Once, tasks.RoundRobin, true
	was.CPUThreshold, was.MemoryThreshold, was.CheckInterval = 0.5, 0.75, 2*time.Second
	was.Chrome, was.Headful, was.NoSandbox, was.Hardened, was.Proxy = "/opt/chrome", true, true, true, "http://proxy:3128"
	was.BaseProfile, was.ProfileSize, was.TempDir = "base", 20_000_000, "big"

	got := was
	adjust(&got, pflag.NewFlagSet("resume", pflag.ContinueOnError))
	if !reflect.DeepEqual(got, was) {
		t.Errorf("nothing was typed:\ngot  %+v\nwant %+v", got, was)
	}

	environment := pflag.NewFlagSet("resume", pflag.ContinueOnError)
	newSettings().addProfile(environment)
	newSettings().addWorkers(environment)
	environment.VisitAll(func(f *pflag.Flag) { f.Annotations = map[string][]string{sectionAnnotation: {sectionBrowser}} })
	if err := applyEnvironment(environment, nil, func(name string) (string, bool) {
		value, ok := map[string]string{"POSCRAPE_PROXY": "http://anna:secret@proxy:3128", "POSCRAPE_WORKERS": "3"}[name]
		return value, ok
	}); err != nil {
		t.Fatal(err)
	}
	want := was
	want.Proxy = "http://anna:secret@proxy:3128"
	if adjust(&got, environment); !reflect.DeepEqual(got, want) {
		t.Errorf("of the environment, only the proxy counts:\ngot  %+v\nwant %+v", got, want)
	}

	got = was
	typed := pflag.NewFlagSet("resume", pflag.ContinueOnError)
	newSettings().addWorkers(typed)
	newSettings().addNoScale(typed)
	if err := typed.Parse([]string{"--no-scale=false", "-w2"}); err != nil {
		t.Fatal(err)
	}
	want = was
	want.Workers, want.NoScale = 2, false
	if adjust(&got, typed); !reflect.DeepEqual(got, want) {
		t.Errorf("two were typed:\ngot  %+v\nwant %+v", got, want)
	}
}

// What is compared is typed anew as a whole, and what the session remembers is not touched.
func TestAdjustWhatIsCompared(t *testing.T) {
	t.Parallel()
	was := session.DefaultConfig()
	was.Compare = map[string]string{"total": "Amount"}
	got := was
	typed := pflag.NewFlagSet("resume", pflag.ContinueOnError)
	newSettings().addCompare(typed)
	if err := typed.Parse([]string{"--compare", "net=Net, in EUR", "--compare=buyer=none"}); err != nil {
		t.Fatal(err)
	}
	adjust(&got, typed)
	if want := map[string]string{"net": "Net, in EUR", "buyer": "none"}; !reflect.DeepEqual(got.Compare, want) {
		t.Errorf("compared are %v, want %v", got.Compare, want)
	}
	if len(was.Compare) != 1 {
		t.Errorf("the session remembers %v", was.Compare)
	}
	for _, wrong := range [][]string{{"total"}, {"=Amount"}, {"total="}, {"total=A", "total=B"}, {"none", "total=A"}, {"total=A", "none"}} {
		refused := compared{new(map[string]string)}.Replace(wrong)
		if refused == nil {
			t.Errorf("--compare %q is taken", wrong)
		}
	}
}
