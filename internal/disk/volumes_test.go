package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// disks are file systems without a machine: what a path's space is.
type disks map[string]Space

func (d disks) measure(path string) (Space, error) {
	space, there := d[path]
	if !there {
		return Space{}, &os.PathError{Op: "statfs", Path: path, Err: os.ErrNotExist}
	}
	return space, nil
}

func TestWhichDisksAreWatched(t *testing.T) {
	t.Parallel()
	const mega = 1_000_000
	there := t.TempDir()
	out, temp := filepath.Join(there, "new", "out"), os.TempDir()
	for name, c := range map[string]struct {
		disks   disks
		minFree int64
		want    []int64 // the reserves
	}{
		"one for both":       {disks{there: {Device: "1", Size: 1000 * mega}, temp: {Device: "1", Size: 1000 * mega}}, 0, []int64{100 * mega}},
		"two":                {disks{there: {Device: "1", Size: 40 * mega}, temp: {Device: "2", Size: 900000 * mega}}, 0, []int64{8 * mega, 256 * mega}},
		"as the user says":   {disks{there: {Device: "1", Size: 40 * mega}, temp: {Device: "2", Size: 4 * mega}}, 123, []int64{123, 123}},
		"one cannot be seen": {disks{there: {Device: "1", Size: 100 * mega}}, 0, []int64{10 * mega}},
	} {
		d := VolumesOf(Config{Dir: out, Temp: temp, Reserve: c.minFree, Measure: c.disks.measure})
		var got []int64
		for _, p := range d.volumes {
			got = append(got, p.reserve)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) || d.volumes[0].name != out {
			t.Errorf("%s: got %+v, want the reserves %v", name, d.volumes, c.want)
		}
		if least := d.ForProfile(); least != c.want[0]/2 {
			t.Errorf("%s: a profile needs %d", name, least)
		}
	}
}

func TestRoom(t *testing.T) {
	t.Parallel()
	out, temp := t.TempDir(), os.TempDir()
	measured := disks{out: {Device: "1", Size: 100e6, Free: 20e6}, temp: {Device: "2", Size: 100e6, Free: 5e6}}
	v := VolumesOf(Config{Dir: out, Temp: temp, Measure: measured.measure})
	for bytes, fits := range map[int64]bool{0: true, 4_000_000: true, 4_000_001: false} {
		err := v.Room(bytes)
		if (err == nil) != fits || !fits && FaultOf(err) != Full {
			t.Errorf("%d bytes: %v", bytes, err)
		}
	}
	measured[out] = Space{Device: "1", Size: 100e6, Free: exhausted - 1}
	if err := v.Room(0); FaultOf(err) != Full {
		t.Errorf("nothing is left: %v", err)
	}
}

func TestBytes(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 B", 200_000: "200 kB", 8e6: "8 MB", 9_999_999: "9.9 MB", 268435456: "268.4 MB", 25_276_510_208: "25.2 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

func TestReserveFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	path := filepath.Join(dir, reserveName)
	var r Reserve
	r.Spend() // before there is one
	for _, c := range []struct{ orders, free, want int64 }{
		{100, 1 << 40, 4_800_000},
		{10_000, 1 << 40, 84_000_000},
		{10_000, 8_000_000, 2_000_000}, // and what a killed session has left is replaced
	} {
		if err := r.Fill(root, int(c.orders), c.free); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil || int64(len(content)) != c.want || !strings.HasPrefix(string(content), reserveText) {
			t.Errorf("for %d orders it has %d bytes, want %d: %v", c.orders, len(content), c.want, err)
		}
	}
	r.Spend()
	r.Spend()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
