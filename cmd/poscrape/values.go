package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/poscrape/poscrape/session"
)

// choice is a flag with a fixed set of values.
type choice[T ~string] struct {
	value   *T
	allowed []T
}

func (c choice[T]) String() string {
	if c.value == nil {
		return ""
	}
	return string(*c.value)
}

// Type returns the values, as the help shows them.
func (c choice[T]) Type() string { return strings.Join(c.names(), "|") }

func (c choice[T]) Set(text string) error {
	if !slices.Contains(c.allowed, T(text)) {
		return fmt.Errorf("%s is not one of %s", quote(text), strings.Join(c.names(), ", "))
	}
	*c.value = T(text)
	return nil
}

func (c choice[T]) names() []string {
	names := make([]string, len(c.allowed))
	for i, value := range c.allowed {
		names[i] = string(value)
	}
	return names
}

// urlTemplate is a flag with the template of addresses. Found says that it was set only in a file of settings that
// nobody has named or allowed.
type urlTemplate struct {
	url   *string
	found *bool
}

func (u *urlTemplate) String() string {
	if u.url == nil {
		return ""
	}
	return *u.url
}

// Type is what the help calls the value.
func (u *urlTemplate) Type() string { return "string" }

func (u *urlTemplate) Set(text string) error {
	*u.url, *u.found = text, false
	return nil
}

// recipeFiles is a flag that may be repeated: the first file, and what is named besides.
type recipeFiles struct {
	first *string
	more  *[]string
}

func (r *recipeFiles) String() string {
	if r.first == nil {
		return ""
	}
	return strings.Join(append([]string{*r.first}, *r.more...), " ")
}

// GetSlice returns what Set was told.
func (r *recipeFiles) GetSlice() []string {
	if *r.first == "" {
		return nil
	}
	return append([]string{*r.first}, *r.more...)
}

// Type is the name of the value, as the help shows it.
func (*recipeFiles) Type() string { return "FILE" }

func (r *recipeFiles) Set(file string) error {
	switch {
	case file == "": // the built-in one, if no other is named
	case *r.first == "":
		*r.first = file
	default:
		*r.more = append(*r.more, file)
	}
	return nil
}

// size is a number of bytes, written as 500MB, 1GB or 512KiB.
type size int64

func (s *size) String() string {
	if *s == 0 {
		return "0"
	}
	return strings.NewReplacer(" ", "", ".0", "").Replace(humanize.Bytes(uint64(*s)))
}

func (s *size) Type() string { return "SIZE" }

func (s *size) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n > math.MaxInt64 {
		return fmt.Errorf("%s is not a size such as 500MB, 1GB or 512KiB", quote(text))
	}
	*s = size(n)
	return nil
}

// someSize is a size that is more than nothing.
type someSize int64

func (s *someSize) String() string { return (*size)(s).String() }

func (s *someSize) Type() string { return "SIZE" }

func (s *someSize) Set(text string) error {
	var n size
	if err := n.Set(text); err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("%s leaves no room at all", quote(text))
	}
	*s = someSize(n)
	return nil
}

// compared says for fields which column they are compared with: FIELD=COLUMN, again and
// again, or none. It is a pflag.SliceValue.
type compared struct{ columns *map[string]string }

func (c compared) String() string {
	if c.columns == nil {
		return ""
	}
	return strings.Join(c.GetSlice(), ",")
}

// GetSlice returns what Set was told.
func (c compared) GetSlice() []string {
	var list []string
	for _, field := range slices.Sorted(maps.Keys(*c.columns)) {
		list = append(list, strings.TrimPrefix(field+"="+(*c.columns)[field], "="))
	}
	return list
}

// Append adds to what Set was told.
func (c compared) Append(text string) error { return c.Set(text) }

// Replace forgets what Set was told, and takes this instead.
func (c compared) Replace(list []string) error {
	*c.columns = nil
	for _, text := range list {
		if err := c.Set(text); err != nil {
			return err
		}
	}
	return nil
}

func (c compared) Type() string { return "FIELD=COLUMN" }

func (c compared) Set(text string) error {
	field, column, found := strings.Cut(text, "=")
	field, column = strings.TrimSpace(field), strings.TrimSpace(column)
	switch {
	case text == session.CompareNone:
		field, column = "", session.CompareNone
	case !found || field == "" || column == "":
		return fmt.Errorf("%s does not say which field is compared with which column: write it as total=Amount, or none", quote(text))
	}
	if *c.columns == nil {
		*c.columns = map[string]string{}
	}
	if earlier, twice := (*c.columns)[field]; twice && earlier != column {
		return fmt.Errorf("%s is given twice, as %s and as %s", field, quote(earlier), quote(column))
	}
	(*c.columns)[field] = column
	if _, none := (*c.columns)[""]; none && len(*c.columns) > 1 {
		return errors.New("none compares no field, so it stands alone")
	}
	return nil
}

// columns says for roles which column has them: po=NAME, again and again.
type columns map[string]string

func (c columns) String() string {
	var list []string
	for _, role := range slices.Sorted(maps.Keys(c)) {
		list = append(list, role+"="+c[role])
	}
	return strings.Join(list, ",")
}

// GetSlice returns what Set was told.
func (c columns) GetSlice() []string {
	var list []string
	for _, role := range slices.Sorted(maps.Keys(c)) {
		list = append(list, role+"="+c[role])
	}
	return list
}

func (c columns) Type() string { return "po=NAME" }

func (c columns) Set(text string) error {
	role, name, found := strings.Cut(text, "=")
	role = strings.TrimSpace(role)
	if !found || role == "" || strings.TrimSpace(name) == "" {
		return fmt.Errorf("%s does not say which column is which: write it as po=NAME", quote(text))
	}
	if earlier, twice := c[role]; twice && earlier != name {
		return fmt.Errorf("%s is given twice, as %s and as %s", role, quote(earlier), quote(name))
	}
	c[role] = name
	return nil
}
