package ending

import (
	"errors"
	"testing"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	odd, open := errors.New("odd"), tasks.Stats{Total: 3, Ready: 2}
	for name, c := range map[string]struct {
		facts  Facts
		status tasks.SessionStatus
		cause  Cause
		why    string
	}{
		"all has ended":                      {Facts{}, tasks.SessionCompleted, "", ""},
		"stopped when all had ended":         {Facts{Stopped: "enough", Cause: User, Work: pool.ErrStopped}, tasks.SessionCompleted, "", ""},
		"halted when all had ended":          {Facts{Halted: odd, Work: odd}, tasks.SessionCompleted, "", ""},
		"stopped by a person":                {Facts{Stats: open, Stopped: "enough", Cause: User}, tasks.SessionInterrupted, User, "enough"},
		"stopped by the breaker":             {Facts{Stats: open, Stopped: "down", Cause: Breaker, Work: pool.ErrStopped}, tasks.SessionInterrupted, Breaker, "down"},
		"this machine comes before a person": {Facts{Stats: open, Stopped: "enough", Cause: User, Halted: odd}, tasks.SessionInterrupted, Environment, "odd"},
		"no worker can be opened":            {Facts{Stats: open, Work: pool.ErrNoWorker}, tasks.SessionInterrupted, Environment, pool.ErrNoWorker.Error()},
		"the program has ended it":           {Facts{Stats: open, Work: pool.ErrStopped}, tasks.SessionInterrupted, User, "the program that ran the session ended it"},
		"orders are left for no reason":      {Facts{Stats: open}, tasks.SessionFailed, Internal, "2 orders are open although the work has ended"},
		"an error inside":                    {Facts{Work: odd}, tasks.SessionFailed, Internal, "odd"},
		"an error inside, and stopped":       {Facts{Stats: open, Work: odd, Stopped: "enough", Cause: User}, tasks.SessionFailed, Internal, "odd"},
		"doubtful orders not put back":       {Facts{Unread: odd}, tasks.SessionFailed, Internal, "odd"},
		"doubtful orders, and halted":        {Facts{Unread: odd, Halted: errors.New("full")}, tasks.SessionInterrupted, Environment, "odd"},
		"a wrong certificate everywhere": {Facts{Distrusted: odd, Retry: "poscrape retry out"}, tasks.SessionCompleted, Environment,
			"no order could be opened: odd; then go on with: poscrape retry out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, cause, why := c.facts.Judge()
			if status != c.status || cause != c.cause || why != c.why {
				t.Errorf("%s, %q, %q; want %s, %q, %q", status, cause, why, c.status, c.cause, c.why)
			}
		})
	}
}
