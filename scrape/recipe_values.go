package scrape

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"golang.org/x/net/publicsuffix"

	"github.com/poscrape/poscrape/internal/spelling"
	"github.com/poscrape/poscrape/internal/template"
)

// The parse functions read a node as one kind of value.

func parseText(n ast.Node) (string, error) {
	text, ok := scalarText(n)
	if !ok {
		return "", wrongKind(n, "text")
	}
	if strings.TrimSpace(text) == "" {
		return "", errors.New("is empty; give it a value, or remove the key")
	}
	return strings.TrimSpace(text), nil
}

func parseBool(n ast.Node) (bool, error) {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		return false, wrongKind(n, "true or false")
	}
	return b.Value, nil
}

func parseChoice[T ~string](options ...T) func(ast.Node) (T, error) {
	return func(n ast.Node) (T, error) {
		text, err := parseText(n)
		if err != nil || slices.Contains(options, T(text)) {
			return T(text), err
		}
		names := make([]string, len(options))
		for i, o := range options {
			names[i] = string(o)
		}
		if near := spelling.Nearest(text, names); near != "" {
			return "", fmt.Errorf("is %q; did you mean %q?", text, near)
		}
		return "", fmt.Errorf("is %q; it must be one of %s", text, strings.Join(names, ", "))
	}
}

// checkedText makes a parse function of a check whose errors go on after the key.
func checkedText(check func(string) error) func(ast.Node) (string, error) {
	return func(n ast.Node) (string, error) {
		text, err := parseText(n)
		if err == nil {
			err = check(text)
		}
		return text, err
	}
}

func parseBaseURL(n ast.Node) (string, error) {
	address, err := checkedText(func(address string) error {
		_, err := template.ParseURL(address, "")
		return err
	})(n)
	if err == nil && strings.ContainsAny(address, "?#") {
		err = errors.New("has a ? or #; it is a host and the beginning of a path")
	}
	return strings.TrimRight(address, "/"), err
}

func parsePrefix(n ast.Node) (string, error) {
	prefix, err := parseText(n)
	return strings.ToUpper(prefix), err
}

func parsePattern(n ast.Node) (*regexp.Regexp, error) {
	text, err := parseText(n)
	if err != nil {
		return nil, err
	}
	if namesOrder(text) {
		return nil, errors.New("is a pattern for all orders, in which {po} and {digits} are not filled in")
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("is not a regular expression of Go (RE2 syntax): %w", err)
	}
	return pattern, nil
}

// parseOptionalPattern is parsePattern, and nil for an empty text.
func parseOptionalPattern(n ast.Node) (*regexp.Regexp, error) {
	if text, ok := scalarText(n); ok && text == "" {
		return nil, nil
	}
	return parsePattern(n)
}

var hostPattern = regexp.MustCompile(`^(\*\.)?([\pL\pN_]([\pL\pN_-]*[\pL\pN_])?\.)*[\pL\pN_]([\pL\pN_-]*[\pL\pN_])?\.?$`)

func checkHostPattern(text string) error {
	name, port := splitHost(text)
	number, err := strconv.Atoi(port)
	switch {
	case strings.ContainsAny(text, "/@?#"):
		return fmt.Errorf("has %q, which is not a host; write it without https:// and path", text)
	case port != "" && (err != nil || number < 1 || number > 65535):
		return fmt.Errorf("has %q, whose port is not from 1 to 65535", text)
	case net.ParseIP(name) == nil && !hostPattern.MatchString(name):
		return fmt.Errorf(`has %q, which is not a host; write "files.acme.example", or "*.acme.example" for all hosts below it`, text)
	}
	return nil
}

// checkTrustedHost is checkHostPattern for hosts that pages and documents may come from. A pattern below a
// public suffix would be for hosts of everybody.
func checkTrustedHost(text string) error {
	if err := checkHostPattern(text); err != nil {
		return err
	}
	name, _ := splitHost(text)
	domain, wild := strings.CutPrefix(name, "*.")
	if !wild {
		return nil
	}
	// What is not listed has one label and is nobody's, as .internal is.
	if suffix, listed := publicsuffix.PublicSuffix(domain); suffix == domain && (listed || strings.Contains(suffix, ".")) {
		return fmt.Errorf("has %q, below which hosts are anybody's; name the portal's own, as in *.acme.%s", text, domain)
	}
	return nil
}

func checkValueName(name string) error {
	if !valueName.MatchString(name) {
		return fmt.Errorf("is not a good name; use letters, digits, spaces, and _ - . between them")
	}
	return nil
}

var valueName = regexp.MustCompile(`^[\pL\pN_]([\pL\pN_ .-]*[\pL\pN_])?$`)

func parseStatus(n ast.Node) (int, error) {
	status, err := parseCount(n)
	if err == nil && (status < 100 || status > 599) {
		err = fmt.Errorf("has %d, which is not an HTTP status", status)
	}
	return status, err
}

func parseCount(n ast.Node) (int, error) {
	number, ok := n.(*ast.IntegerNode)
	if !ok {
		return 0, wrongKind(n, "a whole number")
	}
	count, ok := number.Value.(uint64)
	if !ok || count < 1 || count > 1e6 {
		return 0, fmt.Errorf("is %s; it must be from 1 to 1000000", number.Token.Value)
	}
	return int(count), nil
}

func parseDuration(n ast.Node) (time.Duration, error) {
	const examples = "a duration such as 300ms or 20s"
	text, err := quantityText(n, examples)
	if err != nil {
		return 0, err
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("is %q; write %s", text, examples)
	case d <= 0 || d > time.Hour:
		return 0, fmt.Errorf("is %v; it must be above 0 and at most 1h", d)
	}
	return d, nil
}

// quantityText returns the text of a number, with or without a unit.
func quantityText(n ast.Node, want string) (string, error) {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode:
		return n.GetToken().Value, nil
	}
	return "", wrongKind(n, want)
}

// quantity is a positive decimal number and what follows it.
var quantity = regexp.MustCompile(`^(\d{1,15}(?:\.\d{1,6})?) ?([A-Za-z/]*)$`)

// parseQuantity returns the number times what its unit stands for.
func parseQuantity(n ast.Node, units map[string]float64, examples string) (float64, error) {
	text, err := quantityText(n, examples)
	if err != nil {
		return 0, err
	}
	m := quantity.FindStringSubmatch(text)
	if m == nil || units[strings.ToLower(m[2])] == 0 {
		return 0, fmt.Errorf("is %q; write %s", text, examples)
	}
	number, err := strconv.ParseFloat(m[1], 64)
	return number * units[strings.ToLower(m[2])], err
}

func parseRate(n ast.Node) (Rate, error) {
	rate, err := parseQuantity(n, map[string]float64{
		"/s": 1, "/m": 1.0 / 60, "/min": 1.0 / 60, "/h": 1.0 / 3600,
	}, "a rate such as 2/s, 30/m or 500/h")
	if err == nil && (rate <= 0 || rate > 1000) {
		err = fmt.Errorf("is %s; it must be above 0 and at most 1000/s", n.GetToken().Value)
	}
	return Rate(rate), err
}

func parseSize(n ast.Node) (int64, error) {
	size, err := parseQuantity(n, map[string]float64{
		"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	}, "a size such as 500KB, 200MB or 1GB")
	if err == nil && (size < 1 || size > 1e12) {
		err = fmt.Errorf("is %s; it must be from 1 byte to 1000GB", n.GetToken().Value)
	}
	return int64(size), err
}
