package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

func TestJSONView(t *testing.T) {
	t.Parallel()
	var out, err bytes.Buffer
	v := &jsonView{out: &out, err: &err, progress: true}
	begin := session.Progress{At: noon, Status: tasks.SessionRunning, Total: 300, Pending: 300, Wanted: 4, ETA: -1}
	v.Progress(noon, begin)
	v.Notice(session.Notice{Level: session.NoticeWarning, Message: "a <b> & \x1b"})
	held := halfWay()
	held.Holds = []session.Hold{{Owner: session.HeldByDisk, Reason: "it is short", Since: noon}}
	held.Load = session.Load{At: noon, CPU: 0.91, Memory: 0.4, Pressure: -1}
	v.Progress(noon.Add(200*time.Millisecond), held) // too early for a line
	v.Tick(noon.Add(999 * time.Millisecond))
	v.Tick(noon.Add(1000 * time.Millisecond))
	v.Tick(noon.Add(3 * time.Second)) // nothing new
	v.Detail("detail")
	v.End()
	v.Summary(session.End{
		Dir: "/x/out", Files: []string{"report.json"}, Status: tasks.SessionInterrupted, Cause: session.CauseUser, Reason: "why",
		Total: 300, ByOutcome: map[tasks.Outcome]int{tasks.OutcomeComplete: 131}, Took: 90 * time.Second,
		Cleanup: tasks.Cleanup{Took: 1500 * time.Millisecond},
	}, 130)
	want := strings.Join([]string{
		`{"message_type":"progress","at":"2026-03-02T12:00:00Z","status":"RUNNING","total":300,"done":0,"well":0,"not_well":0,"pending":300,"active":0,"skipped":0,"workers":{"wanted":4,"running":0,"busy":0,"idle":0},"rate_per_minute":0,"eta_ms":null,"reason":"","holds":[],"load":null}`,
		`{"message_type":"notice","level":"warning","message":"a <b> & \u001b"}`,
		`{"message_type":"progress","at":"2026-03-02T12:00:00Z","status":"RUNNING","total":300,"done":131,"well":124,"not_well":7,"pending":166,"active":3,"skipped":0,"workers":{"wanted":4,"running":3,"busy":2,"idle":1},"rate_per_minute":62.4,"eta_ms":190000,"reason":"3 of 4 workers: CPU 91 % over 80 %","holds":[{"owner":"disk","reason":"it is short","since":"2026-03-02T12:00:00Z"}],"load":{"cpu":0.91,"memory":0.4,"pressure":null}}`,
		`{"message_type":"summary","dir":"/x/out","files":["report.json"],"status":"INTERRUPTED","cause":"user","reason":"why","total":300,"by_outcome":{"complete":131},"warnings":[],"notes":[],"confirmed":0,"listed":0,"lacking":[],"documents":0,"differences":0,"compared":[],"reasons":[],"next":["poscrape resume /x/out"],"duration_ms":90000,"cleanup":{"browsers_left":0,"profiles_left":0,"containers_left":0,"duration_ms":1500},"exit_code":130}`,
	}, "\n") + "\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	if err.String() != "detail\n" {
		t.Errorf("standard error has %q, want the detail alone", err.String())
	}
}

func TestJSONViewTellsTheLastFigures(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	v := &jsonView{out: &out, progress: true}
	v.Progress(noon, halfWay())
	last := halfWay()
	last.Done = 300
	v.Progress(noon.Add(time.Millisecond), last)
	v.End()
	v.Summary(session.End{}, 0)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[1], `"done":300`) {
		t.Errorf("got\n%s", out.String())
	}
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
	if !strings.Contains(lines[2], `"files":[],`) || !strings.Contains(lines[2], `"by_outcome":{},`) {
		t.Errorf("an empty list is not null: %s", lines[2])
	}
}

func TestJSONViewWithoutProgress(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	v := &jsonView{out: &out}
	v.Progress(noon, halfWay())
	v.Tick(noon.Add(time.Minute))
	v.End()
	if out.Len() > 0 {
		t.Errorf("got %s, want nothing", out.String())
	}
}
