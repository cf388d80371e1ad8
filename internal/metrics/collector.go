package metrics

import (
	"strings"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/tasks"
)

// described is one metric: its name, what it says, and its labels.
func described(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("poscrape_"+name, help, labels, nil)
}

// The metrics. Their names and labels are a promise: see docs/metrics.md.
var (
	sessionInfo   = described("session_info", "The session: always 1.", "session", "dir")
	sessionStart  = described("session_start_time_seconds", "When the session was begun, in its first run.")
	sessionStatus = described("session_status", "1 for the status that the session has, 0 for the others.", "status")
	orders        = described("orders", "Orders by state.", "state")
	ordersEnded   = described("orders_ended", "Orders that have ended, by outcome.", "outcome")
	ordersProven  = described("orders_well", "Orders that have ended well, by whether they are confirmed.", "confirmed")
	ordersRate    = described("orders_per_second", "Orders that ended per second, over the last minute.")
	eta           = described("eta_seconds", "How long the rest takes at that rate; absent while that is not known.")
	workers       = described("workers", "Workers: wanted, permitted by the limits, and those that exist.", "kind")
	held          = described("held", "1 for each owner that keeps the session paused.", "owner")
	limited       = described("limit_workers", "The most workers that each owner permits, if it limits them.", "owner")
	opened        = described("browsers_opened_total", "Browsers that this run has opened.")
	replaced      = described("browsers_replaced_total", "Of these, those that took the place of one that was lost or worn out.")
	lost          = described("browsers_lost_total", "Browsers that broke, hung or could not be closed.")
	claims        = described("claims_total", "Orders that this run's workers have taken from the queue.")
	waited        = described("claim_wait_seconds_total", "How long these had been due before, in total.")
	workerMemory  = described("worker_memory_bytes", "Memory of a worker's browser; memory that processes share counts once.", "worker")
	workerCPU     = described("worker_processors", "How many processors a worker's browser keeps busy.", "worker")
	workerDisk    = described("worker_disk_bytes", "Size of a worker's profile.", "worker")
	workerDone    = described("worker_attempts", "Attempts of a worker that were charged, by result, those of earlier runs included.", "worker", "result")
	machineCPU    = described("machine_cpu_ratio", "Processor time in use on this machine or in its container, from 0 to 1.")
	machineMemory = described("machine_memory_ratio", "Memory in use there, from 0 to 1.")
	machineStall  = described("machine_pressure_ratio", "Share of the time in which work waited there for processors or memory; absent if that is not measured.")
)

// statuses are all that a session can have.
var statuses = []tasks.SessionStatus{
	tasks.SessionInitializing, tasks.SessionRunning, tasks.SessionPaused,
	tasks.SessionCompleted, tasks.SessionFailed, tasks.SessionInterrupted,
}

// Collector tells Prometheus how a session stands, once there is one.
type Collector struct {
	session atomic.Pointer[control.Session]
}

// Show has the collector tell of a session.
func (c *Collector) Show(s control.Session) { c.session.Store(&s) }

// Describe implements prometheus.Collector.
func (*Collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		sessionInfo, sessionStart, sessionStatus, orders, ordersEnded, ordersProven, ordersRate, eta, workers, held, limited, opened, replaced, lost,
		claims, waited, workerMemory, workerCPU, workerDisk, workerDone, machineCPU, machineMemory, machineStall,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c *Collector) Collect(to chan<- prometheus.Metric) {
	s := c.session.Load()
	if s == nil {
		return
	}
	shot := (*s).Snapshot()
	tell := teller(to)
	tell.status(shot.Status)
	tell.crew(shot)
	tell.machine(shot.Status.Load)
}

// teller sends metrics.
type teller chan<- prometheus.Metric

func (t teller) gauge(d *prometheus.Desc, value float64, labels ...string) {
	t <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

func (t teller) counter(d *prometheus.Desc, value float64) {
	t <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value)
}

func (t teller) status(s control.Status) {
	t.gauge(sessionInfo, 1, s.Session.String(), strings.ToValidUTF8(s.Dir, "\uFFFD")) // a folder's name may be any bytes
	t.gauge(sessionStart, float64(s.StartedAt.UnixMilli())/1000)
	for _, status := range statuses {
		is := 0.0
		if status == s.Status {
			is = 1
		}
		t.gauge(sessionStatus, is, string(status))
	}
	for state, n := range map[string]int{"pending": s.Pending, "active": s.Active, "completed": s.Completed, "failed": s.Failed, "skipped": s.Skipped} {
		t.gauge(orders, float64(n), state)
	}
	for _, outcome := range tasks.Outcomes() {
		if outcome.State().Final() {
			t.gauge(ordersEnded, float64(s.ByOutcome[outcome]), string(outcome))
		}
	}
	t.gauge(ordersProven, float64(s.Confirmed), "yes")
	t.gauge(ordersProven, float64(s.Listed), "no")
	t.gauge(ordersRate, s.RatePerMinute/60)
	if s.ETAMS != nil {
		t.gauge(eta, float64(*s.ETAMS)/1000)
	}
	owners := map[string]bool{}
	for _, h := range s.Holds {
		if !owners[h.Owner] { // two holds of one owner are one series
			owners[h.Owner] = true
			t.gauge(held, 1, h.Owner)
		}
	}
	for _, l := range s.Limits {
		t.gauge(limited, float64(l.Workers), l.Owner)
	}
}

func (t teller) crew(s control.Snapshot) {
	w, h := s.Status.Workers, s.Status.History
	for kind, n := range map[string]int{"wanted": w.Wanted, "allowed": w.Allowed, "running": w.Running, "busy": w.Busy, "idle": w.Idle,
		"starting": w.Starting, "draining": w.Draining} {
		t.gauge(workers, float64(n), kind)
	}
	t.counter(opened, float64(h.Opened))
	t.counter(replaced, float64(h.Replaced))
	t.counter(lost, float64(h.Lost))
	t.counter(claims, float64(h.Claims))
	t.counter(waited, float64(h.WaitedMS)/1000)
	for _, one := range s.Workers {
		t.gauge(workerMemory, float64(one.MemoryBytes), one.ID)
		t.gauge(workerCPU, one.CPU, one.ID)
		t.gauge(workerDisk, float64(one.DiskBytes), one.ID)
		t.gauge(workerDone, float64(one.Succeeded), one.ID, "succeeded")
		t.gauge(workerDone, float64(one.Failed), one.ID, "failed")
	}
}

func (t teller) machine(l *control.Load) {
	if l == nil {
		return
	}
	t.gauge(machineCPU, l.CPU)
	t.gauge(machineMemory, l.Memory)
	if l.Pressure != nil {
		t.gauge(machineStall, *l.Pressure)
	}
}
