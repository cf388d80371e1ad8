package archtest

// module is the path of this module.
const module = "github.com/poscrape/poscrape"

// rule says what a package may import besides the standard library.
type rule struct {
	// own are packages of this module, below its path.
	own []string
	// others are modules, or parts of them.
	others []string
	// noIO: of the standard library, nothing that touches files, processes or
	// the network.
	noIO bool
	// tests are packages of this module that its tests alone may import.
	tests []string
}

// rules is the import graph: see docs/architecture.md.
var rules = map[string]rule{
	"tasks": {
		others: []string{"github.com/google/uuid"},
		noIO:   true,
	},
	"witness": {own: []string{"internal/amount", "internal/compare", "tasks"}, noIO: true},
	"tasks/ledger": {
		own:    []string{"internal/nofollow", "internal/trust", "tasks"},
		others: []string{"github.com/gofrs/flock", "github.com/google/uuid", "modernc.org/sqlite"},
	},
	"tasks/queuetest": {
		own:    []string{"tasks"},
		others: []string{"github.com/google/uuid"},
	},
	"orders": {
		own:    []string{"internal/amount", "internal/filename", "internal/shell", "internal/template", "internal/workbook", "tasks", "witness"},
		others: []string{"golang.org/x/text"},
	},
	"profiles": {
		own:    []string{"internal/disk", "internal/proc"},
		others: []string{"github.com/gofrs/flock"},
	},
	"browser": {
		own:   []string{"internal/proc"},
		tests: []string{"internal/testkit/chromekit"},
		others: []string{
			"github.com/chromedp/cdproto", "github.com/chromedp/chromedp",
			"github.com/google/uuid", "golang.org/x/sys", "golang.org/x/text",
		},
	},
	"inspect": {others: []string{"github.com/gabriel-vasile/mimetype", "golang.org/x/text"}},
	"scrape": {
		own:   []string{"browser", "inspect", "internal/amount", "internal/calendar", "internal/claims", "internal/compare", "internal/css", "internal/filename", "internal/gallery", "internal/jsondata", "internal/jsonfault", "internal/jsregexp", "internal/nofollow", "internal/otp", "internal/redact", "internal/scrub", "internal/secret", "internal/shell", "internal/spelling", "internal/disk", "internal/template", "internal/yamltree", "scrape/number", "scrape/verdict", "scrape/words", "tasks", "witness"},
		tests: []string{"internal/testkit/chromekit"},
		others: []string{
			"github.com/goccy/go-yaml", "github.com/google/uuid",
			"golang.org/x/net", "golang.org/x/sync", "golang.org/x/text",
			"golang.org/x/time", "github.com/theory/jsonpath",
		},
	},
	"scrape/number":  {own: []string{"scrape/words"}},
	"scrape/verdict": {own: []string{"tasks"}, noIO: true},
	"scrape/words":   {others: []string{"golang.org/x/text"}},
	"pool": {
		own:    []string{"tasks"},
		others: []string{"github.com/google/uuid"},
	},
	"monitor": {
		own:    []string{"internal/proc"},
		others: []string{"github.com/shirou/gopsutil", "golang.org/x/sys"},
	},
	"control": {
		own:    []string{"tasks"},
		others: []string{"github.com/google/uuid", "golang.org/x/sys"},
	},
	"report": {
		own:    []string{"internal/amount", "internal/compare", "internal/disk", "internal/nofollow", "internal/shell", "internal/template", "tasks", "witness"},
		others: []string{"github.com/google/uuid", "github.com/xuri/excelize", "golang.org/x/text"},
	},
	"session": {
		own: []string{
			"browser", "control", "internal/disk", "internal/faultpoint", "internal/gallery", "internal/trust", "orders", "pool", "profiles", "report", "scrape", "tasks", "tasks/ledger",
			"session/breaker", "session/changes", "session/documents", "session/ending", "session/folder", "session/life", "session/load", "session/portals",
			"session/progress", "session/proofs", "session/setup", "session/space", "session/story", "session/worker",
		},
		others: []string{"github.com/google/uuid", "golang.org/x/sync"},
		tests:  []string{"internal/live", "internal/metrics", "internal/testkit/chromekit", "monitor"}, // what watching costs is measured
	},
	"internal/check": {
		own: []string{
			"browser", "internal/compare", "internal/spelling", "learn", "orders", "profiles", "report", "scrape",
			"session/folder", "session/setup", "session/signin", "session/worker", "tasks", "tasks/ledger", "witness",
		},
		others: []string{"github.com/google/uuid", "golang.org/x/image"},
	},
	"internal/doctor": {
		own:   []string{"browser", "internal/container", "internal/disk", "monitor", "profiles", "scrape", "session/worker"},
		tests: []string{"internal/testkit/chromekit"},
	},
	"internal/login": {own: []string{"browser", "internal/remote", "profiles", "scrape", "session/setup", "session/signin", "session/worker"}},
	"internal/sampling": {
		own:    []string{"browser", "learn", "orders", "profiles", "scrape", "session/setup", "session/signin", "session/worker", "tasks", "witness"},
		others: []string{"github.com/google/uuid"},
		tests:  []string{"session/changes"}, // what is learnt of a portal is held against its changes
	},
	"learn": {
		own:    []string{"internal/amount", "internal/calendar", "internal/compare", "internal/spelling", "internal/template", "scrape", "tasks"},
		others: []string{"golang.org/x/text"},
	},
	"internal/remote": {own: []string{"browser", "internal/guard"}},
	"internal/guard":  {},
	"internal/live": {
		own:    []string{"control", "internal/gallery", "internal/guard", "internal/nofollow", "report", "tasks/ledger"},
		others: []string{"golang.org/x/net"},
		tests:  []string{"browser"}, // the page is used as a person uses it
	},
	"session/worker": {
		own:    []string{"browser", "internal/container", "internal/disk", "internal/egress", "monitor", "pool", "profiles", "scrape", "session/breaker", "session/signin", "tasks"},
		others: []string{"github.com/google/uuid"},
		tests:  []string{"internal/proc", "internal/testkit/chromekit"},
	},
	"session/folder": {
		own:    []string{"internal/nofollow", "internal/trust", "session/documents", "tasks", "tasks/ledger"},
		others: []string{"github.com/google/uuid"},
	},
	"session/setup": {
		own: []string{"browser", "internal/container", "internal/inside", "internal/shell", "internal/template", "internal/trust", "monitor", "orders", "scrape", "tasks", "tasks/ledger", "session/folder", "session/progress", "session/signin", "session/story", "session/worker"},
	},
	"session/signin": {
		own:    []string{"browser", "internal/nofollow", "internal/shell", "internal/trust", "scrape", "tasks"},
		others: []string{"github.com/google/uuid", "golang.org/x/sync"},
	},
	"session/ending": {own: []string{"browser", "pool", "profiles", "report", "session/space", "tasks"}},
	"session/life":   {own: []string{"pool", "session/ending", "tasks"}},
	"session/load": {own: []string{
		"internal/disk", "monitor", "pool", "session/progress", "session/setup", "session/story", "session/worker", "tasks",
	}},
	"session/portals": {own: []string{
		"browser", "scrape", "session/setup", "session/signin", "session/story", "session/turns", "session/worker", "tasks", "witness",
	}},
	"session/proofs":   {own: []string{"scrape", "tasks"}, others: []string{"github.com/google/uuid"}},
	"session/drift":    {noIO: true},
	"session/changes":  {own: []string{"internal/compare", "session/drift", "session/folder", "tasks", "tasks/ledger"}},
	"session/space":    {own: []string{"internal/disk", "tasks", "tasks/ledger"}},
	"session/progress": {own: []string{"control", "monitor", "pool", "tasks"}},
	"session/story":    {own: []string{"tasks"}, others: []string{"github.com/google/uuid"}},
	"session/turns":    {own: []string{"tasks"}},
	"session/documents": {
		own:    []string{"internal/filename", "internal/nofollow", "tasks"},
		others: []string{"github.com/google/uuid", "golang.org/x/sys"},
	},
	"session/breaker": {
		own:    []string{"tasks"},
		others: []string{"github.com/google/uuid"},
	},
	"cmd/poscrape": {
		own: []string{
			"control", "internal/check", "internal/disk", "internal/doctor", "internal/gallery", "internal/live", "internal/login", "internal/metrics", "internal/portal", "internal/sampling", "internal/shell", "internal/spelling", "internal/trust", "internal/yamltree", "learn", "session", "tasks",
			"browser", "orders", "profiles", "scrape", "session/folder", "session/worker", "tasks/ledger", // their errors, for the exit codes; and what killed runs have left
		},
		others: []string{
			"github.com/dustin/go-humanize", "github.com/goccy/go-yaml", "github.com/schollz/progressbar",
			"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term",
		},
		tests: []string{"internal/testkit/chromekit"},
	},
	"internal/calendar":  {others: []string{"github.com/go-playground/locales"}, noIO: true},
	"internal/claims":    {own: []string{"inspect", "internal/filename"}},
	"internal/jsondata":  {own: []string{"internal/amount"}, others: []string{"github.com/theory/jsonpath"}, noIO: true},
	"internal/jsonfault": {own: []string{"internal/jsondata"}, noIO: true},
	"internal/jsregexp":  {noIO: true},
	"internal/otp":       {},
	"internal/gallery":   {noIO: true},
	"internal/redact":    {},
	"internal/secret":    {own: []string{"internal/nofollow", "internal/shell"}},
	"internal/scrub":     {own: []string{"browser"}, others: []string{"golang.org/x/net"}},
	"internal/amount":    {own: []string{"internal/spelling"}, others: []string{"golang.org/x/text"}, noIO: true},
	"internal/compare": {
		own:    []string{"internal/amount", "internal/calendar", "internal/template", "tasks"},
		others: []string{"golang.org/x/text"},
		noIO:   true,
	},
	"internal/css":      {noIO: true},
	"internal/filename": {others: []string{"golang.org/x/text"}, noIO: true},
	"internal/metrics":  {own: []string{"control", "internal/guard", "tasks"}, others: []string{"github.com/prometheus/client_golang", "golang.org/x/net"}},
	"internal/nofollow": {},
	"internal/spelling": {noIO: true},
	"internal/yamltree": {others: []string{"github.com/goccy/go-yaml"}, noIO: true},
	"internal/disk":     {own: []string{"internal/nofollow"}, others: []string{"github.com/dustin/go-humanize"}},
	"internal/proc":     {},
	"deploy":            {noIO: true},
	"internal/container": {
		own: []string{"deploy", "internal/proc"}, others: []string{"golang.org/x/sys"},
		tests: []string{"browser", "internal/egress", "internal/testkit/chromekit"}, // it is about Chrome
	},
	"internal/container/entry":   {others: []string{"golang.org/x/sys"}},
	"internal/egress":            {others: []string{"golang.org/x/net"}},
	"internal/trust":             {},
	"internal/template":          {own: []string{"internal/spelling"}, others: []string{"golang.org/x/text"}},
	"internal/shell":             {noIO: true},
	"internal/workbook":          {noIO: true},
	"internal/inside":            {others: []string{"golang.org/x/text"}},
	"internal/portal":            {},
	"internal/archtest":          {},
	"internal/chaos":             {tests: []string{"browser", "internal/testkit/chromekit"}}, // tests alone; they use the program, its files, and a browser as a person does
	"internal/faultpoint":        {own: []string{"tasks"}},
	"internal/leftovers":         {own: []string{"internal/proc"}, others: []string{"golang.org/x/sys"}},
	"internal/testkit":           {},
	"internal/testkit/chromekit": {own: []string{"browser"}},
	"internal/testkit/portalkit": {own: []string{"internal/portal", "internal/testkit"}},
	"scripts":                    {},
	"bench": {
		own:    []string{"bench/protocol", "browser", "internal/portal", "internal/proc"},
		others: []string{"golang.org/x/sync", "golang.org/x/sys"},
	},
	"bench/protocol": {others: []string{"golang.org/x/sync"}},
	"bench/chromedp": {
		own:    []string{"bench/protocol"},
		others: []string{"github.com/chromedp/cdproto", "github.com/chromedp/chromedp", "golang.org/x/sync"},
	},
	"bench/loop": {
		own:    []string{"bench/protocol", "browser", "pool", "scrape", "session/worker", "tasks"},
		others: []string{"github.com/google/uuid"},
	},
}

// forTests is what the tests of every package may import in addition. The arrows
// still point down: a test of pool cannot start a browser.
var forTests = rule{
	own: []string{"internal/portal", "internal/proc", "internal/testkit", "internal/testkit/portalkit", "tasks", "tasks/ledger", "tasks/queuetest"},
	others: []string{
		"github.com/goccy/go-yaml", "github.com/google/uuid",
		"github.com/rogpeppe/go-internal", "github.com/santhosh-tekuri/jsonschema", "github.com/xuri/excelize",
		"go.uber.org/goleak", "golang.org/x/sys", "golang.org/x/text",
	},
}

// io are the packages of the standard library that noIO forbids.
var io = []string{
	"database/sql", "io/fs", "io/ioutil", "log", "net", "os", "path/filepath", "plugin", "syscall",
}
