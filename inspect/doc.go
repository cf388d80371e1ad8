// Package inspect says what is inside a document: of which form its bytes are, and
// whether they are all there. Bytes go in and facts come out. It knows no portal, no
// name and no announced type, and decides nothing about an order.
//
// [Sniff] looks at the first bytes, [ContentOf] into containers, [End] at the whole file. A
// file that has been cut lacks what its form puts last, such as a PDF's trailer or a ZIP's
// directory; forms that put nothing there, such as CSV, cannot tell.
package inspect
