package scrape

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// TestPrintsGotBesideOthersDoubtNobody: an order that was read beside others may have got the print of one of
// them. That one's own, read apart, is not in doubt for it, whichever is read apart first.
func TestPrintsGotBesideOthersDoubtNobody(t *testing.T) {
	t.Parallel()
	orders := []uuid.UUID{uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())}
	print := func(of int) *tasks.Attachment {
		return &tasks.Attachment{Key: itemKey{address: strings.Repeat("c", 24) + printMark}.String(), State: tasks.AttachmentDone, SHA256: strings.Repeat(fmt.Sprint(of+1), 64)}
	}
	for _, first := range []int{0, 1, 2} {
		var s shares
		for order, of := range []int{1, 1, 2} { // the first has the second's
			s.got(orders[order], print(of), nil, "kind")
		}
		for i := range orders {
			order := (first + i) % len(orders)
			if s.got(orders[order], print(order), "sign-in", "kind") {
				t.Errorf("order %d, read apart after %d others from %d on, is in doubt", order, i, first)
			}
		}
		if again := s.again(true); len(again) != 0 {
			t.Errorf("from %d on, %d orders are to be read again", first, len(again))
		}
		if !s.got(orders[0], print(1), "sign-in", "kind") || len(s.again(true)) != 1 {
			t.Error("two orders have the same print, and neither is in doubt")
		}
	}
}
