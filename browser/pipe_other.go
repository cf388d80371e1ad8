//go:build !linux

package browser

import (
	"io"
	"os"
)

// widen: the size of a pipe cannot be chosen here.
func widen(*os.File) {}

// unwatched returns a pipe's end for messages.
func unwatched(pipe *os.File) (io.ReadWriteCloser, error) { return pipe, nil }
