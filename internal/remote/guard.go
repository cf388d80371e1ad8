package remote

import (
	"net/http"

	"github.com/poscrape/poscrape/internal/guard"
)

// policy lets the page load and ask for nothing but what comes from here.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (s *Server) guard(next http.Handler) http.Handler {
	return guard.Guard{Token: s.token, Addr: s.cfg.Addr, Policy: policy}.Wrap(next)
}
