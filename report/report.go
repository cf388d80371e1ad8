package report

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// SchemaVersion is the version of report.json's layout. Keys are added without
// raising it; it is raised where one is renamed or removed.
const SchemaVersion = 1

// Report is what a session has found. Its fields are the keys of report.json,
// but for the tasks, which Tasks returns. It is a snapshot: it does not change
// when the session goes on, and many goroutines may write it at once. Only Build
// makes one that can be written; a report.json that was read back has no tasks.
type Report struct {
	SchemaVersion int         `json:"schema_version"`
	Session       Session     `json:"session"`
	Totals        Totals      `json:"totals"`
	Performance   Performance `json:"performance"`
	Pool          Pool        `json:"pool"`
	Workers       []Worker    `json:"workers"`
	Scaling       []Scaling   `json:"scaling"`
	Events        []Event     `json:"events"`
	// Selectors are those of the recipe, in its order.
	Selectors []Selector `json:"selectors"`
	Cleanup   Cleanup    `json:"cleanup"`

	// Folder is the session folder, as a person would name it. The page takes pictures from
	// there, and its commands name it; where it is empty, the page carries no pictures.
	Folder string `json:"-"`

	tasks *packedTasks
	// warnings and notes are about the recipe's selectors.
	warnings, notes []string
	reasons         []Reason
	reasonPlaces    map[reasonKey]int
	findings        *findings
	// lacking are what orders lack that ended well and are not confirmed.
	lacking map[witness.Lack]*Lacking
	// unwell says of each task whether it has ended, and not well.
	unwell  []bool
	columns []string
	rows    []row
	// sheet knows how the columns are written, and lines the columns of the orders' lines.
	sheet *compare.Comparison
	lines lineColumns
	// fields are the names of the fields that the rows have columns for.
	fields []string
	roles  map[string]int
	// updates: the session updates another.
	updates bool
	started started
	// delimiter and mark are how text is written for the input's readers.
	delimiter rune
	mark      bool
}

// Tasks returns all tasks in the order in which they were enqueued. It yields
// an error, and ends, only where a task cannot be decoded.
func (r *Report) Tasks() iter.Seq2[*Task, error] { return r.tasks.all(nil) }

// Lacking is what keeps orders that ended well from being confirmed.
type Lacking struct {
	Lack   witness.Lack
	Orders int
	// First are the numbers of the first of them.
	First []string
}

// lack notes what an order lacks to be confirmed, if anything.
func (r *Report) lack(t *Task) {
	if t.Proof == nil || t.Proof.Lacks == "" {
		return
	}
	lack := witness.Lack(t.Proof.Lacks)
	one := r.lacking[lack]
	if one == nil {
		one = &Lacking{Lack: lack}
		r.lacking[lack] = one
	}
	one.Orders++
	if len(one.First) < firstNamed {
		one.First = append(one.First, order{t}.Name())
	}
}

// Lacking returns what orders lack that ended well and are not confirmed, the most first.
func (r *Report) Lacking() []Lacking {
	list := []Lacking{}
	for _, one := range r.lacking {
		list = append(list, *one)
	}
	slices.SortFunc(list, func(a, b Lacking) int { return cmp.Or(cmp.Compare(b.Orders, a.Orders), cmp.Compare(a.Lack, b.Lack)) })
	return list
}

// Session describes the run. Durations are in milliseconds.
type Session struct {
	ID     uuid.UUID           `json:"id"`
	Status tasks.SessionStatus `json:"status"`
	// Reason says why it was interrupted or failed, or is empty.
	Reason    string     `json:"reason"`
	StartedAt *time.Time `json:"started_at"`
	// EndedAt is nil while the session runs.
	EndedAt *time.Time `json:"ended_at"`
	// DurationMS is the time during which it ran, in all its runs.
	DurationMS float64 `json:"duration_ms"`
	Version    string  `json:"version"`
	Chrome     string  `json:"chrome"`
	Sandbox    string  `json:"sandbox"`
	Host       string  `json:"host"`
	Workers    int     `json:"workers"`
	Mode       string  `json:"mode"`
	Input      Input   `json:"input"`
	Resumed    int     `json:"resumed"`
	// Update is the folder of the earlier session that it updates; absent where there is none.
	Update string `json:"update,omitempty"`
}

