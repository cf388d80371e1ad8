package tasks_test

import (
	"context"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func TestActivityIsToldWhileTheAttemptGoesOn(t *testing.T) {
	t.Parallel()
	tasks.Active(t.Context()) // nobody wants to know
	told := 0
	ctx, end := context.WithCancel(tasks.WithActivity(t.Context(), func() { told++ }))
	tasks.Active(ctx)
	end()
	tasks.Active(ctx)
	if told != 1 {
		t.Errorf("activity was told %d times, want once, before the attempt had ended", told)
	}
}
