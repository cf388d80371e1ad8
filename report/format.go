package report

import (
	"fmt"
	"html/template"
	"path"
	"strings"
	"time"

	"github.com/poscrape/poscrape/internal/disk"
)

// pageFuncs are what the page's template calls.
var pageFuncs = template.FuncMap{
	"fileLink": fileLink, "base": base, "proofText": proofText,
	"words": words, "duration": duration, "size": disk.Bytes, "count": count, "percent": percent, "moment": moment,
	"plural": plural, "sentence": sentence, "add": func(a, b int) int { return a + b }, "width": func(from, to float64) float64 { return tenth(to - from) },
	"rate":    func(bytes float64) string { return disk.Bytes(int64(bytes)) + " a second" },
	"seconds": func(d time.Duration) string { return duration(float64(d.Milliseconds())) },
	//nolint:gosec // it is a picture that this package has encoded itself
	"dataURL": func(data string) template.URL { return template.URL(data) },
}

// base returns the last part of a path of any system.
func base(name string) string { return path.Base(strings.ReplaceAll(name, "\\", "/")) }

// words returns a name as people read it: "not_found" is "not found".
func words(name any) string {
	return strings.ReplaceAll(fmt.Sprint(name), "_", " ")
}

// duration returns milliseconds as people read them.
func duration(ms float64) string {
	d := time.Duration(ms * float64(time.Millisecond))
	if d = d.Round(time.Millisecond); d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	if d = d.Round(100 * time.Millisecond); d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	if d = d.Round(time.Second); d < time.Hour {
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
}

// count returns a number with its thousands apart.
func count(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

// plural returns "1 order" or "2 orders".
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + one + "s"
}

// percent returns a load from 0.0 to 1.0 in percent.
func percent(load float64) string { return fmt.Sprintf("%.0f %%", load*100) }

// moment returns a time element, which the page's script turns into the
// reader's own time.
func moment(t *time.Time) template.HTML {
	if t == nil {
		return "–"
	}
	//nolint:gosec // a formatted time holds nothing that a page could have put there
	return template.HTML(t.Format(`<time datetime="2006-01-02T15:04:05.000Z">2006-01-02 15:04:05 UTC</time>`))
}