// Input describes the file that the orders came from.
type Input struct {
	File   string `json:"file"`
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"`
}

// Totals counts. Rows is the sum of the tasks' rows; Tasks is Completed +
// Failed + Pending, where tasks that a worker holds count as pending.
type Totals struct {
	Rows      int `json:"rows"`
	Tasks     int `json:"tasks"`
	Completed int `json:"completed"`
	Failed    int `json:"failed"`
	Pending   int `json:"pending"`
	// ByOutcome counts tasks and has a key for every outcome. Tasks of which
	// nothing is known yet are in none.
	ByOutcome map[tasks.Outcome]int `json:"by_outcome"`
	// Confirmed counts the tasks that ended well and are confirmed, Listed those that ended well and are not.
	Confirmed int `json:"confirmed"`
	Listed    int `json:"listed"`
	// Attempts are the charged ones, Retries those beyond each task's first.
	Attempts    int              `json:"attempts"`
	Retries     int              `json:"retries"`
	Attachments AttachmentTotals `json:"attachments"`
	// Rendered and Fetched count tasks by the way in which they were read.
	Rendered int `json:"rendered"`
	Fetched  int `json:"fetched"`
	// Fallbacks counts tasks for which a lighter way was given up.
	Fallbacks int `json:"fallbacks"`
	// Differences counts the cells of the sheet that say something else than the portal.
	Differences int `json:"differences"`
	// Compared are the columns of the sheet that orders were held against, or should have been.
	Compared []Compared `json:"compared"`
}

// Compared is what came of a column of the sheet.
type Compared = compare.Compared

// AttachmentTotals counts documents: Found is Done + Failed + Skipped. Bytes is
// the size of the done ones.
type AttachmentTotals struct {
	Found   int   `json:"found"`
	Done    int   `json:"done"`
	Failed  int   `json:"failed"`
	Skipped int   `json:"skipped"`
	Bytes   int64 `json:"bytes"`
	// New counts the done ones that the session that is updated did not have; absent where
	// there are none.
	New int `json:"new,omitempty"`
}

// Performance says how fast it went. A figure without samples is 0.
type Performance struct {
	// TasksPerMinute counts tasks that were tried and have ended, over the time
	// during which the session ran.
	TasksPerMinute float64 `json:"tasks_per_minute"`
	// SuccessRate is the share, 0.0 to 1.0, of these that ended well.
	SuccessRate float64 `json:"success_rate"`
	// TaskMS is the wall time of charged attempts.
	TaskMS TaskTimes `json:"task_ms"`
	// QueuedMS is for how long tasks were due before they were handed out.
	QueuedMS QueueTimes `json:"queued_ms"`
	// ClaimMS is how long the queue took to hand out a task.
	ClaimMS ClaimTimes `json:"claim_ms"`
	// WorkerStartMS is how long a worker took until it was ready.
	WorkerStartMS StartTimes `json:"worker_start_ms"`
	// FallbackRate is the share, 0.0 to 1.0, of the orders for which a lighter way was
	// given up, among those that were to be read by it alone. Orders that were rendered
	// to confirm such a way do not count.
	FallbackRate float64 `json:"fallback_rate"`
	// DownloadsBytesPerS is the size of the done documents over the time that
	// attempts spent in downloading.
	DownloadsBytesPerS float64 `json:"downloads_bytes_per_s"`
}

// TaskTimes are the mean and percentiles of N samples, in milliseconds.
type TaskTimes struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// QueueTimes are the mean and percentiles of N samples, in milliseconds.
type QueueTimes struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
}

