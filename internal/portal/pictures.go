package portal

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

// avatars is how many pictures of people and companies there are.
const avatars = 6

// newPictures draws all pictures, by file name.
func newPictures() (map[string][]byte, error) {
	drawn := map[string]image.Image{"banner.png": drawBanner(), "map.png": drawMap()}
	for i := range avatars {
		drawn[fmt.Sprintf("avatar-%d.png", i+1)] = drawAvatar(i)
	}
	for i := range thumbnails {
		drawn[fmt.Sprintf("thumb-%d.png", i)] = drawThumbnail(i)
	}
	pictures := map[string][]byte{}
	for name, picture := range drawn {
		var b bytes.Buffer
		if err := png.Encode(&b, picture); err != nil {
			return nil, fmt.Errorf("drawing %s: %w", name, err)
		}
		pictures[name] = b.Bytes()
	}
	return pictures, nil
}

// drawing returns a picture whose pixels are what paint says.
func drawing(width, height int, paint func(x, y int) color.RGBA) image.Image {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			picture.SetRGBA(x, y, paint(x, y))
		}
	}
	return picture
}

// blend returns the colour that lies between a (share 0) and b (share 1).
func blend(a, b color.RGBA, share float64) color.RGBA {
	share = min(max(share, 0), 1)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*share + 0.5) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// drawBanner draws soft waves behind a page's title.
func drawBanner() image.Image {
	deep, bright, glow := color.RGBA{16, 38, 84, 255}, color.RGBA{31, 79, 190, 255}, color.RGBA{45, 156, 190, 255}
	return drawing(1400, 190, func(x, y int) color.RGBA {
		fx, fy := float64(x), float64(y)
		c := blend(deep, bright, fx/1400*0.8+fy/190*0.15)
		for i := range 3 {
			crest := 120 + 34*math.Sin(fx/(210+60*float64(i))+1.7*float64(i)) - 28*float64(i)
			if fy > crest {
				c = blend(c, glow, 0.11*min(1, (fy-crest)/3))
			}
		}
		return c
	})
}

// drawMap draws streets, a river and a marker.
func drawMap() image.Image {
	land, street, park, water, pin := color.RGBA{233, 238, 244, 255}, color.RGBA{255, 255, 255, 255},
		color.RGBA{207, 232, 213, 255}, color.RGBA{180, 212, 240, 255}, color.RGBA{31, 79, 216, 255}
	return drawing(680, 300, func(x, y int) color.RGBA {
		fx, fy := float64(x), float64(y)
		c := land
		if int(fx+fy*0.35)/118%4 == 1 && int(fy-fx*0.12+200)/92%3 == 1 {
			c = park
		}
		river := 205 + 38*math.Sin(fx/120)
		c = blend(c, water, 24-math.Abs(fy-river))
		for _, s := range []struct{ slope, every, width float64 }{{0.35, 118, 5}, {0.35, 59, 2.2}} {
			c = blend(c, street, s.width-math.Mod(fx+fy*s.slope, s.every))
		}
		for _, s := range []struct{ slope, every, width float64 }{{-0.12, 92, 5}, {-0.12, 46, 2.2}} {
			c = blend(c, street, s.width-math.Mod(fy+fx*s.slope+200, s.every))
		}
		head := math.Hypot(fx-340, fy-120)
		point := fy > 120 && fy < 168 && math.Abs(fx-340) < (168-fy)*0.5
		if head < 26 || point {
			c = pin
		}
		return blend(c, street, 10-head)
	})
}

// drawAvatar draws one of the round-cornered signs of a company.
func drawAvatar(i int) image.Image {
	palette := []color.RGBA{
		{37, 99, 235, 255}, {13, 148, 136, 255}, {217, 119, 6, 255}, {147, 51, 234, 255}, {220, 68, 68, 255}, {71, 85, 105, 255},
	}
	base, white := palette[i%len(palette)], color.RGBA{255, 255, 255, 255}
	petals := float64(3 + i)
	return drawing(96, 96, func(x, y int) color.RGBA {
		fx, fy := float64(x)-47.5, float64(y)-47.5
		r, a := math.Hypot(fx, fy), math.Atan2(fy, fx)
		c := blend(base, white, (fx+fy+96)/192*0.28)
		edge := 24 + 9*math.Cos(a*petals)
		return blend(c, white, 0.92*min(1, max(0, edge-r)))
	})
}

// drawThumbnail draws a simple solid as the picture of a good.
func drawThumbnail(i int) image.Image {
	palette := []color.RGBA{
		{219, 234, 254, 255}, {209, 250, 229, 255}, {254, 243, 199, 255}, {243, 232, 255, 255},
		{255, 228, 230, 255}, {226, 232, 240, 255}, {207, 250, 254, 255}, {254, 226, 206, 255},
	}
	ground := palette[i%len(palette)]
	ink := blend(ground, color.RGBA{20, 40, 90, 255}, 0.55)
	return drawing(96, 96, func(x, y int) color.RGBA {
		fx, fy := math.Abs(float64(x)-47.5), math.Abs(float64(y)-47.5)
		var inside float64
		switch i % 4 {
		case 0:
			inside = 26 - math.Max(fx, fy)
		case 1:
			inside = 28 - math.Hypot(fx, fy)
		case 2:
			inside = 34 - fx - fy
		default:
			inside = 28 - math.Max(fx*0.9+fy*0.5, fy)
		}
		light := blend(ink, ground, 0.35*float64(x+y)/192)
		return blend(ground, light, inside)
	})
}
