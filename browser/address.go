package browser

import (
	"net/url"
	"regexp"
)

var strayPercent = regexp.MustCompile(`%(?:[^0-9A-Fa-f]|[0-9A-Fa-f][^0-9A-Fa-f]|[0-9A-Fa-f]?$)`)

// Resolve parses an address as ParseURL does, in the context of another.
func Resolve(base *url.URL, address string) (*url.URL, error) {
	u, err := ParseURL(address)
	if err != nil {
		return nil, err
	}
	return base.ResolveReference(u), nil
}

// ParseURL parses an address as browsers do, to which a percent sign that begins no escape is a character as any other.
func ParseURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err == nil {
		return u, nil
	}
	for range len(address) { // matches may overlap
		mended := strayPercent.ReplaceAllStringFunc(address, func(stray string) string { return "%25" + stray[1:] })
		if mended == address {
			break
		}
		address = mended
	}
	return url.Parse(address)
}
