//go:build chaos

package pool_test

import (
	"testing"
	"time"
)

// BenchmarkSlowDisk is what a disk that takes 10 ms for each sync leaves of the
// rate of eight workers that need 200 ms for each order.
func BenchmarkSlowDisk(b *testing.B) {
	const orders = 160
	for b.Loop() {
		quick := throughLedger(b, openLedger(b), 8, orders, 200*time.Millisecond)
		b.Setenv("POSCRAPE_SYNC_DELAY", "10ms")
		slow := throughLedger(b, openLedger(b), 8, orders, 200*time.Millisecond)
		b.Setenv("POSCRAPE_SYNC_DELAY", "")
		b.ReportMetric(quick.Seconds()/slow.Seconds(), "rate-of-a-quick-disk's")
		b.ReportMetric(orders/slow.Seconds(), "orders/s")
	}
}
