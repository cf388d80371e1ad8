package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// How a list stands in report.json: one entry on each line.
const (
	openList  = "[\n    "
	nextEntry = ",\n    "
	closeList = "\n  ]"
	emptyList = "[]"
)

// WriteJSON writes report.json: indented, but for the lists, which have one
// entry on each line. It streams: the memory it needs does not grow with the
// number of tasks.
func (r *Report) WriteJSON(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "{\n  \"schema_version\": %d", r.SchemaVersion)
	for _, section := range []struct {
		key   string
		write func(*bufio.Writer) error
	}{
		{"session", func(w *bufio.Writer) error { return writeObject(w, r.Session) }},
		{"totals", func(w *bufio.Writer) error { return writeObject(w, r.Totals) }},
		{"performance", func(w *bufio.Writer) error { return writeObject(w, r.Performance) }},
		{"pool", func(w *bufio.Writer) error { return writeObject(w, r.Pool) }},
		{"workers", func(w *bufio.Writer) error { return writeList(w, r.Workers) }},
		{"scaling", func(w *bufio.Writer) error { return writeList(w, r.Scaling) }},
		{"events", func(w *bufio.Writer) error { return writeList(w, r.Events) }},
		{"tasks", func(w *bufio.Writer) error { _, err := io.Copy(w, r.tasks.open()); return err }},
		{"selectors", func(w *bufio.Writer) error { return writeList(w, r.Selectors) }},
		{"cleanup", func(w *bufio.Writer) error { return writeObject(w, r.Cleanup) }},
	} {
		fmt.Fprintf(out, ",\n  %q: ", section.key)
		if err := section.write(out); err != nil {
			return fmt.Errorf("writing %s of the report as JSON: %w", section.key, err)
		}
	}
	fmt.Fprint(out, "\n}\n") // a bufio.Writer keeps its first error for Flush
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the report as JSON: %w", err)
	}
	return nil
}

func writeObject(w *bufio.Writer, v any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("  ", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(bytes.TrimRight(text.Bytes(), "\n"))
	return err
}

func writeList[T any](w *bufio.Writer, list []T) error {
	if len(list) == 0 {
		_, err := w.WriteString(emptyList)
		return err
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	before := openList
	for i := range list {
		line.Reset()
		if err := enc.Encode(list[i]); err != nil {
			return err
		}
		if _, err := w.WriteString(before); err != nil {
			return err
		}
		before = nextEntry
		if _, err := w.Write(bytes.TrimRight(line.Bytes(), "\n")); err != nil {
			return err
		}
	}
	_, err := w.WriteString(closeList)
	return err
}
