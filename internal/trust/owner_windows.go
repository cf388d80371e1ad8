package trust

import "io/fs"

// Others says why a file is not only this user's own. Windows keeps no owner's rights in its mode.
func Others(fs.FileInfo) string { return "" }
