package orders

import (
	"fmt"
	"strconv"
	"strings"
)

// Problem is something about the sheet that a person should know: why a row
// cannot be used, or, as a warning, what is odd about it. It is an error, in
// the form "pos.csv:17: po: what is wrong and what to do".
type Problem struct {
	File string
	// Line of the row's first line, from 1.
	Line int
	// Column is the header of the cell in question, or empty.
	Column  string
	Message string
	// Warning: the row is used all the same.
	Warning bool
	// recorded is all that is known of one that an earlier session has recorded, or empty.
	recorded string
}

func (p Problem) Error() string {
	if p.recorded != "" {
		return p.recorded
	}
	return at(p.File, p.Line, p.Column) + p.Message
}

// FileError says why a file cannot be read at all.
type FileError struct {
	File string
	// Line is where, from 1; 0 if it is about the whole file.
	Line int
	// Column is the header of the column in question, or empty.
	Column  string
	Message string
	// Rows are the problems of its rows, if none of them can be used.
	Rows []Problem
	// Err is the error behind it, or nil.
	Err error
}

func (e *FileError) Error() string {
	text := at(e.File, e.Line, e.Column) + e.Message
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the error behind it.
func (e *FileError) Unwrap() error { return e.Err }

// OptionError says which of the Options cannot be right, in its field's name,
// and why.
type OptionError struct {
	Field   string
	Message string
	// Err is the error behind it, or nil.
	Err error
}

func (e *OptionError) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the error behind it.
func (e *OptionError) Unwrap() error { return e.Err }

func at(file string, line int, column string) string {
	var position strings.Builder
	position.WriteString(displayName(file))
	if line > 0 {
		position.WriteString(":" + strconv.Itoa(line))
	}
	position.WriteString(": ")
	if column = strings.Join(strings.Fields(column), " "); column != "" {
		position.WriteString(clip(column) + ": ")
	}
	return position.String()
}

func displayName(file string) string {
	if file == "-" || file == "" {
		return "standard input"
	}
	return file
}

const shownRunes = 60

// clip shortens text that comes from a sheet so that it fits into a message.
func clip(text string) string {
	runes := []rune(text[:min(len(text), 4*shownRunes)])
	if len(runes) <= shownRunes && len(text) <= 4*shownRunes {
		return text
	}
	return string(runes[:min(len(runes), shownRunes)]) + "…"
}

func quoted(text string) string { return strconv.Quote(clip(text)) }

func quotedList(texts []string) string {
	const shown = 20
	var list []string
	for _, text := range texts[:min(len(texts), shown)] {
		list = append(list, quoted(text))
	}
	if more := len(texts) - shown; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}
