package report

import (
	"bytes"
	"strings"
	"testing"
)

func packedOf(t *testing.T, list ...*Task) *packedTasks {
	t.Helper()
	s, err := packTasks()
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range list {
		if err := s.add(task); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.seal(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPackedTasksComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long text, with\nlines and },\n ", 10_000) // beyond any buffer
	s := packedOf(t, &Task{PO: "a"}, &Task{PO: long}, &Task{PO: "c,"}, &Task{PO: long + "d"})
	for name, test := range map[string]struct {
		skip func(int) bool
		want []string
	}{
		"all":       {nil, []string{"a", long, "c,", long + "d"}},
		"the short": {func(i int) bool { return i%2 == 1 }, []string{"a", "c,"}},
		"the long":  {func(i int) bool { return i%2 == 0 }, []string{long, long + "d"}},
		"none":      {func(int) bool { return true }, nil},
	} {
		var got []string
		for task, err := range s.all(test.skip) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, task.PO)
		}
		if strings.Join(got, "|") != strings.Join(test.want, "|") {
			t.Errorf("%s: %d tasks come back, want %d", name, len(got), len(test.want))
		}
	}
}

func TestPackedTasksThatAreDamaged(t *testing.T) {
	t.Parallel()
	r := build(t, finished())
	whole := bytes.Clone(r.tasks.packed.Bytes())
	for _, cut := range []int{0, 1, len(whole) / 2} {
		r.tasks.packed.Reset()
		r.tasks.packed.Write(whole[:cut])
		var broken error
		for _, err := range r.Tasks() {
			broken = err
		}
		if broken == nil {
			t.Errorf("cut at byte %d: Tasks yields no error", cut)
		}
		if err := r.WriteHTML(new(counter)); err == nil {
			t.Errorf("cut at byte %d: WriteHTML returns no error", cut)
		}
		if err := r.WriteJSON(new(counter)); err == nil {
			t.Errorf("cut at byte %d: WriteJSON returns no error", cut)
		}
	}
}
