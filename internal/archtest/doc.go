// Package archtest holds the test that keeps the import graph of the project.
//
// The graph is one table, rules, in rules_test.go: for each package the packages
// of ours and the modules of others that it may import. The test reads the
// imports of every Go file, whatever system it is built for, and fails for an
// import that the table does not name, for a package that the table does not
// know, and for a row whose package is gone.
//
// Whoever needs a new import adds it to the table, and so asks the question that the
// graph is there for: does this line belong in this package?
package archtest
