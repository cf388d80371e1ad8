package documents

import "os"

// syncFile: Windows keeps the names of a directory durable by itself, and does
// not let it be synced.
func syncFile(*os.File) error { return nil }
