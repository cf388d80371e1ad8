// Package sqlite declares what poscrape uses of the package whose place it takes in make vet. A
// use that is not declared here fails to compile there.
package sqlite

// Error is an error of SQLite.
type Error struct{ code int }

func (e *Error) Error() string { return "" }

// Code returns SQLite's extended result code.
func (e *Error) Code() int { return e.code }
