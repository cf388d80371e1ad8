package scrape

import (
	"errors"
	"fmt"
	"net/textproto"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$")

// ownHeaders are those that Chrome sets itself, or that would make another request of it, with the
// reason why a recipe does not name them.
var ownHeaders = func() map[string]string {
	all := map[string]string{}
	for why, names := range map[string]string{
		"Chrome sends cookies itself": "Cookie Cookie2 Set-Cookie",
		"Chrome sets it itself": `Accept-Charset Accept-Encoding Access-Control-Request-Headers Access-Control-Request-Method
			Access-Control-Request-Private-Network Cache-Control Connection Content-Length Content-Encoding Date DNT Expect Host Keep-Alive
			Origin Permissions-Policy Pragma Referer TE Trailer Transfer-Encoding Upgrade Upgrade-Insecure-Requests User-Agent Via`,
		"it follows from body":                     "Content-Type",
		"it asks for a part, or for nothing":       "Range If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since",
		"it makes another kind of request of this": "X-HTTP-Method X-HTTP-Method-Override X-Method-Override",
	} {
		for _, name := range strings.Fields(names) {
			all[strings.ToLower(name)] = why
		}
	}
	return all
}()

// checkHeader says what is wrong with the name of a header that is to be sent along.
func checkHeader(name string) error {
	if strings.Contains(name, ":") {
		return errors.New("has a value; write the name alone for what the page itself has sent last, or keys with values")
	}
	if !headerName.MatchString(name) {
		return fmt.Errorf("has %q, which is no name of a header", name)
	}
	lower := strings.ToLower(name)
	why := ownHeaders[lower]
	if strings.HasPrefix(lower, "sec-") || strings.HasPrefix(lower, "proxy-") {
		why = "Chrome sets it itself"
	}
	if why != "" {
		return fmt.Errorf("has %s, which a recipe does not set: %s", textproto.CanonicalMIMEHeaderKey(name), why)
	}
	return nil
}

// request adds the keys of a request that poscrape makes for data.
func (rd *recipeReader) request(known recipeKeys, s *DataSource) recipeKeys {
	known["get"] = rd.get(&s.Get)
	known["post"] = rd.post(&s.Post)
	known["body"] = rd.body(&s.Body)
	known["headers"] = rd.headers(&s.Headers)
	return known
}

// post reads the template of an address that is posted to.
func (rd *recipeReader) post(dst *string) readNode {
	return func(n ast.Node, path string) {
		one(rd, dst, func(n ast.Node) (string, error) {
			text, err := parseAddress(n)
			if err == nil {
				err = checkPostAddress(text)
			}
			return text, err
		})(n, path)
		rd.gets = append(rd.gets, placed{n, path, *dst})
	}
}

// body reads what is posted: JSON in a text, or the fields of a form.
func (rd *recipeReader) body(dst **Body) readNode {
	return func(n ast.Node, path string) {
		if _, isForm := n.(*ast.MappingNode); isForm {
			rd.form(dst, n, path)
		} else {
			one(rd, dst, func(n ast.Node) (*Body, error) {
				text, err := parseText(n)
				if err != nil {
					return nil, err
				}
				return ParseBody(text)
			})(n, path)
		}
		rd.bodies = append(rd.bodies, placed{n, path, (*dst).needs()})
	}
}

func (rd *recipeReader) form(dst **Body, n ast.Node, path string) {
	b, before := &Body{form: true}, len(rd.problems)
	rd.each(n, path, func(_ ast.Node, name, keyPath string, value ast.Node) {
		one(rd, new(string), func(n ast.Node) (string, error) {
			text, err := quantityText(n, "text")
			if is, ok := scalarText(n); ok {
				text, err = is, nil
			}
			if err == nil {
				err = b.addField(name, text)
			}
			if err == nil {
				err = checkOperation(name, text)
			}
			return text, err
		})(value, keyPath)
	})
	if len(n.(*ast.MappingNode).Values) == 0 { //nolint:forcetypeassert // see body
		rd.problem(n, path, "is empty; give it the fields of a form, or remove the key")
	}
	if len(rd.problems) == before {
		*dst = b
	}
}

// checkRequest checks what goes with a request for data. seen are the keys of its mapping.
func (rd *recipeReader) checkRequest(path string, seen map[string]ast.Node, s DataSource, into *Path) {
	if at := seen["body"]; at != nil && seen["post"] == nil {
		rd.problem(at, joinPath(path, "body"), "goes with post, which says where it is sent")
	}
	if at := seen["headers"]; at != nil && seen["get"] == nil && seen["post"] == nil {
		rd.problem(at, joinPath(path, "headers"), "goes with get or post; other data the page asks for itself")
	}
	key := "get"
	if s.Post != "" {
		key = "post"
	}
	if seen["body"] != nil && s.Body == nil {
		return // it is wrong
	}
	rd.varies(seen[key], joinPath(path, key), s.needs(), into)
}
