package report

import (
	"context"
	"sync"

	"github.com/poscrape/poscrape/tasks"
)

// memory is a Source that holds a session as it is given. Faults are errors
// that the method of that name returns.
type memory struct {
	mu       sync.Mutex
	session  tasks.Session
	workers  []tasks.Worker
	events   []tasks.Event
	scalings []tasks.Scaling
	tasks    []*tasks.ProcessingTask
	// more makes Stats count tasks that Each does not yield.
	more   int
	faults map[string]error
}

func (m *memory) SaveSession(_ context.Context, s tasks.Session) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.session = s
	return m.faults["SaveSession"]
}

func (m *memory) SaveWorker(_ context.Context, w tasks.Worker) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.workers = append(m.workers, w)
	return m.faults["SaveWorker"]
}

func (m *memory) AppendEvent(_ context.Context, e tasks.Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.events = append(m.events, e)
	return m.faults["AppendEvent"]
}

func (m *memory) AppendScaling(_ context.Context, s tasks.Scaling) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.scalings = append(m.scalings, s)
	return m.faults["AppendScaling"]
}

func (m *memory) Session(context.Context) (tasks.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.session, m.faults["Session"]
}

func (m *memory) Workers(context.Context) ([]tasks.Worker, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.workers, m.faults["Workers"]
}

func (m *memory) Events(context.Context) ([]tasks.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.events, m.faults["Events"]
}

func (m *memory) Scalings(context.Context) ([]tasks.Scaling, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.scalings, m.faults["Scalings"]
}

func (m *memory) Each(ctx context.Context, visit func(*tasks.ProcessingTask) error) error {
	for _, t := range m.tasks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := visit(t); err != nil {
			return err
		}
	}
	return m.faults["Each"]
}

func (m *memory) Stats(context.Context) (tasks.Stats, error) {
	return tasks.Stats{Total: len(m.tasks) + m.more}, m.faults["Stats"]
}
