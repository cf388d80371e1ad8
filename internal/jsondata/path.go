package jsondata

import (
	"fmt"
	"strings"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/registry"
	"github.com/theory/jsonpath/spec"
)

// ParsePath reads a path. Its errors go on after the key that it stands under.
func ParsePath(text string) (*jsonpath.Path, error) {
	if strings.Count(text, "(")+strings.Count(text, "[") > mostBrackets {
		return nil, fmt.Errorf("has more than %d brackets", mostBrackets)
	}
	path, err := jsonpath.NewParser(jsonpath.WithRegistry(functions())).Parse(text)
	if err != nil {
		reason := strings.TrimPrefix(err.Error(), "jsonpath: ")
		return nil, fmt.Errorf(`is no JSON path (RFC 9535): %s; write one such as "$.order.total", "$.documents[*]" or "$['invoice-no']"`, reason)
	}
	return path, checkPath(path.String())
}

// functions returns those of RFC 9535. Up to v0.12.0 of the library, match and search panic
// where an argument is not there, for which they are to return false (TestPathElements).
func functions() *registry.Registry {
	r := registry.New()
	for _, name := range []string{"match", "search"} {
		own := *r.Get(name)
		*r.Get(name) = *spec.Extension(name, own.ReturnType(), own.Validate, func(args []spec.PathValue) spec.PathValue {
			for _, arg := range args {
				if spec.ValueFrom(arg) == nil {
					return spec.LogicalFalse
				}
			}
			return own.Evaluate(args)
		})
	}
	return r
}
