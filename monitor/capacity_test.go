package monitor

import (
	"runtime"
	"testing"
)

func TestCapacityOfThisMachine(t *testing.T) {
	t.Parallel()
	c, err := MeasureCapacity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c.Memory <= 0 || c.MemoryFree <= 0 || c.MemoryFree > c.Memory || c.Processors <= 0 || c.Processors > float64(runtime.NumCPU()) {
		t.Errorf("got %+v", c)
	}
	if c.OpenFiles < 0 || c.Processes < 0 || runtime.GOOS == "linux" && c.OpenFiles == 0 {
		t.Errorf("got %+v", c)
	}
}

func TestCapacityOfAContainer(t *testing.T) {
	t.Parallel()
	c, err := measureCapacity(t.Context(), newTree(t, map[string]string{
		"proc/self/cgroup": "0::/a/b\n", "proc/self/mountinfo": mountV2,
		"sys/fs/cgroup/a/b/memory.max": "2000\n", "sys/fs/cgroup/a/b/memory.current": "500\n",
		"sys/fs/cgroup/a/memory.max": "3000\n", "sys/fs/cgroup/a/memory.current": "2900\n",
		"sys/fs/cgroup/a/b/cpu.max":  "50000 100000\n",
		"sys/fs/cgroup/a/b/pids.max": "max\n", "sys/fs/cgroup/a/pids.max": "64\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if c.Memory != 2000 || c.MemoryFree != 100 || c.Processors != 0.5 || c.Processes != 64 || !c.Contained {
		t.Errorf("got %+v, want the tightest of all limits", c)
	}
	c, err = measureCapacity(t.Context(), newTree(t, map[string]string{
		"proc/self/cgroup":              "8:pids:/x\n",
		"proc/self/mountinfo":           "32 31 0:29 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n",
		"sys/fs/cgroup/pids/x/pids.max": "32\n",
	}))
	if err != nil || c.Processes != 32 || c.Contained {
		t.Errorf("got %+v, %v", c, err)
	}
}