// MeanTime is the mean of N samples, in milliseconds.
type MeanTime struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
}

// Usage is what a worker uses: processors, bytes of memory (PSS), and bytes of its profile.
type Usage struct {
	CPU    float64 `json:"cpu"`
	Memory int64   `json:"memory"`
	Disk   int64   `json:"disk"`
}

// ClaimTimes are percentiles of N samples, in milliseconds.
type ClaimTimes struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// StartTimes are percentiles of N samples, in milliseconds.
type StartTimes struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50"`
	Max float64 `json:"max"`
}

// Worker is the record of one worker slot.
type Worker struct {
	ID string `json:"id"`
	// Machine is the name of the one that it was on.
	Machine string `json:"machine"`
	// BrowserID is that of the browser in the slot, or of the last one that was there. It
	// is absent before the first start, and while a browser is opened.
	BrowserID uuid.UUID `json:"browser_id,omitzero"`
	PID       int       `json:"pid"`
	Profile   string    `json:"profile"`
	State     string    `json:"state"`
	Draining  bool      `json:"draining"`
	// Tasks are the orders that it holds, Task is the first of them, or empty.
	Task  string   `json:"task"`
	Tasks []string `json:"tasks"`
	// Processed counts its charged attempts: Failed those that failed, Succeeded the others.
	Processed    int        `json:"processed"`
	Succeeded    int        `json:"succeeded"`
	Failed       int        `json:"failed"`
	StartedAt    *time.Time `json:"started_at"`
	LastActivity *time.Time `json:"last_activity"`
	Restarts     int        `json:"restarts"`
	Error        string     `json:"error"`
	// MemoryBytes (PSS), CPU in processors and DiskBytes of its profile are what
	// its browser used at the last sample, MemoryPeakBytes the most of any of its
	// browsers. 0 before the first sample.
	MemoryBytes     int64   `json:"memory_bytes"`
	MemoryPeakBytes int64   `json:"memory_peak_bytes"`
	CPU             float64 `json:"cpu"`
	DiskBytes       int64   `json:"disk_bytes"`
	// Isolation is what its browser runs in, "process" or "container"; empty before the first start.
	Isolation string `json:"isolation"`
	// Usage says again what its browser used at the last sample.
	Usage Usage `json:"usage"`
	// TaskMS is the wall time of its charged attempts. FellBack counts its orders for which a
	// lighter way was given up, Retries its charged attempts that were not an order's first.
	TaskMS   MeanTime `json:"task_ms"`
	FellBack int      `json:"fell_back"`
	Retries  int      `json:"retries"`
}

// Scaling is one change of the number of workers. Loads are from 0.0 to 1.0.
type Scaling struct {
	At     *time.Time `json:"at"`
	From   int        `json:"from"`
	To     int        `json:"to"`
	Reason string     `json:"reason"`
	CPU    float64    `json:"cpu"`
	Memory float64    `json:"memory"`
	// Pressure is nil where the system does not measure it.
	Pressure *float64 `json:"pressure"`
}

// Event is something that happened in the session.
type Event struct {
	At     *time.Time `json:"at"`
	Type   string     `json:"type"`
	Worker string     `json:"worker"`
	// BrowserID is that of the worker's browser which the event is about, if it is about one.
	BrowserID uuid.UUID `json:"browser_id,omitzero"`
	Detail    string    `json:"detail"`
	// DurationMS is how long it took, for a worker's start and stop.
	DurationMS float64 `json:"duration_ms,omitzero"`
}

// Cleanup is what the session left behind, and how long clearing up took.
type Cleanup struct {
	BrowsersLeft   int     `json:"browsers_left"`
	ProfilesLeft   int     `json:"profiles_left"`
	ContainersLeft int     `json:"containers_left"`
	DurationMS     float64 `json:"duration_ms"`
}
