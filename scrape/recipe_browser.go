package scrape

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"
	_ "time/tzdata" // the machine may have no zones of its own

	"github.com/goccy/go-yaml/ast"
	"golang.org/x/text/language"
)

// The bounds of a viewport, in CSS pixels.
const (
	minViewWidth, minViewHeight = 320, 240
	maxViewWidth, maxViewHeight = 7680, 4320
)

func (rd *recipeReader) browser(n ast.Node, path string) {
	var size [2]int
	who := &rd.recipe.Browser
	rd.keys(n, path, nil, recipeKeys{
		"language": one(rd, &who.Language, parseLanguage),
		"timezone": one(rd, &who.Timezone, checkedText(checkTimezone)),
		"viewport": one(rd, &size, parseViewport),
	})
	who.Width, who.Height = size[0], size[1]
}

// parseLanguage reads a language as servers are asked for it: with a script and a region at
// the most.
func parseLanguage(n ast.Node) (string, error) {
	text, err := parseText(n)
	if err != nil {
		return "", err
	}
	tag, err := language.Parse(text)
	base, script, region := tag.Raw()
	plain, _ := language.Raw.Compose(base, script, region)
	if err != nil || plain != tag || base.String() == "und" {
		return "", fmt.Errorf("is %q, which is not a language; write it as en, en-GB or zh-Hant-TW", text)
	}
	return tag.String(), nil
}

func checkTimezone(name string) error {
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		return fmt.Errorf("is %q, which is not a time zone; write one such as Europe/London or UTC", name)
	}
	return nil
}

var viewportSize = regexp.MustCompile(`^([0-9]{1,5})x([0-9]{1,5})$`)

func parseViewport(n ast.Node) (size [2]int, err error) {
	text, err := parseText(n)
	if err != nil {
		return size, errors.New("must be a width and a height in pixels, such as 1366x900")
	}
	m := viewportSize.FindStringSubmatch(text)
	if m == nil {
		return size, fmt.Errorf("is %q; write the width and the height in pixels, such as 1366x900", text)
	}
	for i := range size {
		size[i], _ = strconv.Atoi(m[i+1]) // at most five digits
	}
	if size[0] < minViewWidth || size[1] < minViewHeight || size[0] > maxViewWidth || size[1] > maxViewHeight {
		err = fmt.Errorf("is %s; it must be from %dx%d to %dx%d", text, minViewWidth, minViewHeight, maxViewWidth, maxViewHeight)
	}
	return size, err
}
