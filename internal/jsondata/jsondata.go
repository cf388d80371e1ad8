// Package jsondata reads what a server gives as JSON, and the paths that find values in it (RFC 9535), such
// that neither takes long whatever it says.
package jsondata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/poscrape/poscrape/internal/amount"
)

// guard is what some servers put before JSON, so that no other site's scripts can run it.
var guard = regexp.MustCompile(`^(\)\]\}'?,?|while\s*\(\s*1\s*\)\s*;?|for\s*\(\s*;\s*;\s*\)\s*;?|\{\}\s*&&)`)

// Why a text has no value, to go behind its address.
var (
	ErrEmpty  = errors.New("was answered with an empty body in place of JSON")
	ErrPage   = errors.New("was answered with a web page in place of JSON")
	ErrBroken = errors.New("was answered with broken JSON")
	ErrDeep   = errors.New("was answered with JSON that is nested too deeply to be looked through")
)

// Read reads one value. Numbers keep their digits.
func Read(body []byte) (any, error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	text = bytes.TrimSpace(text[len(guard.Find(text)):])
	switch {
	case len(text) == 0:
		return nil, ErrEmpty
	case text[0] == '<':
		return nil, ErrPage
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, ErrBroken
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, ErrBroken
	}
	if tooDeep(value) {
		return nil, ErrDeep
	}
	return value, nil
}

// jsonNumber is a number of JSON, in its parts.
var jsonNumber = regexp.MustCompile(`^(-?)(\d{1,100})(?:\.(\d{1,100}))?(?:[eE]([+-]?\d{1,3}))?$`)

// mostZeros bounds the exponent of a number of JSON.
const mostZeros = 100

// PlainNumber writes a number of JSON without an exponent.
func PlainNumber(text string) (string, error) {
	m := jsonNumber.FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%w: %q is longer than any", amount.ErrNot, text)
	}
	exponent := 0
	if m[4] != "" {
		if _, err := fmt.Sscan(m[4], &exponent); err != nil || exponent < -mostZeros || exponent > mostZeros {
			return "", fmt.Errorf("%w: %q is too large or too small for one", amount.ErrNot, text)
		}
	}
	digits, point := m[2]+m[3], len(m[2])+exponent
	if point <= 0 {
		digits, point = strings.Repeat("0", 1-point)+digits, 1
	}
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	whole, fraction := strings.TrimLeft(digits[:point], "0"), digits[point:]
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	if strings.Trim(digits, "0") == "" {
		return whole + fraction, nil // there is no negative nothing
	}
	return m[1] + whole + fraction, nil
}

// Scalar returns the text of a value, and whether it is a single one. Null has none.
func Scalar(value any) (text string, single bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return fmt.Sprint(v), true
	case nil:
		return "", true
	}
	return "", false
}

// AnyScalar reports whether a text or number within a value is as asked.
func AnyScalar(value any, is func(string) bool) bool {
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			if AnyScalar(inner, is) {
				return true
			}
		}
		return false
	case map[string]any:
		for _, inner := range v {
			if AnyScalar(inner, is) {
				return true
			}
		}
		return false
	}
	text, single := Scalar(value)
	return single && is(text)
}
