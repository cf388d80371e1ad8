// Package orders is the way in: the rows of a sheet become purchase orders.
//
// Read takes a CSV or TSV file of any common encoding and delimiter, or a sheet of
// an .xlsx workbook, finds the header and the columns by their names, gives each row a canonical order number and an
// address, and puts the rows that mean the same order together. Every row that
// is not blank ends in exactly one task: a row that cannot be used becomes a
// task of its own that says why (tasks.Spec.Invalid), and never stops the others.
// Only a file that cannot be read at all is an error, a *FileError.
//
// The cells of a row are kept verbatim, so that the rows that did not end well
// can be written down again and are valid input for the next run.
//
// The package opens no page and decides nothing about how an order is worked
// on.
//
// # Order numbers
//
// A row has a raw number, as written, and a canonical one: Unicode form NFKC,
// without spaces and invisible characters, in upper case, and with the marks of
// spreadsheets undone (a leading apostrophe, ="0012", 15262984.0). What has
// lost digits, such as 1.5E+07, is refused. Leading zeros count: spreadsheets
// drop them and never add any, so 0012 and 12 may be two orders. Hyphens,
// slashes and dots inside a number stay.
//
// # Which rows are one order
//
//   - Rows with the same canonical number are one order, unless their URLs differ.
//   - A number without a prefix (123) is the one with a prefix (PO123), if
//     exactly one such number is in the file. PO123 is then the order's number.
//     If PM123 is there as well, or the URLs differ, 123 is an order of its own.
//   - A row without a URL joins the rows of the same number, if these have one
//     URL between them; or else, if there is none, the rows of the number with
//     (without) the prefix, on the same condition. If there are several URLs to
//     choose from, none is chosen: the row gets its address from the template,
//     and without a template it cannot be used.
//
// A merged order has the highest priority of its rows, and the first supplier,
// amount, currency and buyer that one of them names.
package orders
