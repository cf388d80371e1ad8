package browser

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/fetch"
	cdpio "github.com/chromedp/cdproto/io"
	"github.com/google/uuid"
)

// chunkSize is how much of a body one protocol message brings: large enough that
// messages do not matter, small enough that several lanes need little memory.
const chunkSize = 1 << 20

// stream writes the body of a paused answer to a directory, and ends the request.
func (l *lane) stream(ctx context.Context, e *fetch.EventRequestPaused, dir string, h head) (*File, error) {
	body, err := call(ctx, l.tab, fetch.TakeResponseBodyAsStream, fetch.TakeResponseBodyAsStreamParams{RequestID: e.RequestID})
	if err != nil {
		return nil, errors.Join(err, l.refuse(ctx, e))
	}
	file, err := l.receive(ctx, body.Stream, h, dir)
	if refuseErr := l.refuse(ctx, e); refuseErr != nil && file != nil {
		return nil, errors.Join(refuseErr, file.Remove())
	}
	return file, err
}

// receive writes a body whose length was announced to a directory. Fewer bytes, and others
// than those of the checksum that came with them, are a *DownloadError.
func (l *lane) receive(ctx context.Context, body cdpio.StreamHandle, h head, dir string) (file *File, err error) {
	announced, sums := h.announced(), h.digests()
	file = &File{Path: filepath.Join(cmp.Or(dir, l.browser.cfg.DownloadDir), uuid.NewString()),
		URL: h.url, Type: h.get("Content-Type"), Announced: announced, Validators: h.validators()}
	if dir == "" {
		file.below = l.browser.cfg.chromes()
	}
	stored := file
	f, err := os.OpenFile(stored.Path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("storing a document: %w", err), l.shut(ctx, body))
	}
	defer func() {
		// Until it is closed, Chrome keeps what it has sent.
		err = errors.Join(err, f.Close(), l.shut(ctx, body))
		if err != nil {
			err = errors.Join(err, stored.Remove())
			file = nil
		}
	}()
	hash := sha256.New()
	for file.Size < announced {
		chunk, err := l.read(ctx, body)
		if errors.Is(err, errStalled) {
			if err := l.browser.confirm(ctx); err != nil {
				return nil, err
			}
			return nil, &DownloadError{Kind: KindStalled, URL: h.url, Received: file.Size, Announced: announced, After: l.browser.cfg.StallTimeout}
		}
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(chunk.Data); err != nil {
			return nil, fmt.Errorf("storing a document: %w", err)
		}
		hash.Write(chunk.Data)
		sums.write(chunk.Data)
		file.Size += int64(len(chunk.Data))
		if chunk.EOF {
			break
		}
	}
	if file.Size != announced {
		return nil, &DownloadError{Kind: KindCut, URL: h.url, Received: file.Size, Announced: announced}
	}
	if name := sums.differs(); name != "" {
		return nil, &DownloadError{Kind: KindDigest, URL: h.url, Received: file.Size, Announced: announced, Text: name}
	}
	file.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return file, nil
}

var errStalled = errors.New("stalled")

// read waits for the next chunk, for at most the stall timeout.
func (l *lane) read(ctx context.Context, stream cdpio.StreamHandle) (cdpio.ReadResult, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, l.browser.cfg.StallTimeout, errStalled)
	defer cancel()
	return call(ctx, l.tab, cdpio.Read, cdpio.ReadParams{Handle: stream, Size: chunkSize})
}
