package report

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(filepath.Join("..", "docs", "report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// decoded returns a report's JSON as maps, lists and json.Numbers.
func decoded(t *testing.T, r *Report) map[string]any {
	t.Helper()
	return parsed(t, written(t, r.WriteJSON))
}

func parsed(t *testing.T, report string) map[string]any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(report))
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

func TestReportsMatchTheSchema(t *testing.T) {
	t.Parallel()
	s := schema(t)
	for name, session := range sessions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := s.Validate(decoded(t, build(t, session()))); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestBrokenReportsDoNotMatchTheSchema(t *testing.T) {
	t.Parallel()
	s := schema(t)
	part := func(v any, path ...any) map[string]any {
		for _, step := range path {
			switch step := step.(type) {
			case string:
				v = v.(map[string]any)[step]
			case int:
				v = v.([]any)[step]
			}
		}
		return v.(map[string]any)
	}
	set := func(value any, key string, path ...any) func(map[string]any) {
		return func(r map[string]any) { part(r, path...)[key] = value }
	}
	drop := func(key string, path ...any) func(map[string]any) {
		return func(r map[string]any) { delete(part(r, path...), key) }
	}
	asWarned, asFinished := written(t, build(t, warned()).WriteJSON), written(t, build(t, finished()).WriteJSON)
	broken := func(t *testing.T, report string, breakIt func(map[string]any)) {
		t.Helper()
		r := parsed(t, report)
		breakIt(r)
		if s.Validate(r) == nil {
			t.Error("the schema lets it pass")
		}
	}
	for name, breakIt := range map[string]func(map[string]any){
		"a proof without a kind":    drop("by", "tasks", 1, "proof"),
		"a lack without words":      set("", "lacks", "tasks", 0, "proof"),
		"confirmed in words":        set("yes", "confirmed", "tasks", 0),
		"attempt 0 of all":          set(json.Number("0"), "seq", "tasks", 0, "attempts", 0),
		"a selector without a name": drop("where", "selectors", 0),
		"negative pages":            set(json.Number("-1"), "pages", "selectors", 0),
		"ambiguous as text":         set("yes", "ambiguous", "tasks", 0, "fields", "issued"),
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); broken(t, asWarned, breakIt) })
	}
	for name, breakIt := range map[string]func(map[string]any){
		"another version":             set(json.Number("2"), "schema_version"),
		"no session":                  drop("session"),
		"no cleanup":                  drop("cleanup"),
		"tasks are null":              set(nil, "tasks"),
		"an unknown status":           set("DONE", "status", "session"),
		"an id that is none":          set("1", "id", "session"),
		"a time without zone":         set("2025-03-14T11:00:00", "started_at", "session"),
		"an end that is empty":        set("", "ended_at", "session"),
		"rows as text":                set("12", "rows", "totals"),
		"a negative count":            set(json.Number("-1"), "failed", "totals"),
		"no attempts in the totals":   drop("attempts", "totals"),
		"an outcome is missing":       drop("partial", "totals", "by_outcome"),
		"bytes as a fraction":         set(json.Number("1.5"), "bytes", "totals", "attachments"),
		"a rate in percent":           set(json.Number("12"), "fallback_rate", "performance"),
		"no percentile":               drop("p99", "performance", "task_ms"),
		"a browser without an id":     set("", "browser_id", "workers", 0),
		"an unknown worker state":     set("IDLE", "state", "workers", 0),
		"a load in percent":           set(json.Number("91"), "cpu", "scaling", 0),
		"scaled to nothing":           set(json.Number("0"), "to", "scaling", 0),
		"pressure is missing":         drop("pressure", "scaling", 0),
		"an event without a time":     set(nil, "at", "events", 0),
		"an event type with a space":  set("worker started", "type", "events", 0),
		"an unknown state":            set("DONE", "state", "tasks", 0),
		"an unknown outcome":          set("fine", "outcome", "tasks", 0),
		"an outcome of another state": set("not_found", "outcome", "tasks", 0),
		"a task without rows":         set([]any{}, "rows", "tasks", 0),
		"a sheet that says nothing":   set(map[string]any{}, "sheet", "tasks", 0),
		"a completed_at without zone": set("2025-03-14T11:00:00", "completed_at", "tasks", 0),
		"line 0":                      set([]any{json.Number("0")}, "rows", "tasks", 0),
		"no error key":                drop("error", "tasks", 0),
		"an error without a class":    drop("class", "tasks", 1, "error"),
		"an unknown executor":         set("curl", "executor", "tasks", 0),
		"a field without raw":         drop("raw", "tasks", 0, "fields", "total"),
		"fields are null":             set(nil, "fields", "tasks", 0),
		"a document without a state":  drop("state", "tasks", 0, "attachments", 0),
		"a done document, no path":    set("", "path", "tasks", 0, "attachments", 0),
		"a hash that is too short":    set("abc", "sha256", "tasks", 0, "attachments", 0),
		"a failed document, no error": set(nil, "error", "tasks", 1, "attachments", 1),
		"attempt 0":                   set(json.Number("0"), "n", "tasks", 0, "attempts", 0),
		"an attempt without outcome":  set("", "outcome", "tasks", 0, "attempts", 0),
		"released, yet complete":      set(true, "released", "tasks", 0, "attempts", 0),
		"a phase as text":             set("fast", "open", "tasks", 0, "attempts", 0, "phase_ms"),
		"evidence is null":            set(nil, "evidence", "tasks", 0, "attempts", 0),
		"a phase that is missing":     drop("phase", "tasks", 1, "attempts", 0, "error"),
		"no browsers_left":            drop("browsers_left", "cleanup"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken(t, asFinished, breakIt)
		})
	}
}

// TestEveryKeyIsDescribed keeps the schema and the types together: a key that is
// written, and not described, is found here.
func TestEveryKeyIsDescribed(t *testing.T) {
	t.Parallel()
	s := schema(t)
	for name, session := range sessions {
		describe(t, name, decoded(t, build(t, session())), s)
	}
}

func describe(t *testing.T, where string, v any, s *jsonschema.Schema) {
	t.Helper()
	if s == nil {
		t.Errorf("%s is not described", where)
		return
	}
	if s.Ref != nil {
		describe(t, where, v, s.Ref)
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, alternative := range s.AnyOf {
			if alternative.Properties != nil {
				s = alternative
			}
		}
		for key, value := range v {
			sub := s.Properties[key]
			if sub == nil {
				sub, _ = s.AdditionalProperties.(*jsonschema.Schema)
			}
			if sub != nil && sub.Description == "" && s.Properties[key] != nil {
				t.Errorf("%s.%s has no description", where, key)
			}
			describe(t, where+"."+key, value, sub)
		}
	case []any:
		items := s.Items2020
		for _, value := range v {
			describe(t, where+"[]", value, items)
		}
	}
}
