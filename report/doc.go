// Package report is the way out: what a session has found, as JSON, as CSV, as a workbook and
// as a page for people, written from the session's own record and nothing else.
//
// It works the same for a session that is finished, stopped or still running.
// It decides nothing, starts nothing and reads no page and no document; whoever
// has a Source can write a report.
//
//	             one pass
//	Source --> Build --+--> tally   counts, rates and percentiles
//	                   +--> packed  the tasks, as compressed JSON
//	                   `--> rows    the input's rows, by line
//	                          |
//	                        Report --> WriteJSON, WriteHTML,
//	                                   WriteResultsCSV, WriteWorkbook,
//	                                   WriteFailedCSV
//
// Because tasks are read once, every number of a report agrees with every
// other, also while the session goes on. Because they are kept compressed, a
// report of 100,000 orders needs some tens of megabytes; no writer holds more
// than one task at a time.
//
// The layout of report.json is described by docs/report.schema.json.
package report
