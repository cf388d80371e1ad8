package documents

import (
	"cmp"
	"os"
	"path/filepath"
)

// setMark writes the stream of the file that Windows looks at: zone 3 is the internet. It stays with the
// file when that is renamed.
func (s *Store) setMark(name, origin string) {
	text := "[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=" + cmp.Or(origin, "about:internet") + "\r\n"
	_ = os.WriteFile(filepath.Join(s.Dir, name)+":Zone.Identifier", []byte(text), 0o600)
}
