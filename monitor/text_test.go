package monitor

import "testing"

func TestReasons(t *testing.T) {
	t.Parallel()
	cfg := DefaultConfig()
	for _, test := range []struct {
		cpu, memory float64
		want        string
	}{
		{0.91, 0.5, "3 of 4 workers: CPU 91 % over 80 %"},
		{0.5, 0.934, "3 of 4 workers: memory 93 % over 90 %"},
		{0.95, 0.92, "3 of 4 workers: CPU 95 % over 80 %"},
		{0.81, 0.98, "3 of 4 workers: memory 98 % over 90 %"},
		{0.803, 0.5, "3 of 4 workers: CPU 80.3 % over 80 %"},
		{0.8004, 0.5, "3 of 4 workers: CPU 80.0 % over 80 %"},
		{1, 0.5, "3 of 4 workers: CPU 100 % over 80 %"},
	} {
		if got := reasonText(3, 4, breachText(Sample{CPU: test.cpu, Memory: test.memory}, cfg)); got != test.want {
			t.Errorf("%v and %v: %q, want %q", test.cpu, test.memory, got, test.want)
		}
	}
}
