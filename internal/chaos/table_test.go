//go:build linux

package chaos

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// The results of make chaos: the rows as data, and the table made of them.
const (
	rowsFile  = "../../docs/chaos.json"
	tableFile = "../../docs/chaos.md"
)

// row is one line of the table. Durations are milliseconds.
type row struct {
	// Place orders the rows.
	Place    int    `json:"place"`
	Fault    string `json:"fault"`
	Injected int    `json:"injected"`
	Orders   int    `json:"orders"`
	Lost     int    `json:"lost"`
	Repeated int    `json:"repeated"`
	// Confirmed counts the orders that were rendered after they had been fetched and recorded.
	Confirmed int   `json:"confirmed,omitempty"`
	Left      int   `json:"left_behind"`
	MedianMS  int64 `json:"recovery_median_ms"`
	MaxMS     int64 `json:"recovery_max_ms"`
	// Recovery says from when to when its time is measured; empty: it has none.
	Recovery string `json:"recovery"`
	// Seen says what else was seen.
	Seen   string `json:"seen,omitempty"`
	Date   string `json:"date"`
	Chrome string `json:"chrome"`
	Cores  int    `json:"cores"`
	Seed   uint64 `json:"seed"`
}

// tally counts what one kind of fault does.
type tally struct {
	t     *testing.T
	row   row
	times []time.Duration
}

// newTally begins a row. recovery says from when to when its time is measured.
func newTally(t *testing.T, place int, fault, recovery string) *tally {
	return &tally{t: t, row: row{Place: place, Fault: fault, Recovery: recovery}}
}

// count adds what one run has shown, and fails the test for each problem.
func (y *tally) count(injected int, v findings) {
	y.t.Helper()
	y.row.Injected += injected
	y.row.Orders += v.orders
	y.row.Lost += len(v.lost)
	y.row.Repeated += len(v.repeated)
	y.row.Confirmed += v.confirmed
	y.row.Left += len(v.left)
	y.row.Chrome = cmp.Or(v.chrome, y.row.Chrome)
	for _, problem := range slices.Concat(v.lost, v.repeated, v.left, v.other) {
		y.t.Error(problem)
	}
}

// recovered adds a time of recovery.
func (y *tally) recovered(d time.Duration) { y.times = append(y.times, d) }

// write puts the row into the table, in the full suite. Of a scenario that has
// failed it writes nothing: its figures would not say why.
func (y *tally) write() {
	y.t.Helper()
	slices.Sort(y.times)
	if n := len(y.times); n > 0 {
		y.row.MedianMS, y.row.MaxMS = y.times[n/2].Milliseconds(), y.times[n-1].Milliseconds()
	} else {
		y.row.Recovery = ""
	}
	y.t.Logf("%+v", y.row)
	if !*full || y.t.Failed() {
		return
	}
	y.row.Date, y.row.Cores, y.row.Seed = time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), *seed
	rows := map[string]row{}
	text, err := os.ReadFile(rowsFile)
	if err == nil {
		err = json.Unmarshal(text, &rows)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		y.t.Fatal(err)
	}
	rows[y.t.Name()] = y.row
	text, err = json.MarshalIndent(rows, "", "  ")
	if err != nil {
		y.t.Fatal(err)
	}
	err = errors.Join(os.WriteFile(rowsFile, append(text, '\n'), 0o644), os.WriteFile(tableFile, []byte(table(rows)), 0o644))
	if err != nil {
		y.t.Fatal(err)
	}
}

const tableHead = `# The fault suite

Written by ` + "`make chaos`" + `: each row when its scenario has passed. It runs poscrape as
users do, with real Chrome, against the demo portal on the same machine, one scenario at
a time, and compares what is left afterwards with an undisturbed run of the same orders.
` + "`make chaos RUN=TestKills`" + ` renews the rows of one scenario,
` + "`go test ./internal/chaos`" + ` runs a short selection.

- **injected**: how often the fault struck; **orders**: how many were in those runs.
- **lost**: an order that ended differently than when undisturbed, a document that is
  missing or has other bytes, or anything recorded that is no longer there.
- **repeated**: an order whose end was recorded before the fault, and that was worked on
  or asked for again; but for one that had only been fetched, and that poscrape renders as
  well after a kill, since nothing had shown yet that the two are the same. Those are
  counted below.
- **left behind**: processes, temporary files and staged files that remain at the end,
  and files in the session's orders that the report does not list.

| fault | injected | orders | lost | repeated | left behind | recovery, median | max |
|---|--:|--:|--:|--:|--:|--:|--:|
`

// table writes the rows as Markdown.
func table(rows map[string]row) string {
	var b strings.Builder
	b.WriteString(tableHead)
	sorted := slices.SortedFunc(maps.Values(rows), func(a, b row) int { return cmp.Compare(a.Place, b.Place) })
	for _, r := range sorted {
		median, longest := "", ""
		if r.Recovery != "" {
			median, longest = seconds(r.MedianMS), seconds(r.MaxMS)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %s | %s |\n",
			r.Fault, r.Injected, r.Orders, r.Lost, r.Repeated, r.Left, median, longest)
	}
	b.WriteString("\n## How each was measured\n\n")
	for _, r := range sorted {
		fmt.Fprintf(&b, "- **%s**: ", r.Fault)
		if r.Recovery != "" {
			fmt.Fprintf(&b, "recovery is the time %s. ", r.Recovery)
		}
		if r.Seen != "" {
			fmt.Fprintf(&b, "%s. ", r.Seen)
		}
		if r.Confirmed > 0 {
			was := "were"
			if r.Confirmed == 1 {
				was = "was"
			}
			fmt.Fprintf(&b, "%s that had been fetched %s rendered as well. ", plural(r.Confirmed, "order"), was)
		}
		fmt.Fprintf(&b, "%s, %s, %d cores, seed %d.\n", r.Date, r.Chrome, r.Cores, r.Seed)
	}
	return b.String()
}

func seconds(ms int64) string { return fmt.Sprintf("%.2f s", float64(ms)/1000) }

// plural counts things.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
