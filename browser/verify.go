package browser

import (
	"context"
	"errors"
)

// downloaded waits for a download whose answer was accepted. It fails where the answer
// has announced another size, or another checksum.
func (l *lane) downloaded(ctx context.Context, download *Download, h head, maxSize int64) (*File, error) {
	stop := l.letFail(ctx)
	file, err := l.browser.Wait(ctx, download, maxSize)
	stop()
	if err != nil {
		return nil, err
	}
	if err := file.verify(h); err != nil {
		return nil, errors.Join(err, file.Remove())
	}
	return file, nil
}

// letFail has a download end whose connection is cut, until stop is called: Chrome pauses
// the end of a request that fails behind its answer, as it pauses the answer.
func (l *lane) letFail(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case e := <-l.paused:
				_ = l.refuse(ctx, e) // an error means that it has ended
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// had returns the file of a download that is complete, compared with what the page's own
// account tells of its answer. A lane knows more of it, see verify.
func (b *Browser) had(d *Download) (*File, error) {
	received, _, _, _ := d.snapshot()
	f := b.fileOf(d)
	f.Suggested, f.Unnamed, f.URL, f.Size, f.Announced = d.Suggested, d.Suggested == SuggestName("", d.URL, ""), d.URL, received, -1
	h, known := b.Tab().headOf(d.URL)
	switch {
	case known && h.partial():
		return nil, errors.Join(&DownloadError{Kind: KindPartial, URL: d.URL, Status: h.status, Text: h.get("Content-Range")}, f.Remove())
	case known:
		if err := f.verify(h); err != nil {
			return nil, errors.Join(err, f.Remove())
		}
	case d.announced >= 0:
		f.Announced = d.announced
	}
	return f, nil
}

// verify compares a download with what its answer has announced, and notes that.
func (f *File) verify(h head) error {
	f.URL, f.Type, f.Announced, f.Validators = h.url, h.get("Content-Type"), h.announced(), h.validators()
	f.Unproven, f.NeedsProof = h.unproven(), !h.ends()
	f.Unnamed = dispositionName(h.get("Content-Disposition"), "") == "" && f.Suggested == SuggestName("", h.url, "")
	if f.Announced >= 0 && f.Size != f.Announced {
		return &DownloadError{Kind: KindCut, URL: h.url, Received: f.Size, Announced: f.Announced}
	}
	sums := h.digests()
	if err := sums.file(f); err != nil {
		return err
	}
	if name := sums.differs(); name != "" {
		return &DownloadError{Kind: KindDigest, URL: h.url, Received: f.Size, Announced: f.Announced, Text: name}
	}
	if len(sums) > 0 {
		f.Unproven, f.NeedsProof = "", false
	}
	return nil
}
