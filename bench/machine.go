package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// machine is what the figures were measured on, and with what.
type machine struct {
	Cores  int    `json:"cores"`
	CPU    string `json:"cpu"`
	Memory string `json:"memory"`
	System string `json:"system"`
	// Chrome that all tools used.
	Chrome   string `json:"chrome"`
	Poscrape string `json:"poscrape"`
	Go       string `json:"go"`
	Node     string `json:"node"`
	// Versions of the peers, by the name of their package.
	Versions map[string]string `json:"versions"`
	// Load is the load of the machine in the minute before, in running processes.
	Load string `json:"load"`
	Date string `json:"date"`

	chrome browser.Chrome
}

// lookAround describes the machine.
func lookAround(ctx context.Context, s settings, e environment) (machine, error) {
	chrome, err := browser.Find(ctx, s.chrome, false)
	if err != nil {
		return machine{}, err
	}
	m := machine{
		Cores: runtime.NumCPU(), CPU: colonLine("/proc/cpuinfo", "model name"), Memory: colonLine("/proc/meminfo", "MemTotal"),
		System: runtime.GOOS + "/" + runtime.GOARCH, Chrome: chrome.Version, Go: runtime.Version(),
		Poscrape: printed(ctx, e.poscrape, "version"), Node: printed(ctx, "node", "--version"),
		Versions: map[string]string{}, Date: time.Now().UTC().Format(time.DateOnly), chrome: chrome,
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load, _, _ = strings.Cut(string(load), " ")
	}
	var manifest struct{ Dependencies map[string]string }
	text, err := os.ReadFile(filepath.Join(e.node, "package.json"))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return m, fmt.Errorf("reading the versions of the peers: %w", err)
	}
	m.Versions = manifest.Dependencies
	m.Versions["chromedp"] = printed(ctx, "go", "list", "-m", "-f", "{{.Version}}", "github.com/chromedp/chromedp")
	return m, nil
}

// colonLine returns the value of the first line "name : value" of a file, or "unknown".
func colonLine(file, name string) string {
	f, err := os.Open(file)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// printed returns the first line that a program prints, or "unknown".
func printed(ctx context.Context, name string, args ...string) string {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return "unknown"
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}
