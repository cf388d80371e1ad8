// Package filename makes names for files and folders that are safe on Windows,
// macOS and Linux: of what a portal calls a document, of what a page says of an
// order, and of the order's number. A safe name is one level of a path, hides
// nothing, is no device, and does not end in what some system drops. It still
// shows what it is a name of.
//
// Names that differ for a program can be one for a file system; Key says which
// are. Unique and Folders distinguish such names with "~2", "~3" and so on.
//
// The package touches no file, and knows nothing of what a folder has in it.
package filename
