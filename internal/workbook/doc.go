// Package workbook reads what is stored in the cells of an Excel workbook
// (.xlsx, .xlsm): not how a cell is shown, but whether it holds a text, a
// number, a date, or a formula whose value nobody has stored. Zeros that a
// number format puts before a whole number are kept, and dates are written
// YYYY-MM-DD.
//
// A sheet is read in one pass, in memory that grows with its filled cells, not
// with its dimensions. What is broken is an error and never the end of the sheet:
// a row that is lost in silence would be worse.
//
// The package writes no workbook, and does not know what the rows are for.
package workbook
