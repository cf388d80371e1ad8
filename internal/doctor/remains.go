package doctor

import (
	"context"
	"time"

	"github.com/poscrape/poscrape/profiles"
)

// Remains is what a killed run has left outside of its folder: a directory of
// profiles, and the browsers in it; or a container.
type Remains struct {
	// Path of the directory, or the name of the Container.
	Path      string
	Container bool
	// Since is when the run began; zero where that is not known.
	Since time.Time
	// Bytes are the lengths of all files in it.
	Bytes int64
	// Processes are its browsers' that run or, where it was cleared, were ended.
	Processes int
	// Kept: it was left on purpose (--keep-profiles).
	Kept bool
	// Reason is why it is not cleared; empty where nothing is in the way.
	Reason string
}

// FindRemains returns what killed runs of this user have left in temp and in the system's
// directory for temporary files, and changes nothing. What belongs to a run that goes on
// is not among it.
func FindRemains(temp string) ([]Remains, error) {
	left, err := profiles.Leftovers("", temp)
	return remainsOf(left), err
}

// ClearRemains ends and removes what FindRemains finds, and returns what that was, and
// what is still there for a Reason. It blocks for twenty seconds at the most.
func ClearRemains(ctx context.Context, temp string) (cleared, kept []Remains, err error) {
	swept, err := profiles.SweepAll(ctx, "", temp)
	return remainsOf(swept.Removed), remainsOf(swept.Left), err
}

func remainsOf(left []profiles.Leftover) []Remains {
	all := make([]Remains, 0, len(left))
	for _, l := range left {
		all = append(all, Remains{Path: l.Path, Since: l.Since, Bytes: l.Size, Processes: len(l.Processes), Kept: l.Kept, Reason: l.Reason})
	}
	return all
}
