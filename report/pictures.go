package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	_ "image/png" // what screenshots are
	"io"
	"os"
	"path"
	"strings"

	"github.com/poscrape/poscrape/internal/nofollow"
)

// What the pictures that report.html carries may take, so that it can be mailed.
const (
	maxPictures     = 48
	maxPictureBytes = 2 << 20
	// pictureWidth and pictureHeight bound each of them, in pixels.
	pictureWidth, pictureHeight = 640, 480
	pictureQuality              = 62
	// maxScreenshot bounds the file, and maxScreenshotPixels the picture that it holds.
	maxScreenshot       = 16 << 20
	maxScreenshotPixels = 30 << 20
)

// picture is a screenshot, small enough to travel in the page.
type picture struct {
	// Evidence is its path below the session folder.
	Evidence string
	// Of says what it shows.
	Of            string
	Data          string
	Width, Height int
}

// album reads the pictures that the page carries, as long as there is room for them.
type album struct {
	root  *os.Root
	by    map[string]*picture
	bytes int
	// left counts those for which there was no room.
	left int
}

// openAlbum returns an album of the evidence in a folder. It is empty where there is none.
func openAlbum(folder string) *album {
	a := &album{by: map[string]*picture{}}
	if folder == "" {
		return a
	}
	a.root, _ = os.OpenRoot(folder) // without it, the page has links alone
	return a
}

func (a *album) close() error {
	if a.root == nil {
		return nil
	}
	return a.root.Close()
}

// picture returns a screenshot among an order's evidence, the latest that can be had, or nil.
func (a *album) picture(o order) *picture {
	for i := len(o.Attempts) - 1; i >= 0; i-- {
		for _, name := range o.Attempts[i].Evidence {
			if isPicture(name) {
				if p := a.take(name, o.Name()); p != nil {
					return p
				}
			}
		}
	}
	return nil
}

func (a *album) take(name, of string) *picture {
	if p, known := a.by[name]; known {
		return p
	}
	if a.root == nil || fileLink(name) == "" {
		return nil
	}
	if len(a.by) >= maxPictures || a.bytes >= maxPictureBytes {
		a.left++
		return nil
	}
	p, err := a.read(name)
	if err != nil || a.bytes+len(p.Data) > maxPictureBytes {
		return nil // what cannot be shown is still a link
	}
	p.Of = of
	a.by[name], a.bytes = p, a.bytes+len(p.Data)
	return p
}

func (a *album) read(name string) (*picture, error) {
	info, err := nofollow.Lstat(a.root, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxScreenshot {
		return nil, fmt.Errorf("%s is not a file, or too large", name)
	}
	f, err := a.root.Open(path.Clean(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxScreenshot))
	if err != nil {
		return nil, err
	}
	small, err := shrink(data)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, small, &jpeg.Options{Quality: pictureQuality}); err != nil {
		return nil, err
	}
	return &picture{Evidence: name, Data: "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(out.Bytes()),
		Width: small.Rect.Dx(), Height: small.Rect.Dy()}, nil
}

// shrink returns the upper part of a picture, as small as the page shows it.
func shrink(data []byte) (*image.RGBA, error) {
	bounds, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if bounds.Width < 1 || bounds.Height < 1 || bounds.Width*bounds.Height > maxScreenshotPixels {
		return nil, fmt.Errorf("a picture of %d x %d", bounds.Width, bounds.Height)
	}
	whole, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	from := whole.Bounds()
	scale := max(1, float64(from.Dx())/pictureWidth)
	width := max(1, int(float64(from.Dx())/scale))
	height := min(pictureHeight, max(1, int(float64(from.Dy())/scale)))
	// On white, and no more of it than is shown.
	upper := image.NewRGBA(image.Rect(0, 0, from.Dx(), min(from.Dy(), int(float64(height)*scale)+1)))
	draw.Draw(upper, upper.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(upper, upper.Rect, whole, from.Min, draw.Over)
	small := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			small.SetRGBA(x, y, average(upper, image.Rect(
				int(float64(x)*scale), int(float64(y)*scale),
				max(int(float64(x)*scale)+1, int(float64(x+1)*scale)),
				max(int(float64(y)*scale)+1, int(float64(y+1)*scale))).Intersect(upper.Rect)))
		}
	}
	return small, nil
}

// average returns the mean colour of a part of an opaque picture.
func average(of *image.RGBA, part image.Rectangle) color.RGBA {
	var r, g, b, n uint32
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for row := of.Pix[of.PixOffset(part.Min.X, y):of.PixOffset(part.Max.X, y)]; len(row) > 0; row = row[4:] {
			r, g, b, n = r+uint32(row[0]), g+uint32(row[1]), b+uint32(row[2]), n+1
		}
	}
	if n == 0 {
		return color.RGBA{A: 0xff}
	}
	return color.RGBA{R: uint8(r / n), G: uint8(g / n), B: uint8(b / n), A: 0xff}
}

// isPicture reports whether a browser can show the file as an image.
func isPicture(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".webp":
		return true
	}
	return false
}
