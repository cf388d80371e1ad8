// Package sqlite3 declares SQLite's result codes that poscrape tells apart.
package sqlite3

// The values are SQLite's, see https://sqlite.org/rescode.html.
const (
	SQLITE_PERM     = 3
	SQLITE_BUSY     = 5
	SQLITE_NOMEM    = 7
	SQLITE_READONLY = 8
	SQLITE_IOERR    = 10
	SQLITE_CORRUPT  = 11
	SQLITE_FULL     = 13
	SQLITE_CANTOPEN = 14
	SQLITE_PROTOCOL = 15
	SQLITE_NOTADB   = 26
)
