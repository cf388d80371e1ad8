package main

import (
	"strconv"
	"strings"
	"testing"
)

// screen is as much of a terminal as the bar uses: it wraps, goes back to the
// begin of a line, moves up, and erases to the end of the line or of the screen.
// What it does not know fails the test.
type screen struct {
	t        *testing.T
	width    int
	lines    [][]rune
	row, col int
}

func newScreen(t *testing.T, width int) *screen {
	return &screen{t: t, width: width, lines: make([][]rune, 1)}
}

func (s *screen) Write(p []byte) (int, error) {
	text := []rune(string(p))
	for i := 0; i < len(text); i++ {
		switch r := text[i]; r {
		case '\n':
			s.down()
			s.col = 0
		case '\r':
			s.col = 0
		case '\x1b':
			i += s.control(string(text[i:]))
		default:
			s.put(r)
		}
	}
	return len(p), nil
}

// control obeys a control sequence and returns how long it is after its escape.
func (s *screen) control(text string) int {
	end := strings.IndexAny(text, "AKJ")
	if !strings.HasPrefix(text, "\x1b[") || end < 0 {
		s.t.Errorf("an unknown control sequence: %q", text)
		return 0
	}
	n := 1
	if digits := text[2:end]; digits != "" {
		var err error
		if n, err = strconv.Atoi(digits); err != nil {
			s.t.Errorf("an unknown control sequence: %q", text)
		}
	}
	switch text[end] {
	case 'A':
		s.row = max(s.row-n, 0)
	case 'K':
		s.cutLine()
	case 'J':
		s.cutLine()
		s.lines = s.lines[:s.row+1]
	}
	return end
}

func (s *screen) cutLine() {
	s.lines[s.row] = s.lines[s.row][:min(s.col, len(s.lines[s.row]))]
}

func (s *screen) down() {
	s.row++
	if s.row == len(s.lines) {
		s.lines = append(s.lines, nil)
	}
}

func (s *screen) put(r rune) {
	if s.col == s.width {
		s.down()
		s.col = 0
	}
	line := s.lines[s.row]
	for len(line) <= s.col {
		line = append(line, ' ')
	}
	line[s.col] = r
	s.lines[s.row] = line
	s.col++
}

// resize makes the terminal wrap the line of the cursor anew, as terminals do.
func (s *screen) resize(width int) {
	s.width = width
	line := s.lines[s.row]
	s.lines = s.lines[:s.row]
	for len(line) > width {
		s.lines = append(s.lines, line[:width])
		line = line[width:]
	}
	s.lines = append(s.lines, line)
	s.row, s.col = len(s.lines)-1, len(line)
}

// rows returns what a person sees, without blanks at the ends.
func (s *screen) rows() []string {
	var rows []string
	for _, line := range s.lines {
		rows = append(rows, strings.TrimRight(string(line), " "))
	}
	return rows
}

func (s *screen) String() string { return strings.Join(s.rows(), "\n") }

// bars returns the rows that have a bar, or its count.
func bars(rows []string) []string { return barsOf(rows, stageTotal) }

// barsOf is bars, for so many orders.
func barsOf(rows []string, orders int) []string {
	var found []string
	for _, row := range rows {
		if strings.Contains(row, "/"+strconv.Itoa(orders)) {
			found = append(found, row)
		}
	}
	return found
}
