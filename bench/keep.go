package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
)

// measurement is what stands in the file of all figures.
type measurement struct {
	Machine machine           `json:"machine"`
	Turns   []turn            `json:"turns"`
	Missing map[string]string `json:"missing"`
}

// keep takes over the turns of an earlier run at the cases that this one is not to
// measure. The machine and the programs have to be the same.
func (b *benchmark) keep(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("looking for figures to keep: %w", err)
	}
	var earlier measurement
	if err := json.Unmarshal(text, &earlier); err != nil {
		return fmt.Errorf("reading the figures of %s: %w", file, err)
	}
	was, is := earlier.Machine, b.machine
	was.Load, was.Date, was.chrome = is.Load, is.Date, is.chrome
	if !reflect.DeepEqual(was, is) {
		return fmt.Errorf("%s was measured with something else, so its figures cannot stand beside new ones: %+v there, %+v here", file, was, is)
	}
	measured := func(name string) bool {
		return slices.ContainsFunc(b.cases, func(c benchCase) bool { return c.name == name })
	}
	kept := slices.DeleteFunc(earlier.Turns, func(t turn) bool { return measured(t.Case) })
	b.machine.Load = earlier.Machine.Load + ", and " + is.Load
	if earlier.Machine.Date != is.Date {
		b.machine.Date = earlier.Machine.Date + " and " + is.Date
	}
	b.turns = append(b.turns, kept...)
	b.cases = slices.DeleteFunc(cases(), func(c benchCase) bool {
		return !measured(c.name) && !slices.ContainsFunc(kept, func(t turn) bool { return t.Case == c.name })
	})
	return nil
}
