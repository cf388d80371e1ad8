package container

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// Leftover is a container of poscrape's whose owner is not this process.
type Leftover struct {
	Name string
	// State is the engine's word: "running", "created", "exited".
	State string
	// Dead: its owner is proven dead.
	Dead bool
}

// Leftovers returns the containers of other processes of poscrape, as far as this user's engine
// knows them. It changes nothing.
func (e *Engine) Leftovers(ctx context.Context) ([]Leftover, error) {
	ids, err := e.ask(ctx, "ps", "--all", "--quiet", "--filter", "label="+pidLabel)
	if err != nil || ids == "" {
		return nil, err
	}
	var all []Leftover
	for _, id := range strings.Fields(ids) { // one may go meanwhile, and then none of several would be shown
		text, err := e.ask(ctx, "inspect", "--format", `{"Name": {{json .Name}}, "State": {{json .State.Status}}, "Labels": {{json .Config.Labels}}}`, id)
		if err != nil {
			continue
		}
		var c struct {
			Name, State string
			Labels      map[string]string
		}
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			return nil, err
		}
		if o, ok := ownerOf(c.Labels); ok && o != e.owner {
			all = append(all, Leftover{Name: strings.TrimPrefix(c.Name, "/"), State: c.State, Dead: o.dead()})
		}
	}
	return all, nil
}

// Sweep removes the containers whose owners are proven dead, and returns their names. It blocks for
// a tenth of a second where there is nothing to do.
func (e *Engine) Sweep(ctx context.Context) (removed []string, err error) {
	left, err := e.Leftovers(ctx)
	for _, l := range left {
		if !l.Dead {
			continue
		}
		if rerr := e.remove(ctx, l.Name); rerr != nil {
			err = errors.Join(err, rerr)
			continue
		}
		removed = append(removed, l.Name)
	}
	return removed, err
}
