package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKeep(t *testing.T) {
	t.Parallel()
	earlier := measurement{Machine: machine{CPU: "x", Load: "0.1", Date: "2026-01-01"}}
	for _, c := range cases()[:3] {
		done := turnOf("cluster-page", 4)
		done.Case, done.Round = c.name, 5
		earlier.Turns = append(earlier.Turns, done)
	}
	file := filepath.Join(t.TempDir(), "results.json")
	text, err := json.Marshal(earlier)
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	anew := turnOf("poscrape-render", 20)
	anew.Round = 9
	b := measured(anew)
	b.machine = machine{CPU: "x", Load: "0.2", Date: "2026-01-02"}
	if err := b.keep(file); err != nil {
		t.Fatal(err)
	}
	if len(b.turns) != 3 || len(b.cases) != 3 || b.turns[0].Tool != "poscrape-render" {
		t.Errorf("got %d cases and the turns %+v, want the new one, and those of two other cases", len(b.cases), b.turns)
	}
	if got := b.text(); !strings.Contains(got, "Rounds: 5 to 9, ") || !strings.Contains(got, "On 2026-01-01 and 2026-01-02, ") || !strings.Contains(got, "load before: 0.1, and 0.2.") {
		t.Errorf("the text does not say how it was measured:\n%s", got)
	}
	b.machine.CPU = "y"
	if err := b.keep(file); err == nil || !strings.Contains(err.Error(), "something else") {
		t.Errorf("figures of another machine: got %v", err)
	}
}
