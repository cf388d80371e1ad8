package check

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/poscrape/poscrape/scrape"
)

const (
	// pictureWidth and pictureHeight bound a picture, in pixels: a page of any length is one that
	// can be opened and sent.
	pictureWidth, pictureHeight = 2400, 8000
	// framedOfOne is how many elements of one selector are framed; of the first the name is shown.
	framedOfOne = 100
	thickness   = 2
	nameSize    = 12
)

// colours tell selectors apart that stand side by side.
var colours = []color.RGBA{
	{200, 30, 30, 255}, {20, 90, 200, 255}, {20, 130, 50, 255}, {170, 80, 0, 255},
	{130, 30, 160, 255}, {0, 120, 130, 255}, {180, 0, 100, 255}, {80, 80, 80, 255},
}

// picture puts the picture of an order's page into the folder, with what the selectors have met in
// frames. What keeps one from being there is said in the order; an error is one of the disk.
func (v *visitor) picture(order *Order, name string, view *scrape.View) error {
	content, unframed, why := framed(view, v.numbers())
	order.Unframed, order.NoPicture = unframed, why
	if content == nil {
		return nil
	}
	file := name + ".png"
	if err := os.WriteFile(filepath.Join(v.dir, file), content, 0o600); err != nil {
		_ = os.Remove(filepath.Join(v.dir, file))
		return fmt.Errorf("writing a picture: %w", err)
	}
	order.Picture = file
	return nil
}

// framed returns the picture of a page, as a PNG, with what the selectors have met in frames, and
// how many elements have none; or why there is no picture. The frames are drawn here and not in
// the page, which could draw some of its own.
func framed(view *scrape.View, numbers map[string]int) (content []byte, unframed int, why string) {
	if view == nil {
		return nil, 0, "no page was shown"
	}
	if len(view.Picture) == 0 {
		return nil, 0, view.NoPicture
	}
	page, err := png.Decode(bytes.NewReader(view.Picture))
	if err != nil {
		return nil, 0, fmt.Sprintf("Chrome's picture cannot be read: %v", err)
	}
	canvas := image.NewRGBA(page.Bounds())
	draw.Draw(canvas, canvas.Bounds(), page, page.Bounds().Min, draw.Src)
	unframed = frameAll(canvas, view.Sights, numbers)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, canvas); err != nil {
		return nil, 0, fmt.Sprintf("the picture cannot be written: %v", err)
	}
	return out.Bytes(), unframed, ""
}

// numbers returns the numbers of the selectors, by their places.
func (v *visitor) numbers() map[string]int {
	numbers, n := map[string]int{}, 0
	for _, r := range v.recipes {
		for _, s := range scrape.NewPortal(r.Recipe, nil).Selectors() {
			if n++; r.Portal == v.recipe.Portal {
				numbers[plainWhere(s.Where)] = n
			}
		}
	}
	return numbers
}

// frameName is the name beside a frame.
func frameName(where string, numbers map[string]int) string {
	where = plainWhere(where)
	if n := numbers[where]; n > 0 {
		return fmt.Sprintf("%d %s", n, where)
	}
	return where
}

// frameAll frames and names what the selectors have met, and returns how many elements are not
// in the picture, or nobody sees.
func frameAll(canvas *image.RGBA, sights []scrape.Sight, numbers map[string]int) (unframed int) {
	for i, s := range sights {
		name, colour, named := frameName(s.Where, numbers), colours[i%len(colours)], false
		unframed += s.Met - min(len(s.Elements), framedOfOne)
		for _, el := range s.Elements[:min(len(s.Elements), framedOfOne)] {
			box := image.Rect(int(el.X), int(el.Y), int(el.X+el.Width), int(el.Y+el.Height)).Inset(-thickness)
			if !el.Seen || el.Width <= 0 || el.Height <= 0 || !box.Overlaps(canvas.Bounds()) {
				unframed++
				continue
			}
			frame(canvas, box, colour)
			if !named {
				writeName(canvas, box, name, colour)
				named = true
			}
		}
	}
	return unframed
}

func frame(canvas *image.RGBA, box image.Rectangle, colour color.RGBA) {
	for _, side := range []image.Rectangle{
		{box.Min, image.Pt(box.Max.X, box.Min.Y+thickness)}, {image.Pt(box.Min.X, box.Max.Y-thickness), box.Max},
		{box.Min, image.Pt(box.Min.X+thickness, box.Max.Y)}, {image.Pt(box.Max.X-thickness, box.Min.Y), box.Max},
	} {
		draw.Draw(canvas, side.Intersect(canvas.Bounds()), image.NewUniform(colour), image.Point{}, draw.Src)
	}
}

var letters = sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(goregular.TTF) })

// writeName writes a name above the frame, or within where there is no room.
func writeName(canvas *image.RGBA, box image.Rectangle, name string, colour color.RGBA) {
	parsed, err := letters()
	if err != nil {
		return
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: nameSize, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return
	}
	defer face.Close()
	name = strings.ToValidUTF8(name, "?")
	width, height := font.MeasureString(face, name).Ceil()+6, nameSize+4
	at := image.Pt(max(0, min(box.Min.X, canvas.Bounds().Max.X-width)), box.Min.Y-height)
	if at.Y < 0 {
		at.Y = max(0, box.Min.Y)
	}
	tag := image.Rectangle{at, at.Add(image.Pt(width, height))}
	draw.Draw(canvas, tag.Intersect(canvas.Bounds()), image.NewUniform(colour), image.Point{}, draw.Src)
	(&font.Drawer{Dst: canvas, Src: image.White, Face: face, Dot: fixed.P(at.X+3, at.Y+nameSize)}).DrawString(name)
}
