// Package learn drafts recipes. A sheet says of each order what its supplier and its amount are;
// a page shows these somewhere; so by what the values of some orders' pages are found, the others'
// are found as well. It works on descriptions of pages (scrape.Description) and a sheet's cells alone:
// it opens nothing, and asks nobody.
//
// It never votes. A value has a place on the page where what stands there is the cell's on nearly
// every page that was looked at, and no other place is right where this one is not; a page that
// disagrees is a finding about the sheet. A field is sure only if several locators of different
// kinds (what people read, names in the markup) show the same on every page, the values differ
// from order to order, and no other place shows the same ones. All else is for a person to look at.
//
//	Choose --> pages are opened --> Learn --> Draft --> orders are read --> Check
package learn
