package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdpio "github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/page"
	"github.com/google/uuid"
)

// AsPrinted has the page shown as it is on paper of that width, by its own styles for that, until it is
// called with 0, for the pages after it too. Where it returns an error, TidyUp replaces the tab.
func (t *Tab) AsPrinted(ctx context.Context, width int) error {
	params := emulation.SetEmulatedMediaParams{}
	if width > 0 {
		params.Media = "print"
	}
	_, err := call(ctx, t, emulation.SetEmulatedMedia, params)
	if err == nil {
		err = t.widen(ctx, width)
	}
	if err != nil {
		t.givenUp.Store(true)
		return fmt.Errorf("showing the page as it is printed: %w", err)
	}
	return nil
}

// widen gives the page a width, or with 0 that of all pages.
func (t *Tab) widen(ctx context.Context, width int) (err error) {
	i := t.browser.cfg.Identity
	switch shell := t.browser.cfg.Chrome.HeadlessShell; {
	case width > 0:
		_, err = call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: int64(width), Height: int64(i.height()), DontSetVisibleSize: &shell})
	case shell:
		err = t.drawLittle(ctx)
	case i.Width != 0:
		err = t.identify(ctx)
	default:
		_, err = call(ctx, t, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	}
	return err
}

// Print writes the page that the tab shows to a new file in dir, as a PDF: with its backgrounds, and on
// paper of the size that its styles ask for. The same page gives the same bytes, whenever it is
// printed. Print blocks until the page's own scripts have prepared it, which may take for ever: when ctx ends
// first, what they do is given up, and the page with it. It returns ErrNavigated when the page goes away
// meanwhile, and a *DownloadError for more bytes than maxSize.
func (t *Tab) Print(ctx context.Context, dir string, maxSize int64) (*File, error) {
	ctx, free := t.refuseSpinning(ctx)
	defer free()
	t.mu.Lock()
	shows, address := t.committed, ""
	if t.document != nil {
		address = t.document.URL
	}
	t.mu.Unlock()
	yes := true
	res, err := call(ctx, t, page.PrintToPDF, page.PrintToPDFParams{PrintBackground: &yes, PreferCSSPageSize: &yes,
		TransferMode: page.PrintToPDFTransferModeReturnAsStream})
	if err != nil {
		if ctx.Err() != nil {
			t.givenUp.Store(true)
		}
		return nil, fmt.Errorf("printing the page: %w", err)
	}
	file, err := t.receivePrint(ctx, res.Stream, dir, address, maxSize)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	same := t.committed == shows
	t.mu.Unlock()
	if !same {
		return nil, errors.Join(fmt.Errorf("printing the page: %w", ErrNavigated), file.Remove())
	}
	return file, nil
}

// receivePrint writes a print to a file.
func (t *Tab) receivePrint(ctx context.Context, stream cdpio.StreamHandle, dir, address string, maxSize int64) (file *File, err error) {
	path := filepath.Join(dir, uuid.NewString())
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	defer func() { // until it is closed, Chrome keeps all of it
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dialogTimeout)
		defer cancel()
		_, closeErr := call(ctx, t, cdpio.Close, cdpio.CloseParams{Handle: stream})
		if f == nil {
			return
		}
		if err = errors.Join(err, closeErr, f.Close()); err != nil {
			file, err = nil, errors.Join(err, os.Remove(path))
		}
	}()
	if err != nil {
		return nil, fmt.Errorf("storing a print: %w", err)
	}
	var size int64
	for {
		chunk, err := call(ctx, t, cdpio.Read, cdpio.ReadParams{Handle: stream, Size: chunkSize})
		if err != nil {
			return nil, fmt.Errorf("printing the page: %w", err)
		}
		if size += int64(len(chunk.Data)); size > maxSize {
			return nil, &DownloadError{Kind: KindTooLarge, URL: address, Received: size, Announced: -1, Limit: maxSize}
		}
		if _, err := f.Write(chunk.Data); err != nil {
			return nil, fmt.Errorf("storing a print: %w", err)
		}
		if chunk.EOF {
			break
		}
	}
	if err := undate(f, size); err != nil {
		return nil, fmt.Errorf("storing a print: %w", err)
	}
	return &File{Path: path, URL: address, Size: size, Type: "application/pdf", Announced: -1}, nil
}

// printDate is a date of when a PDF was made, as Chrome writes it: in the first object of the file.
var printDate = regexp.MustCompile(`/(?:CreationDate|ModDate) ?\(D:(\d{14})`)

// printDated is how much of the file's beginning may hold those dates.
const printDated = 64 << 10

// undate gives the dates of when a print was made the same digits in each.
func undate(f *os.File, size int64) error {
	head := make([]byte, min(size, printDated))
	if _, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	info, _, _ := bytes.Cut(head, []byte("endobj"))
	for _, at := range printDate.FindAllSubmatchIndex(info, -1) {
		if _, err := f.WriteAt([]byte("20000101000000"), int64(at[2])); err != nil {
			return err
		}
	}
	return nil
}
