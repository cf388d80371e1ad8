package scrape

import (
	"errors"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

func TestRecipeBrowser(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want browser.Identity
		err  string
	}{
		{"language: en-gb", browser.Identity{Language: "en-GB"}, ""},
		{"language: de_CH", browser.Identity{Language: "de-CH"}, ""},
		{"language: zh-Hant-TW", browser.Identity{Language: "zh-Hant-TW"}, ""},
		{"timezone: UTC", browser.Identity{Timezone: "UTC"}, ""},
		{"timezone: America/Argentina/Ushuaia", browser.Identity{Timezone: "America/Argentina/Ushuaia"}, ""},
		{"viewport: 320x240", browser.Identity{Width: 320, Height: 240}, ""},
		{"language: english", browser.Identity{}, `browser.language is "english"`},
		{"language: xx-GB", browser.Identity{}, `browser.language is "xx-GB"`},
		{"language: und", browser.Identity{}, `browser.language is "und"`},
		{"language: en-u-ca-buddhist", browser.Identity{}, `browser.language is "en-u-ca-buddhist"`},
		{"language: 'en-GB,de'", browser.Identity{}, `browser.language is "en-GB,de"`},
		{"timezone: Local", browser.Identity{}, `browser.timezone is "Local"`},
		{"timezone: GMT+1", browser.Identity{}, `browser.timezone is "GMT+1"`},
		{"timezone: ../../etc/passwd", browser.Identity{}, `browser.timezone is "../../etc/passwd"`},
		{"viewport: 319x240", browser.Identity{}, "browser.viewport is 319x240; it must be from 320x240 to 7680x4320"},
		{"viewport: 1366x4321", browser.Identity{}, "browser.viewport is 1366x4321"},
		{"viewport: 1366 x 900", browser.Identity{}, "browser.viewport is"},
		{"viewport: 1366", browser.Identity{}, "browser.viewport must be"},
	} {
		recipe, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\nbrowser:\n  "+c.text+"\n"))
		var problem *RecipeError
		switch {
		case c.err == "" && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.err == "" && recipe.Browser != c.want:
			t.Errorf("%s: read %+v, want %+v", c.text, recipe.Browser, c.want)
		case c.err != "" && (!errors.As(err, &problem) || problem.Line != 3 || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: the error is %v, want %q", c.text, err, c.err)
		}
	}
}
