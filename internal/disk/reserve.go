package disk

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"

	"github.com/poscrape/poscrape/internal/nofollow"
)

const (
	// reserveName is the reserve file's, in the session folder.
	reserveName = ".reserve"
	// reserveBytes is how large it is at least, and reserveBytesPerOrder what is
	// added for each order: a report needs about half of that, half of it only while its
	// workbook is made, and a ledger less.
	reserveBytes, reserveBytesPerOrder = 4_000_000, 8_000
	// reserveShare of what is free is what the reserve file takes at most.
	reserveShare = 4
)

const reserveText = "This file holds room for poscrape's ledger and report, for the case that the disk runs full.\n" +
	"It is removed when that happens, and at the end of the session. The rest is filling.\n"

// Reserve is a file in the session folder that takes room which the session can
// give itself when nothing else is left.
type Reserve struct {
	mu   sync.Mutex
	root *os.Root
	// filled is closed when Fill has ended, and is nil before it.
	filled chan struct{}
}

// Fill makes the file, for a session with so many orders, of which so many bytes
// are free. What a killed session has left of one is replaced.
func (r *Reserve) Fill(root *os.Root, orders int, free int64) error {
	filled := make(chan struct{})
	defer close(filled)
	r.mu.Lock()
	r.root, r.filled = root, filled
	r.mu.Unlock()
	size := int64(reserveBytes + orders*reserveBytesPerOrder)
	f, err := nofollow.Create(root, reserveName, 0o600)
	if err != nil {
		return fmt.Errorf("making %s: %w", reserveName, err)
	}
	// Noise takes its room on file systems that compress, too.
	content := io.MultiReader(strings.NewReader(reserveText), rand.NewChaCha8([32]byte{}))
	_, err = io.CopyN(f, content, min(size, free/reserveShare))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = root.Remove(reserveName)
		return fmt.Errorf("filling %s: %w", reserveName, err)
	}
	return nil
}

// Take takes over the file that a killed session may have left.
func (r *Reserve) Take(root *os.Root) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.root = root
}

// Spend removes the file, if there is one, and waits until Fill has ended for that. When it
// returns, the room is there.
func (r *Reserve) Spend() {
	r.mu.Lock()
	root, filled := r.root, r.filled
	r.mu.Unlock()
	if filled != nil {
		<-filled
	}
	if root != nil {
		_ = root.Remove(reserveName) // what cannot be removed gives no room
	}
}
