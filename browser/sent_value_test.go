package browser

import (
	"strings"
	"testing"
)

// TestSentValues chooses among several values of one header that a page has sent to one host.
func TestSentValues(t *testing.T) {
	t.Parallel()
	const unclear, missing = "several", "none"
	for _, c := range []struct{ name, sent, path, want string }{
		{"authorization", "A /api/me", "/api/orders/1", "A"},
		{"authorization", "A /api/me, B /api/me", "/api/orders/1", "B"},
		{"authorization", "A /api/me, B /api/me", "/other", "B"},
		{"authorization", "A /api/me, B /api/orders/1, A /api/me", "/api/orders/1/files", "B"},
		{"authorization", "A /api/me, B /api/orders/1, A /api/me", "/api/me/x", "A"},
		{"authorization", "A /a/x, B /b/x", "/a/y", "A"},
		{"authorization", "A /a/x, B /b/x", "/b/y", "B"},
		{"authorization", "A /a/x, B /b/x", "/c", unclear},
		{"authorization", "A /a/x, B /a/y", "/a/z", unclear},
		{"authorization", "A /a/x, B /a/x, A /a/x", "/a/x", unclear},
		{"authorization", "A /graphql, A /api/x/1, B /graphql", "/api/x/1/plan", unclear},
		{"authorization", "A /graphql, A /api/x/1, B /graphql", "/graphql", "B"},
		{"authorization", "A /graphql, A /api/x/1 401, B /graphql", "/api/x/1/plan", "B"},
		{"authorization", "A /graphql, A /api/x/1, B /graphql, B /api/x/2", "/api/x/2", "B"},
		{"authorization", "A /graphql, A /api/x/1, B /api/x/1", "/api/x/1", "B"},
		{"x-csrf-token", "1 /graphql, 1 /api/x/1, 2 /graphql", "/api/x/1/plan", "2"},
		{"x-account", "A /a/x, B /a/y", "/a/z", unclear},
		{"authorization", "A /a/x 401, B /b/x", "/a/y", "B"},
		{"authorization", "A /a/x 401", "/a/y", "A"},
		{"authorization", "A /a/x 401, A /a/x, B /b/x", "/a/y", "A"},
		{"authorization", "Bearer_undefined /a/x, A /a/x", "/a/y", "A"},
		{"authorization", "A /a/x, Bearer_null /a/x", "/a/y", "A"},
		{"authorization", "Bearer /a/x", "/a/y", missing},
		{"x-csrf-token", "Fetch /a/x, T /a/x, fetch /a/x", "/a/y", "T"},
		{"x-csrf-token", "Fetch /a/x", "/a/y", missing},
		{"x-csrf-token", "1 /a/x, 2 /a/y, 3 /a/z", "/a/x/y", "3"},
		{"x-csrf-token", "1 /app1/x, 2 /app2/y", "/app1/z", "1"},
		{"x-mode", "fetch /a/x", "/a/y", "fetch"},
		{"accept", "text /a/x, json /a/y", "/a/z", "json"},
	} {
		var values []sentValue
		for at, request := range strings.Split(c.sent, ", ") {
			parts := strings.Fields(request)
			values = withSent(values, strings.ReplaceAll(parts[0], "_", " "), sentRequest{path: parts[1], at: at + 1}, len(parts) > 2)
		}
		got, known, clear := choose(c.name, replaced([]sentValue{{text: "past", paths: []string{c.path}}}, values), c.path)
		switch {
		case !known:
			got = missing
		case !clear:
			got = unclear
		}
		if got != c.want {
			t.Errorf("%s: %s, for %s: got %s, want %s", c.name, c.sent, c.path, got, c.want)
		}
	}
}
