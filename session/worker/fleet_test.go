package worker

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// TestBrowserOfASlot asks late which browser a slot had: at each moment it is the one
// that was there, and none while one was opened.
func TestBrowserOfASlot(t *testing.T) {
	t.Parallel()
	f := newFleet()
	first, second := uuid.New(), uuid.New()
	began := time.Now()
	moment := func(i int) time.Time { return began.Add(time.Duration(i) * time.Second) }
	for i, id := range []uuid.UUID{uuid.Nil, first, uuid.Nil, second} {
		f.seat("worker_001", id, moment(i+1))
	}
	f.seat("worker_002", uuid.New(), began)
	if got := f.of("worker_001", tasks.Worker{}).BrowserID; got != second {
		t.Errorf("the slot's record has the browser %s, want %s", got, second)
	}
	for i, want := range []uuid.UUID{uuid.Nil, uuid.Nil, first, uuid.Nil, second, second} {
		for range 2 {
			if got := f.at("worker_001", moment(i)); got != want {
				t.Errorf("moment %d: the browser is %s, want %s", i, got, want)
			}
		}
	}
	if n := len(f.seats["worker_001"]); n != 1 {
		t.Errorf("%d moments are remembered, want 1", n)
	}
	if got := f.of("worker_003", tasks.Worker{}).BrowserID; got != uuid.Nil {
		t.Errorf("a slot without a browser has %s", got)
	}
}
