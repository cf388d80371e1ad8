package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// What --write writes.
var (
	documentFile = filepath.Join("docs", "performance.md")
	chartFile    = filepath.Join("docs", "performance.svg")
)

// What stands between them is the benchmark's; the rest is for people to write.
const (
	beginMarker = "<!-- bench: begin -->\n"
	endMarker   = "<!-- bench: end -->\n"
)

// replaceBetweenMarkers puts the text between the markers of a file.
func replaceBetweenMarkers(file, text string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, begun := bytes.Cut(old, []byte(beginMarker))
	_, after, ended := bytes.Cut(rest, []byte(endMarker))
	if !begun || !ended {
		return fmt.Errorf("%s has no lines %q and %q for the results to stand between", file, beginMarker, endMarker)
	}
	var out bytes.Buffer
	out.Write(head)
	fmt.Fprintf(&out, "%s\n%s\n%s", beginMarker, text, endMarker)
	out.Write(after)
	return os.WriteFile(file, out.Bytes(), 0o644)
}
