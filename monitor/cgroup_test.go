package monitor

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// newTree makes files below a directory that stands for "/".
func newTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	writeTree(t, root, files)
	return root
}

func writeTree(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	mountV2 = "30 23 0:28 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n"
	mountV1 = `23 1 254:0 / / rw,relatime - ext4 /dev/vda rw
31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw
32 31 0:29 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct
36 31 0:33 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
`
	pathsV1 = "5:cpu,cpuacct:/docker/abc/inner\n4:memory:/docker/abc/inner\n1:name=systemd:/\n"
)

func TestMemoryOfGroups(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files map[string]string
		want  float64
	}{
		"no groups": {nil, 0},
		"version 2": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": mountV2,
			"sys/fs/cgroup/a/memory.max": "1000\n", "sys/fs/cgroup/a/memory.current": "400\n",
		}, 0.4},
		"version 2 without a limit": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": mountV2,
			"sys/fs/cgroup/a/memory.max": "max\n", "sys/fs/cgroup/a/memory.current": "400\n",
		}, 0},
		"file cache does not count, mapped files do": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": mountV2,
			"sys/fs/cgroup/a/memory.max": "1000\n", "sys/fs/cgroup/a/memory.current": "900\n",
			"sys/fs/cgroup/a/memory.stat": "anon 300\nfile 600\nfile_mapped 100\ninactive_file 400\nactive_file 200\n",
		}, 0.4},
		"the tighter of all above": {map[string]string{
			"proc/self/cgroup": "0::/a/b/c\n", "proc/self/mountinfo": mountV2,
			"sys/fs/cgroup/a/b/c/memory.max": "1000\n", "sys/fs/cgroup/a/b/c/memory.current": "100\n",
			"sys/fs/cgroup/a/memory.max": "2000\n", "sys/fs/cgroup/a/memory.current": "1800\n",
			"sys/fs/cgroup/memory.max": "9000\n", "sys/fs/cgroup/memory.current": "2000\n",
		}, 0.9},
		"a container that sees only itself": {map[string]string{
			"proc/self/cgroup": "0::/../other\n", "proc/self/mountinfo": mountV2,
			"sys/fs/cgroup/memory.max": "1000\n", "sys/fs/cgroup/memory.current": "700\n",
		}, 0.7},
		"version 1 below a container's mount": {map[string]string{
			"proc/self/cgroup": pathsV1, "proc/self/mountinfo": mountV1,
			"sys/fs/cgroup/memory/inner/memory.limit_in_bytes": "9223372036854771712\n",
			"sys/fs/cgroup/memory/inner/memory.usage_in_bytes": "900\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":       "1000\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes":       "950\n",
			"sys/fs/cgroup/memory/memory.stat":                 "active_file 1\ntotal_active_file 150\ntotal_inactive_file 200\ntotal_mapped_file 50\n",
		}, 0.65},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := findGroups(newTree(t, test.files)).memory()
			if math.Abs(got-test.want) > 1e-9 {
				t.Errorf("memory is %v, want %v", got, test.want)
			}
		})
	}
}

func TestCPUOfGroups(t *testing.T) {
	t.Parallel()
	whole := float64(runtime.NumCPU())
	for name, test := range map[string]struct {
		files, later map[string]string
		want         float64
		unknown      bool
	}{
		"no groups": {unknown: true},
		"half a processor, half of it used": {
			files: map[string]string{
				"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": mountV2,
				"sys/fs/cgroup/a/cpu.max": "50000 100000\n", "sys/fs/cgroup/a/cpu.stat": "usage_usec 7000000\nuser_usec 1\n",
			},
			later: map[string]string{"sys/fs/cgroup/a/cpu.stat": "usage_usec 7500000\nuser_usec 1\n"},
			want:  0.5,
		},
		"the tighter of all above": {
			files: map[string]string{
				"proc/self/cgroup": "0::/a/b\n", "proc/self/mountinfo": mountV2,
				"sys/fs/cgroup/a/b/cpu.max": "max 100000\n", "sys/fs/cgroup/a/b/cpu.stat": "usage_usec 0\n",
				"sys/fs/cgroup/a/cpu.max": "20000 100000\n", "sys/fs/cgroup/a/cpu.stat": "usage_usec 0\n",
			},
			later: map[string]string{
				"sys/fs/cgroup/a/b/cpu.stat": "usage_usec 100000\n",
				"sys/fs/cgroup/a/cpu.stat":   "usage_usec 360000\n",
			},
			want: 0.9,
		},
		"without a quota, the processors that it may run on": {
			files: map[string]string{
				"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": mountV2,
				"sys/fs/cgroup/a/cpu.stat": "usage_usec 0\n",
			},
			later: map[string]string{"sys/fs/cgroup/a/cpu.stat": "usage_usec 1000000\n"},
			want:  0.5 / whole,
		},
		"version 1": {
			files: map[string]string{
				"proc/self/cgroup": pathsV1, "proc/self/mountinfo": mountV1,
				"sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_quota_us": "-1\n",
				"sys/fs/cgroup/cpu,cpuacct/inner/cpuacct.usage":    "1000000000\n",
				"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us":       "25000\n",
				"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us":      "100000\n",
				"sys/fs/cgroup/cpu,cpuacct/cpuacct.usage":          "2000000000\n",
			},
			later: map[string]string{"sys/fs/cgroup/cpu,cpuacct/cpuacct.usage": "2400000000\n"},
			want:  0.8,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := newTree(t, test.files)
			g := findGroups(root)
			const elapsed = 2 * time.Second
			if _, ok := g.cpu(elapsed); ok {
				t.Error("the first sample already knows a rate")
			}
			writeTree(t, root, test.later)
			got, ok := g.cpu(elapsed)
			if ok == test.unknown || math.Abs(got-test.want) > 1e-9 {
				t.Errorf("CPU is %v, %v, want %v", got, ok, test.want)
			}
		})
	}
}

func TestLevelsOfAGroup(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		top, point, group string
		want              []string
	}{
		{"/", "/m", "/", []string{"/m"}},
		{"/", "/m", "/a/b", []string{"/m/a/b", "/m/a", "/m"}},
		{"/a", "/m", "/a", []string{"/m"}},
		{"/a", "/m", "/a/b", []string{"/m/b", "/m"}},
		{"/a", "/m", "/ab", []string{"/m"}},
		{"/a", "/m", "/", []string{"/m"}},
		{"/", "/m", "/../x", []string{"/m"}},
		{"/", "/m", "", []string{"/m"}},
	} {
		m := mount{top: test.top, point: test.point}
		if got := m.levels(test.group); !slices.Equal(got, test.want) {
			t.Errorf("%q mounted at %s, group %q: %v, want %v", test.top, test.point, test.group, got, test.want)
		}
	}
}
