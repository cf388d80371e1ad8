package ending

import (
	"fmt"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func TestFirstEnds(t *testing.T) {
	t.Parallel()
	missing := func(n int) *tasks.Failure {
		return tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "status 404 from https://portal.example/orders/PO%d", n)
	}
	for name, c := range map[string]struct {
		end  func(n int) (tasks.Outcome, *tasks.Failure)
		said int // after so many; 0: never
	}{
		"all for one reason": {func(n int) (tasks.Outcome, *tasks.Failure) { return tasks.OutcomeNotFound, missing(n) }, 10},
		"all but the last": {func(n int) (tasks.Outcome, *tasks.Failure) {
			if n == 9 {
				return tasks.OutcomeComplete, nil
			}
			return tasks.OutcomeNotFound, missing(n)
		}, 0},
		"for two reasons": {func(n int) (tasks.Outcome, *tasks.Failure) {
			if n%2 == 1 {
				return tasks.OutcomeFailed, tasks.Retry(tasks.ClassHTTPStatus, "status 500 from https://portal.example/orders/PO%d", n)
			}
			return tasks.OutcomeNotFound, missing(n)
		}, 0},
		"well": {func(int) (tasks.Outcome, *tasks.Failure) { return tasks.OutcomeComplete, nil }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f First
			for n := range 30 {
				outcome, failure := c.end(n)
				says, _ := f.Ended(outcome, failure, fmt.Sprint("PO", n))
				if said := says != ""; said != (n+1 == c.said) {
					t.Errorf("after %d orders: said is %v", n+1, said)
				}
			}
		})
	}
}
