// Package css knows which texts cannot be a CSS selector, and why. It refuses only what
// Chrome refuses: what it does not know (new pseudo-classes, what stands in their brackets)
// is for Chrome to judge. It does not look anything up by a selector.
package css

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Check returns why a text is no list of CSS selectors, or nil. The error says what is wrong
// and, where people mean something else by it, what to write instead. As in Chrome, the end
// of the text closes whatever is open.
func Check(text string) error {
	if isXPath(text) {
		return errors.New("it is an XPath; selectors are CSS, such as #total or table.lines td:nth-child(3)")
	}
	s := &scanner{text: text}
	for {
		if err := s.complex(); err != nil {
			return err
		}
		if s.end() {
			return nil
		}
		s.at++ // the comma
	}
}

// isXPath reports whether a text begins as a path does, or as people mark one.
func isXPath(text string) bool {
	text = strings.TrimLeft(strings.TrimSpace(text), "(")
	for _, sign := range []string{"/", "./", "../", "xpath=", "xpath:", "id(", "descendant::", "ancestor::", "self::", "child::", "following-sibling::"} {
		if strings.HasPrefix(strings.ToLower(text), sign) && !strings.Contains(text, "/*") {
			return true
		}
	}
	return false
}

// scanner walks along a list of selectors.
type scanner struct {
	text string
	at   int
}

func (s *scanner) end() bool { return s.at >= len(s.text) }

// peek returns the byte so many behind the place, or 0 behind the end.
func (s *scanner) peek(n int) byte {
	if s.at+n < len(s.text) {
		return s.text[s.at+n]
	}
	return 0
}

// space passes white space and comments, and reports whether there was white space.
func (s *scanner) space() (seen bool) {
	for s.comments(); !s.end() && strings.IndexByte(" \t\n\r\f", s.peek(0)) >= 0; s.comments() {
		seen = true
		s.at++
	}
	return seen
}

// comments passes comments, which may stand between any two signs.
func (s *scanner) comments() {
	for s.peek(0) == '/' && s.peek(1) == '*' {
		n := strings.Index(s.text[s.at+2:], "*/")
		if n < 0 {
			s.at = len(s.text)
			return
		}
		s.at += n + 4
	}
}

// complex reads one selector, up to a comma or the end.
func (s *scanner) complex() error {
	s.space()
	for {
		if err := s.compound(); err != nil {
			return err
		}
		spaced := s.space()
		switch c := s.peek(0); {
		case s.end() || c == ',':
			return nil
		case c == '>' || c == '+' || c == '~':
			s.at++
			s.space()
		case c == '|' && s.peek(1) == '|':
			return errors.New("it has ||, which Chrome does not know")
		case !spaced && s.text[s.at-1] != '/': // a comment parts nothing
			return s.unexpected()
		}
	}
}

