package signin

import "io/fs"

// openToOthers says nothing: permissions on Windows are lists, which lie with the folder.
func openToOthers(string, fs.FileMode) string { return "" }
