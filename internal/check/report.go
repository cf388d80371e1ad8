package check

import (
	"strings"
	"time"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/tasks"
)

// Report is what a check has found. Its JSON is check.json, which only grows.
type Report struct {
	SchemaVersion int       `json:"schema_version"`
	Version       string    `json:"version"`
	CheckedAt     time.Time `json:"checked_at"`
	ExitCode      int       `json:"exit_code"`
	// Sheet is nil where it cannot be read.
	Sheet    *Sheet    `json:"sheet"`
	Recipes  []Recipe  `json:"recipes"`
	Problems []Problem `json:"problems"`
	// Probe is nil where no orders were opened.
	Probe *Probe `json:"probe,omitempty"`
	// failed: an error came between, which says more than any verdict.
	failed bool
}

// Level says how much a problem matters.
type Level string

// The levels: with an error nothing can be run, a row with one is not, and a warning is odd.
const (
	LevelError   Level = "error"
	LevelRow     Level = "row"
	LevelWarning Level = "warning"
)

// Problem is one of the sheet or a recipe.
type Problem struct {
	Level Level  `json:"level"`
	File  string `json:"file,omitempty"`
	// Line and Column count from 1; Column is a recipe's. They are left out where they are not
	// known.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Cell is the header of a sheet's column, Field the path of a recipe's key.
	Cell    string `json:"cell,omitempty"`
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
	text    string
}

// Sheet is what was understood of the sheet.
type Sheet struct {
	File     string `json:"file"`
	Rows     int    `json:"rows"`
	Orders   int    `json:"orders"`
	Unusable int    `json:"unusable"`
	// Skipped are the rows that are no orders and are not meant to be, such as totals.
	Skipped   []SkippedRow `json:"skipped"`
	Delimiter string       `json:"delimiter,omitempty"`
	Encoding  string       `json:"encoding,omitempty"`
	// Roles says which column was taken for what, Compared which one a field is held against.
	Roles    map[string]string `json:"roles"`
	Compared map[string]string `json:"compared"`
	// Others are the other columns.
	Others []string `json:"others"`
	// Addresses says where those of the orders' pages come from.
	Addresses string `json:"addresses"`
	// Notes say how it was read where people may not expect it.
	Notes []string `json:"notes"`
}

// SkippedRow is a row of the sheet that is no order.
type SkippedRow struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

// Recipe is what was understood of a recipe.
type Recipe struct {
	Name string `json:"name"`
	// File is empty for the built-in recipe.
	File   string `json:"file,omitempty"`
	Orders int    `json:"orders"`
	Parts  []Part `json:"parts"`
}

// Part is one part of a recipe, in words.
type Part struct {
	Name string `json:"name"`
	Says string `json:"says"`
}

// Probe is what came of opening orders.
type Probe struct {
	// Dir is where the pictures are.
	Dir    string  `json:"dir"`
	Orders []Order `json:"orders"`
	// Partial says how many of the orders were opened, and why not all; it is empty where all were.
	Partial string `json:"partial,omitempty"`
	// Walls are what stands in the way of all orders of a portal, with what to do about it; Wall is
	// all of them in one text.
	Wall  string   `json:"wall,omitempty"`
	Walls []string `json:"walls,omitempty"`
	// Selectors are the recipes', in their order.
	Selectors   []Selector   `json:"selectors"`
	Suggestions []Suggestion `json:"suggestions"`
	// Warnings and Notes are what a run would say of them at its end.
	Warnings []string `json:"warnings"`
	Notes    []string `json:"notes"`
}

func (p *Probe) addWall(wall string) {
	p.Walls = append(p.Walls, wall)
	p.Wall = strings.Join(p.Walls, "\n")
}

// Order is one that was opened.
type Order struct {
	PO     string `json:"po"`
	Recipe string `json:"recipe"`
	// URL is the order's address, Address that of the page that was read.
	URL     string `json:"url"`
	Address string `json:"address,omitempty"`
	// Outcome is what a run would come to if every document that it asks for came; Error says
	// what is missing.
	Outcome tasks.Outcome  `json:"outcome"`
	Error   *tasks.Failure `json:"error,omitempty"`
	Proof   *tasks.Proof   `json:"proof,omitempty"`
	// Confirmed: the pages that were opened confirm it. Absent where it did not end well.
	Confirmed *bool            `json:"confirmed,omitempty"`
	Fields    map[string]Value `json:"fields"`
	// Lines are the order's, Documents those that it lists.
	Lines     []map[string]string `json:"lines"`
	Documents []Document          `json:"documents"`
	// Looks is what each selector met.
	Looks []tasks.Look `json:"looks"`
	// Picture is a file in Probe.Dir, or empty, and NoPicture says why.
	Picture   string `json:"picture,omitempty"`
	NoPicture string `json:"no_picture,omitempty"`
	// Unframed counts the elements that are not in the picture.
	Unframed int      `json:"unframed,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

// Value is what a field has read.
type Value struct {
	tasks.Field
	// Column is what it was held against, and Equal whether that says the same; nil where nothing
	// was compared.
	Column string `json:"column,omitempty"`
	Sheet  string `json:"sheet,omitempty"`
	Equal  *bool  `json:"equal,omitempty"`
}

// Document is one that an order lists. None was downloaded.
type Document struct {
	Name  string         `json:"name"`
	URL   string         `json:"url,omitempty"`
	Error *tasks.Failure `json:"error,omitempty"`
}

// Selector is what a selector has met on all pages, numbered as in the pictures.
type Selector struct {
	N int `json:"n"`
	report.Selector
	// Line and Column are its place in the recipe's file, or 0.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Kind says what it means if it meets nothing: a warning or a note.
	Kind tasks.SelectorKind `json:"kind"`
	// Elements are how many it met, by orders.
	Elements map[string]int `json:"elements"`
	portal   string
}

// Suggestion says what a selector that met nothing could be. Nothing is changed by itself.
type Suggestion struct {
	Recipe   string `json:"recipe,omitempty"`
	Where    string `json:"where"`
	Selector string `json:"selector"`
	Line     int    `json:"line,omitempty"`
	Pages    int    `json:"pages"`
	// Unsearched are how many of them are too large to be searched for others.
	Unsearched int         `json:"unsearched"`
	Candidates []Candidate `json:"candidates"`
	// Tie: nothing says which of the first two is right.
	Tie bool `json:"tie"`
}

// Candidate is what a selector could be: a selector, or a label.
type Candidate struct {
	Selector string `json:"selector,omitempty"`
	Label    string `json:"label,omitempty"`
	Under    string `json:"under,omitempty"`
	// Met is on how many of the pages it finds something, Elements how many on all of them.
	Met      int `json:"met"`
	Elements int `json:"elements"`
	// Equal is on how many of Compared pages it says what Column does.
	Column   string   `json:"column,omitempty"`
	Equal    int      `json:"equal"`
	Compared int      `json:"compared"`
	Reads    []string `json:"reads"`
}