// compound reads what one element is told by: a type, then classes, ids and the like.
func (s *scanner) compound() error {
	began := s.at
	for first := true; ; first = false {
		var err error
		switch c := s.peek(0); {
		case c == '*' || c == '|' && s.peek(1) != '|' && s.peek(1) != '=' || s.startsName():
			if !first && s.text[s.at-1] != '&' && s.text[s.at-1] != '/' {
				return s.unexpected()
			}
			err = s.typeName()
		case c == '#':
			err = s.id()
		case c == '.':
			s.at++
			s.comments()
			if !s.startsName() {
				return s.badName("class")
			}
			s.name()
		case c == '[':
			err = s.attribute()
		case c == ':':
			err = s.pseudo()
		case c == '&':
			s.at++
		case s.at == began:
			return s.unexpected()
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// typeName reads the name of elements, maybe with a namespace.
func (s *scanner) typeName() error {
	part := func() bool {
		switch {
		case s.peek(0) == '*':
			s.at++
		case s.startsName():
			s.name()
		default:
			return false
		}
		return true
	}
	part()
	if s.peek(0) == '(' {
		return s.unexpected()
	}
	if s.peek(0) == '|' && s.peek(1) != '|' && s.peek(1) != '=' {
		s.at++
		if s.comments(); !part() {
			return s.unexpected()
		}
	}
	return nil
}

func (s *scanner) id() error {
	s.at++
	if s.startsName() {
		s.name()
		return nil
	}
	return s.badName("id")
}

// badName says that no name stands where one should: most often it begins with a digit.
func (s *scanner) badName(kind string) error {
	rest := s.text[s.at:]
	named := func(r rune) bool { return r == '-' || r == '_' || r >= '0' && r <= '9' || isLetter(r) }
	n := len(rest) - len(strings.TrimLeftFunc(rest, named))
	if n == 0 || rest[0] == '-' && n == 1 {
		return s.unexpected()
	}
	if kind == "class" {
		return fmt.Errorf("the name of a class begins with %q in CSS only where it is escaped; write [class~=%q]", rest[:1], rest[:n])
	}
	return fmt.Errorf("an id begins with %q in CSS only where it is escaped; write [id=%q]", rest[:1], rest[:n])
}

// attribute reads [name], or [name=value] with another sign before the =, and maybe a flag.
func (s *scanner) attribute() error {
	s.at++
	s.space()
	if s.peek(0) == '@' {
		return errors.New("it has [@ as an XPath has; in CSS an attribute is [name=\"value\"]")
	}
	if s.peek(0) != '*' && s.peek(0) != '|' && !s.startsName() {
		return s.unexpected()
	}
	if err := s.typeName(); err != nil {
		return err
	}
	s.space()
	if s.closes() {
		return nil
	}
	if s.peek(0) == '!' {
		return errors.New("it has !=, which is jQuery's and no CSS; write :not([name=\"value\"])")
	}
	if strings.IndexByte("~|^$*", s.peek(0)) >= 0 {
		s.at++
	}
	if s.peek(0) != '=' {
		return s.unexpected()
	}
	s.at++
	s.space()
	switch c := s.peek(0); {
	case c == '"' || c == '\'':
		if err := s.quoted(); err != nil {
			return err
		}
	case s.startsName():
		s.name()
	default:
		return fmt.Errorf("the value of an attribute needs quotes, unless it is a name: %s", s.around())
	}
	s.space()
	if s.startsName() {
		s.name() // i or s
		s.space()
	}
	if s.closes() {
		return nil
	}
	return s.unexpected()
}

// closes passes the end of an attribute, if it is there.
func (s *scanner) closes() bool {
	if s.end() {
		return true
	}
	if s.peek(0) != ']' {
		return false
	}
	s.at++
	return true
}

// quoted passes a string.
func (s *scanner) quoted() error {
	quote := s.peek(0)
	for s.at++; !s.end(); s.at++ {
		switch s.peek(0) {
		case quote:
			s.at++
			return nil
		case '\\':
			s.escape()
			s.at--
		case '\n', '\r', '\f':
			return errors.New("a quoted text has a line break in it")
		}
	}
	s.at = min(s.at, len(s.text))
	return nil
}

// foreign are pseudo-classes that other tools know and Chrome does not.
var foreign = []string{"contains", "icontains", "has-text", "text", "text-is", "text-matches", "eq", "gt", "lt", "first", "last", "even",
	"odd", "visible", "hidden", "parent", "header", "input", "button", "selected", "nth", "nth-match", "attr", "haschild", "matches", "matchesown", "containsown"}

// pseudo reads a pseudo-class or -element. What stands in its brackets is not judged.
func (s *scanner) pseudo() error {
	s.at++
	if s.peek(0) == ':' {
		s.at++
	}
	if !s.startsName() {
		return s.unexpected()
	}
	began := s.at
	s.name()
	name := strings.ToLower(s.text[began:s.at])
	if slices.Contains(foreign, name) && (name != "first" || s.peek(0) == '(') {
		return fmt.Errorf("it has :%s, which other tools know, and which is no CSS%s", name, instead(name))
	}
	if s.peek(0) == '(' {
		s.block()
	}
	return nil
}

// instead says what can be written in place of a pseudo-class of other tools.
func instead(name string) string {
	switch name {
	case "contains", "icontains", "has-text", "text", "text-is", "text-matches", "containsown", "matches", "matchesown":
		return "; a field can be found by its label: instead, or by match:, and documents by names:"
	case "eq", "gt", "lt", "first", "last", "even", "odd", "nth", "nth-match":
		return "; write :nth-of-type() or :nth-child()"
	case "attr":
		return "; write attr: beside the selector"
	case "visible", "hidden":
		return "; where several elements match, visible ones win anyway"
	}
	return ""
}

// block passes what stands in brackets, with the brackets and strings in it.
func (s *scanner) block() {
	closing := map[byte]byte{'(': ')', '[': ']', '{': '}'}
	var open []byte
	for !s.end() {
		switch c := s.peek(0); {
		case c == '\\':
			s.at++
		case c == '"' || c == '\'':
			if s.quoted() != nil {
				s.at++
			}
			continue
		case closing[c] != 0:
			open = append(open, closing[c])
		case len(open) > 0 && c == open[len(open)-1]:
			if open = open[:len(open)-1]; len(open) == 0 {
				s.at++
				return
			}
		}
		s.at++
	}
	s.at = min(s.at, len(s.text))
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf }

// startsName reports whether a name begins here.
func (s *scanner) startsName() bool {
	starts := func(n int) bool {
		c := s.peek(n)
		escape := c == '\\' && s.at+n+1 <= len(s.text) && strings.IndexByte("\n\r\f", s.peek(n+1)) < 0
		return c == '_' || isLetter(rune(c)) || escape
	}
	if s.peek(0) == '-' {
		return s.peek(1) == '-' || starts(1)
	}
	return starts(0)
}

// name passes a name.
func (s *scanner) name() {
	for !s.end() {
		switch c := s.peek(0); {
		case c == '\\' && strings.IndexByte("\n\r\f", s.peek(1)) < 0:
			s.escape()
		case c == '-' || c == '_' || c >= '0' && c <= '9' || isLetter(rune(c)):
			s.at++
		default:
			return
		}
	}
}

// escape passes an escaped character: up to six hexadecimal digits and a white space, or any.
func (s *scanner) escape() {
	s.at++
	n := 0
	for n < 6 && strings.IndexByte("0123456789abcdefABCDEF", s.peek(n)) >= 0 && s.peek(n) != 0 {
		n++
	}
	switch {
	case n == 0:
		s.at++
	case s.peek(n) == '\r' && s.peek(n+1) == '\n':
		s.at += n + 2
	case s.peek(n) != 0 && strings.IndexByte(" \t\n\r\f", s.peek(n)) >= 0:
		s.at += n + 1
	default:
		s.at += n
	}
	s.at = min(s.at, len(s.text))
}

// unexpected says what stands where it cannot.
func (s *scanner) unexpected() error {
	switch {
	case strings.TrimSpace(s.text) == "":
		return errors.New("it is empty")
	case s.end():
		return fmt.Errorf("it ends where something must follow: %q", tail(s.text))
	case s.peek(0) == ',':
		return fmt.Errorf("nothing stands before a comma: %s", s.around())
	case strings.IndexByte(">+~", s.peek(0)) >= 0 && strings.TrimSpace(s.text[:s.at]) == "":
		return fmt.Errorf("it begins with %q; name the element before it", s.text[s.at:s.at+1])
	}
	return fmt.Errorf("it is no CSS from here on: %s", s.around())
}

// around quotes the text from the place on.
func (s *scanner) around() string {
	rest := []rune(s.text[s.at:])
	if len(rest) > 20 {
		return fmt.Sprintf("%q...", string(rest[:20]))
	}
	return fmt.Sprintf("%q", string(rest))
}

func tail(text string) string {
	all := []rune(text)
	return string(all[max(0, len(all)-20):])
}
