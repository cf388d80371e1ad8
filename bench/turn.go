package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/poscrape/poscrape/bench/protocol"
	"github.com/poscrape/poscrape/internal/proc"
)

// turnTimeout is after how long a run is given up: the slowest takes a few minutes.
const turnTimeout = 20 * time.Minute

// turn is one run of one tool. Times are seconds.
type turn struct {
	Case   string  `json:"case"`
	Tool   string  `json:"tool"`
	Round  int     `json:"round"`
	Orders int     `json:"orders"`
	Wall   float64 `json:"wall_s"`
	First  float64 `json:"first_order_s"`
	OwnCPU float64 `json:"own_cpu_s"`
	Chrome float64 `json:"chrome_cpu_s"`
	Portal float64 `json:"portal_cpu_s"`
	Memory int64   `json:"peak_pss_bytes"`
	How    string  `json:"how,omitempty"`
	Void   string  `json:"void,omitempty"`
}

// rate is orders per second.
func (t turn) rate() float64 { return float64(t.Orders) / t.Wall }

// take gives a tool its turn. What goes wrong makes it void; an error is only
// returned where the benchmark itself cannot go on.
func (b *benchmark) take(ctx context.Context, c benchCase, t tool, p *portalProcess, round int) (turn, error) {
	n := min(c.orders(b.settings.orders, b.settings.workers, t), len(p.Orders))
	done := turn{Case: c.name, Tool: t.name, Round: round, Orders: n}
	place, err := os.MkdirTemp(b.env.work, "turn-")
	if err != nil {
		return done, err
	}
	// Chrome may run as another user, who has to get to its profile.
	err = os.Chmod(place, 0o755)
	if err == nil {
		err = b.run(ctx, c, t, p, place, &done)
	}
	if removeErr := os.RemoveAll(place); removeErr != nil {
		return done, errors.Join(err, removeErr)
	}
	if ctx.Err() != nil {
		return done, context.Cause(ctx)
	}
	if err != nil {
		done.Void = err.Error()
	}
	return done, nil
}

// run runs the tool in an empty directory, and checks what it brings home.
func (b *benchmark) run(ctx context.Context, c benchCase, t tool, p *portalProcess, place string, done *turn) error {
	o := protocol.Options{
		Sheet: filepath.Join(place, "orders.csv"), Out: filepath.Join(place, "out"), Workers: b.settings.workers,
		Mode: c.mode, Patience: c.patience, Chrome: b.machine.chrome.Path, Recipe: filepath.Join(b.env.recipes, c.mode+".yaml"),
	}
	temporary := filepath.Join(place, "tmp")
	if err := errors.Join(os.Mkdir(o.Out, 0o755), os.Mkdir(temporary, 0o755), writeSheet(o.Sheet, p.sheet(done.Orders))); err != nil {
		return err
	}
	line := t.command(b.env, o)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir, cmd.Env = place, append(os.Environ(), "TMPDIR="+temporary)
	var results []protocol.Result
	var first time.Time
	var wrong error
	if !t.reports {
		cmd.Stdout = &lines{each: func(line []byte, at time.Time) {
			var r protocol.Result
			if err := json.Unmarshal(line, &r); err != nil {
				wrong = errors.Join(wrong, fmt.Errorf("it wrote a line that is no result: %.100q", line))
				return
			}
			if first.IsZero() {
				first = at
			}
			results = append(results, r)
		}}
	}
	limited, cancel := context.WithTimeoutCause(ctx, turnTimeout, fmt.Errorf("it took more than %v", turnTimeout))
	defer cancel()
	before, err := proc.Read(p.pid())
	if err != nil {
		return err
	}
	u, err := meter{portal: p.pid(), every: b.settings.every, grace: grace}.run(limited, cmd)
	if err != nil {
		return err
	}
	after, err := proc.Read(p.pid())
	if err != nil {
		return err
	}
	if t.reports {
		if results, first, done.How, err = readReport(o.Out); err != nil {
			return err
		}
	}
	done.Wall = u.wall.Seconds()
	if !first.IsZero() {
		done.First = first.Sub(u.began).Seconds()
	}
	done.OwnCPU, done.Chrome, done.Portal = u.own.Seconds(), u.browsers.Seconds(), (after.Own - before.Own).Seconds()
	done.Memory = u.memory
	return errors.Join(wrong, check(p.Orders[:done.Orders], results, c.mode, o.Out))
}

func writeSheet(name string, orders []protocol.Order) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(protocol.WriteSheet(f, orders), f.Close())
}

// takesPart reports whether the tool takes part in the case.
func (t tool) takesPart(c benchCase) bool {
	return len(t.only) == 0 || slices.Contains(t.only, c.name)
}
