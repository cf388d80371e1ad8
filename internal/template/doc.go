// Package template fills in the templates that people write: the URL of an
// order's page, wherever it is given, and the folder of its documents. Between
// { and } stands the name of a placeholder:
//
//	{po}           the order's canonical number
//	{digits}       the number without its prefix
//	{column:NAME}  the row's cell in the column NAME
//	{base_url}     the portal's address, in a URL
//
// A URL is checked when it is read, so that a template that cannot work is
// known before the first order. Its scheme and host stand in the template and
// never come from a row; what does is escaped, so that it is one segment of the
// path or one value of the query. A placeholder without a value is an error.
//
// The package opens nothing, and decides neither what a folder's other
// placeholders stand for nor what is safe in its name. Its errors go on after
// the template's name: "has a { without its }".
package template
