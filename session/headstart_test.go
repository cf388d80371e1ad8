package session

import "testing"

func TestTheFirstWorkerIsAloneOnlyWhereProcessorsAreFew(t *testing.T) {
	t.Parallel()
	if got := headStartFor(processors); got != headStart {
		t.Errorf("with a worker for each of %d processors the head start is %v", processors, got)
	}
	if got := headStartFor(processors / 2); got != 0 {
		t.Errorf("with %d workers on %d processors the head start is %v", processors/2, processors, got)
	}
}
