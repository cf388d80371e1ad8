package tasks_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/queuetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemoryConforms(t *testing.T) {
	t.Parallel()
	queuetest.Run(t, func(*testing.T) tasks.TaskQueue { return tasks.NewMemory() })
}
