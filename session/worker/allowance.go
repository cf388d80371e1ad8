package worker

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/poscrape/poscrape/browser"
)

// allowance is what the system lets one process, or one user, have of a thing. Where
// it is too little, Chrome ends without a word, or shows half of a page.
type allowance struct {
	// says is what the system does, with the number in it; remedy is how a person gets more.
	says, remedy string
	// least is what the smallest session needs, measured with Chromium 156.
	least uint64
	// now returns what is allowed; ok is false where there is no limit, or none is known.
	now func() (n uint64, ok bool)
	// ofUser: it is the user's processes that are counted, which are not those of root.
	ofUser bool
	// errors are those of system calls that meet the limit, and words what Chrome prints.
	errors []error
	words  []string
}

var allowances = []allowance{
	{says: "allows only %d open files", remedy: "ulimit -n 4096", least: 100, now: openFiles, errors: []error{syscall.EMFILE},
		words: []string{"Too many open files (24)", "too many open files"}},
	{says: "allows only %d processes and threads", remedy: "ulimit -u 4096", least: 64, now: userProcesses, ofUser: true, errors: []error{syscall.EAGAIN},
		words: []string{"Resource temporarily unavailable", "resource temporarily unavailable", "failed to launch, 1002", "Failed to create thread", "pthread_create"}},
	{says: "allows only %d bytes of address space", remedy: "ulimit -v unlimited", least: 100_000_000_000, now: addressSpace, errors: []error{syscall.ENOMEM},
		words: []string{"Cannot allocate memory", "cannot allocate memory", "Out of memory", "virtual memory"}},
	{says: "lets a file have only %d bytes", remedy: "ulimit -f unlimited", least: 100_000_000, now: fileSize, errors: []error{syscall.EFBIG},
		words: []string{"file size limit exceeded", "File too large", "file too large"}},
}

// AllowanceError says which of the system's limits is in the way.
type AllowanceError struct {
	// Limit says what the system does: "allows only 12 open files"; Remedy how a person
	// gets more.
	Limit, Remedy string
	Err           error
}

func (e *AllowanceError) Error() string {
	text := fmt.Sprintf("the system %s, too few for Chrome; raise that limit ('%s', or in the settings of the service or container)", e.Limit, e.Remedy)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the error behind it.
func (e *AllowanceError) Unwrap() error { return e.Err }

// CheckAllowances returns an *AllowanceError for the first limit under which no Chrome can
// work, or nil. asUser: Chrome runs as a user whose processes are counted; those of root
// are not.
func CheckAllowances(asUser bool) error {
	for _, a := range allowances {
		if a.ofUser && !asUser {
			continue
		}
		if n, ok := a.now(); ok && n < a.least {
			return a.explain(n, nil)
		}
	}
	return nil
}

// MetLimit returns an error with the limit that it tells of, if there is such a limit:
// by the system's own error, or where Chrome did not start, by what it has printed.
func MetLimit(err error) error {
	if err == nil || errors.As(err, new(*AllowanceError)) {
		return err
	}
	for _, a := range allowances {
		n, limited := a.now()
		if !limited {
			continue
		}
		for _, known := range a.errors {
			if errors.Is(err, known) {
				return a.explain(n, err)
			}
		}
		for _, word := range a.words {
			if errors.Is(err, browser.ErrLaunch) && strings.Contains(err.Error(), word) {
				return a.explain(n, err)
			}
		}
	}
	return err
}

func (a allowance) explain(n uint64, err error) error {
	return &AllowanceError{Limit: fmt.Sprintf(a.says, n), Remedy: a.remedy, Err: err}
}
