package report

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// The size of the charts, in their own units, and how many bars one has at most.
const (
	chartWidth = 1000
	barHeight  = 120
	laneHeight = 22
	maxBars    = 60
)

// bar is a rectangle of a chart, with what it says.
type bar struct {
	X, Y, W, H float64
	Class      string
	Text       string
}

// throughput is how many orders ended over time.
type throughput struct {
	Bars []bar
	// Each is for how long a bar stands, Most the highest of them.
	Each     time.Duration
	Most     int
	From, To *time.Time
}

// throughput draws the ends of orders, or returns nil where there are too few.
func (f *findings) throughput() *throughput {
	if len(f.ends) < 2 {
		return nil
	}
	slices.SortFunc(f.ends, time.Time.Compare)
	from, to := f.ends[0], f.ends[len(f.ends)-1]
	each := roundUp(to.Sub(from) / maxBars)
	from = from.Truncate(each)
	counts := make([]int, int(to.Sub(from)/each)+1)
	for _, at := range f.ends {
		counts[int(at.Sub(from)/each)]++
	}
	t := &throughput{Each: each, Most: slices.Max(counts), From: stamp(from), To: stamp(from.Add(time.Duration(len(counts)) * each))}
	width := float64(chartWidth) / float64(len(counts))
	for i, n := range counts {
		if n == 0 {
			continue
		}
		height := barHeight * float64(n) / float64(t.Most)
		t.Bars = append(t.Bars, bar{X: tenth(float64(i) * width), Y: tenth(barHeight - height), W: tenth(width * 0.86), H: tenth(height),
			Text: from.Add(time.Duration(i)*each).UTC().Format("2006-01-02 15:04:05 UTC") + ": " + plural(n, "order")})
	}
	return t
}

// roundUp returns a time that people count in, not below d.
func roundUp(d time.Duration) time.Duration {
	steps := []time.Duration{
		time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute,
		30 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
	}
	for _, step := range steps {
		if d <= step {
			return step
		}
	}
	const day = 24 * time.Hour
	if whole := d.Truncate(day); whole == d {
		return whole
	}
	return d.Truncate(day) + day
}

// timeline is when workers had a browser, and when their number changed.
type timeline struct {
	Lanes    []lane
	Marks    []bar
	Height   int
	From, To *time.Time
}

// lane is the time of one worker.
type lane struct {
	Name string
	Y    int
	Bars []bar
}

// timeline draws the workers' browsers, or returns nil where there is nothing to draw.
func (r *Report) timeline() *timeline {
	from, to := r.span()
	if from.IsZero() || !to.After(from) {
		return nil
	}
	at := func(t time.Time) float64 {
		return tenth(chartWidth * min(1, max(0, float64(t.Sub(from))/float64(to.Sub(from)))))
	}
	tl := &timeline{From: &from, To: &to}
	for _, w := range r.Workers {
		tl.Lanes = append(tl.Lanes, lane{Name: w.ID, Y: len(tl.Lanes) * laneHeight})
	}
	if len(tl.Lanes) == 0 {
		return nil
	}
	tl.Height = len(tl.Lanes) * laneHeight
	for i := range tl.Lanes {
		tl.Lanes[i].fill(r.Events, to, at)
	}
	for _, s := range r.Scaling {
		if s.At != nil {
			tl.Marks = append(tl.Marks, bar{X: at(*s.At), H: float64(tl.Height), Class: "scaled", Text: count(s.From) + " → " + count(s.To) + " workers: " + s.Reason})
		}
	}
	return tl
}

// fill draws the browsers of a worker.
func (l *lane) fill(events []Event, end time.Time, at func(time.Time) float64) {
	var since *time.Time
	until := func(t time.Time, class, text string) {
		if since != nil {
			x := at(*since)
			l.Bars = append(l.Bars, bar{X: x, W: max(1, tenth(at(t)-x)), Class: class, Text: l.Name + ": " + text})
		}
		since = nil
	}
	for i := range events {
		e := &events[i]
		if e.Worker != l.Name || e.At == nil {
			continue
		}
		switch e.Type {
		case tasks.EventWorkerStarted:
			until(*e.At, "ran", "its browser was there")
			since = e.At
		case tasks.EventWorkerStopped, tasks.EventWorkerRecycled:
			until(*e.At, "ran", cmp.Or(e.Detail, words(e.Type)))
		case tasks.EventWorkerFailed:
			until(*e.At, "lost", cmp.Or(e.Detail, "its browser was lost"))
		}
	}
	until(end, "ran", "its browser was there to the end")
}

// span returns from when to when something is known of the session.
func (r *Report) span() (from, to time.Time) {
	for i := range r.Events {
		if t := r.Events[i].At; t != nil {
			if from.IsZero() || t.Before(from) {
				from = *t
			}
			if t.After(to) {
				to = *t
			}
		}
	}
	if r.Session.EndedAt != nil && r.Session.EndedAt.After(to) {
		to = *r.Session.EndedAt
	}
	return from, to
}

func tenth(x float64) float64 { return math.Round(x*10) / 10 }
