package documents

import (
	"net/url"

	"github.com/poscrape/poscrape/tasks"
)

// mark has the system know that a staged file came from the internet, so that it warns before it
// opens it, and Office shows it without running its macros. Where the file system has no place for
// the mark, the file has none: its bytes are what counts.
func (s *Store) mark(staged string, doc *tasks.Attachment) {
	origin := originOf(doc.URL)
	if origin == "" {
		origin = originOf(doc.Source)
	}
	s.setMark(staged, origin)
}

// originOf returns the scheme, host and path of an address, or nothing of one that has no host: the
// mark goes along with the file to others, and must tell them no secret.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}
