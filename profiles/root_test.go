package profiles

import (
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"testing"
	"time"
)

func TestRecordProcess(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{})
	p := create(t, m, "worker")
	started := time.Now().Truncate(time.Second)
	if err := p.RecordProcess(os.Getpid(), os.Getppid(), started); err != nil {
		t.Fatal(err)
	}
	if err := p.RecordProcess(os.Getppid(), 0, started); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(p.Path + recordSuffix)
	if err != nil {
		t.Fatal(err)
	}
	var got profileRecord
	if err := json.Unmarshal(content, &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "worker" || !got.Created.Equal(p.Created) || len(got.Processes) != 2 {
		t.Fatalf("record is %s", content)
	}
	first := got.Processes[0]
	if first.PID != os.Getpid() || first.PGID != os.Getppid() || !first.StartedAt.Equal(started) {
		t.Errorf("process is %+v", first)
	}
	if want := identify(os.Getpid()); first.identity != want {
		t.Errorf("process is %+v, want %+v", first, want)
	}
	if runtime.GOOS == "linux" && (first.StartTicks == 0 || first.BootID == "" || first.PIDNamespace == "" || first.Exe == "" || first.StartTicks < got.Processes[1].StartTicks) {
		t.Errorf("starts are %d and, of the parent, %d", first.StartTicks, got.Processes[1].StartTicks)
	}
	if p.RecordProcess(0, 0, started) == nil || p.RecordProcess(1, -1, started) == nil {
		t.Error("what is no process was recorded")
	}
	if err := m.Remove(p); err != nil {
		t.Fatal(err)
	}
	if err := p.RecordProcess(os.Getpid(), 0, started); !errors.Is(err, ErrGone) {
		t.Errorf("after Remove: %v, want ErrGone", err)
	}
	wantOnlyOwner(t, m)
}
