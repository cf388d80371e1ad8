package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func example() *benchmark {
	void := turnOf("crawlee-puppeteer", 9)
	void.Void = "PO1: the field total is \"1|2\" and not \"3\""
	rendered := turnOf("poscrape-render", 20)
	rendered.How = "100 rendered, 0 fetched, 0 fallbacks"
	unreadable := turnOf("cluster-page", 4)
	unreadable.Memory = 0
	b := measured(rendered, turnOf("poscrape-once", 2), unreadable, void, turnOf("chromedp-reuse", 24))
	b.missing["poscrape-auto"] = "not there yet"
	b.machine = machine{Chrome: "Chromium 156", Versions: map[string]string{"puppeteer": "24.43.1"}}
	return b
}

func TestTables(t *testing.T) {
	t.Parallel()
	got := example().text()
	for _, want := range []string{
		"| Server-rendered | puppeteer-cluster, pages: 4.00 | 20.0, × 5.00 | - | 24.0, × 6.00 |",
		"| **poscrape, render** | 20.0 [20.0..20.0] | 5.00 | 0.50 s | 300 MB | 100 ms | 10.0 % |",
		"| puppeteer-cluster, pages | 4.00 [4.00..4.00] | 1.00 | 0.50 s | - | 100 ms | 10.0 % |",
		"| Crawlee with Puppeteer | void | | | | | |",
		`- Crawlee with Puppeteer: 1 of 1 turns are void: PO1: the field total is "1/2" and not "3"`,
		"- poscrape, render: 100 rendered, 0 fetched, 0 fallbacks",
		"| reuse | 50 ms | 300 MB | 100 ms |", "| once | 500 ms | 300 MB | 100 ms |",
		"- poscrape, auto: not there yet",
		"With Chromium 156 for all tools", "puppeteer 24.43.1", "server-rendered 100 to 100",
	} {
		if !strings.Contains(got, want+"\n") && !strings.Contains(got, want) {
			t.Errorf("the text lacks\n%s", want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

func TestTablesWithoutAPeer(t *testing.T) {
	t.Parallel()
	got := measured(turnOf("poscrape-render", 20)).text()
	for _, want := range []string{"| Server-rendered | - | 20.0 |", "| **poscrape, render** | 20.0 [20.0..20.0] | - |"} {
		if !strings.Contains(got, want) {
			t.Errorf("the text lacks %s:\n%s", want, got)
		}
	}
}

func TestNumbersHaveThreeDigits(t *testing.T) {
	t.Parallel()
	for n, want := range map[float64]string{0.123: "0.12", 9.994: "9.99", 9.996: "10.0", 99.94: "99.9", 99.96: "100", 361.7: "362"} {
		if got := number(n); got != want {
			t.Errorf("%v is written %s, want %s", n, got, want)
		}
	}
}

func TestChartIsSound(t *testing.T) {
	t.Parallel()
	chart := example().chart()
	for decoder := xml.NewDecoder(strings.NewReader(chart)); ; {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the chart is no XML: %v\n%s", err, chart)
		}
	}
	for _, want := range []string{
		`class="ours" x="310" y="40" width="400.0"`, // 20 of 24, the best of 480 pixels
		`class="limit" x="310" y="128" width="480.0"`, ">24.0</text>", ">void</text>", "prefers-color-scheme: dark",
	} {
		if !strings.Contains(chart, want) {
			t.Errorf("the chart lacks %s\n%s", want, chart)
		}
	}
	if empty := measured().chart(); strings.Contains(empty, "<rect") {
		t.Errorf("nothing has bars: %s", empty)
	}
}

func TestResultsGoBetweenTheMarkers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "performance.md")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("before\n" + beginMarker + "old\n" + endMarker + "after\n")
	for range 2 {
		if err := replaceBetweenMarkers(file, "new\n"); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	want := "before\n" + beginMarker + "\nnew\n\n" + endMarker + "after\n"
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
	for _, lacking := range []string{"nothing", beginMarker, endMarker + beginMarker} {
		write(lacking)
		if err := replaceBetweenMarkers(file, "new"); err == nil {
			t.Errorf("%q was taken for a file with markers", lacking)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != lacking {
			t.Errorf("%q became %q, %v", lacking, got, err)
		}
	}
}

// The project's own document has its markers, or the results have no place.
func TestDocumentHasMarkers(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", documentFile))
	if err != nil {
		t.Fatal(err)
	}
	begin, end := strings.Index(string(text), beginMarker), strings.Index(string(text), endMarker)
	if begin < 0 || end < begin {
		t.Errorf("%s has its markers at %d and %d", documentFile, begin, end)
	}
}
