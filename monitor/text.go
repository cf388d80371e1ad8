package monitor

import (
	"fmt"
	"math"
)

// reasonText says in one sentence why there are so many workers of those wanted.
func reasonText(now, wanted int, why string) string {
	return fmt.Sprintf("%d of %d workers: %s", now, wanted, why)
}

// breachText names what is above its threshold; of two, what is further above.
func breachText(s Sample, cfg Config) string {
	if s.CPU-cfg.CPU >= s.Memory-cfg.Memory {
		return overText("CPU", s.CPU, cfg.CPU)
	}
	return overText("memory", s.Memory, cfg.Memory)
}

// overText shows as many decimals as it takes to see the difference.
func overText(name string, value, threshold float64) string {
	limit := fmt.Sprintf("%g", math.Round(threshold*1e4)/100)
	for decimals := range 3 {
		shown := fmt.Sprintf("%.*f", decimals, 100*value)
		if shown != limit {
			return fmt.Sprintf("%s %s %% over %s %%", name, shown, limit)
		}
	}
	return fmt.Sprintf("%s just over %s %%", name, limit)
}

func raiseText(next load) string {
	return fmt.Sprintf("the load has passed; with one more, CPU %.0f %% and memory %.0f %% are expected",
		100*next.cpu, 100*next.memory)
}

func backText(now load) string {
	return fmt.Sprintf("the load has passed; with CPU at %.0f %% and memory at %.0f %%, all have room as usual",
		100*now.cpu, 100*now.memory)
}
