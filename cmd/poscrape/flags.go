package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// The sections of a command's flags in its help.
const (
	sectionOrders  = "Orders"
	sectionWork    = "Work"
	sectionLoad    = "Load"
	sectionBrowser = "Browser"
	sectionOutput  = "Output"
)

// settings are the flags of a command that runs a session.
type settings struct {
	config session.Config
	output output
	// dryRun: say only what would be done.
	dryRun bool
	// open opens the session, where that is not to begin a new one.
	open func(context.Context, session.Config) (runner, error)
	// introduction is said before the session is opened.
	introduction []session.Notice
	// judge says what else there is to say of a session that has read all orders, and returns the
	// error for its exit code, in place of what follows from their outcomes. Nil: these decide.
	judge func() (string, error)
	// opened is set when the session was opened, so that it has a folder.
	opened bool
}

// output says what is shown while a session runs, and where.
type output struct {
	json, quiet, verbose, noProgress bool
	logFile                          string
	// onEnd is a command that is run at the end.
	onEnd string
	// metricsAddr is where metrics are served, or empty.
	metricsAddr string
	// ui is where the live page is served, or empty.
	ui string
}

// validate refuses flags that contradict each other.
func (o output) validate() error {
	if o.quiet && o.verbose {
		return usageErrorf("--quiet and --verbose contradict each other: leave one out")
	}
	return nil
}

func newSettings() *settings {
	s := &settings{config: session.DefaultConfig()}
	s.config.Version = currentBuild().Version
	s.config.Columns = columns{}
	return s
}

// inSection adds flags to a command, under a heading of its help.
func inSection(cmd *cobra.Command, title string, add func(*pflag.FlagSet)) {
	part := pflag.NewFlagSet(title, pflag.ContinueOnError)
	part.SortFlags = false
	add(part)
	part.VisitAll(func(f *pflag.Flag) {
		f.Annotations = map[string][]string{sectionAnnotation: {title}}
		if value, text, ok := valueName(f); ok {
			f.Annotations[valueAnnotation], f.Usage = []string{value}, text
		}
		if f.Value.Type() == "duration" {
			f.DefValue = shortDuration(f.DefValue)
		}
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(part)
}

// valueName returns what a flag's value is called, and the rest of its usage. A
// usage begins with that name in back quotes, unless the value's type is it.
func valueName(f *pflag.Flag) (name, text string, ok bool) {
	if rest, quoted := strings.CutPrefix(f.Usage, "`"); quoted {
		name, text, _ = strings.Cut(rest, "` ")
		return name, text, true
	}
	return f.Value.Type(), f.Usage, f.Value.Type() != "bool"
}

// shortDuration writes 2m0s as 2m.
func shortDuration(text string) string {
	d, err := time.ParseDuration(text)
	if err != nil || d == 0 {
		return text
	}
	text = d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func (s *settings) addOrders(f *pflag.FlagSet) {
	c := &s.config
	f.Var(&recipeFiles{&c.RecipeFile, &c.MoreRecipes}, "recipe", "recipe that describes the portal (default: the built-in recipe auto); may be repeated, or name a folder: each row takes the recipe whose base_url has its host")
	s.addURL(f)
	f.Var(columns(c.Columns), "column", "which column has the order number; also url=, supplier=, amount=, currency=, priority=, buyer=, documents= (how many an order has); ROLE=none takes no column; may be repeated")
	s.addAllowLocal(f)
	s.addSheet(f)
}

// addSheet adds which sheet of the file is read, and how.
func (s *settings) addSheet(f *pflag.FlagSet) {
	f.StringVar(&s.config.Sheet, "sheet", "", "`NAME` the sheet of a workbook (default: the first)")
	f.StringVar(&s.config.Encoding, "encoding", "", "`NAME` what a sheet of text is encoded in, such as windows-1250, shift_jis, gbk or cp850 (default: UTF-8, UTF-16 or Windows-1252, as it seems)")
}

// addURL adds where the orders of rows without an address are. A session that is gone on with takes it only
// where it was made elsewhere, and then asks for it.
func (s *settings) addURL(f *pflag.FlagSet) {
	f.Var(&urlTemplate{&s.config.URL, &s.config.URLFound}, "url", "`TEMPLATE` the page of rows without a URL, such as https://host/orders/{po}; {digits} is the number without its prefix, {column:NAME} any column")
}

// addAllowLocal adds where the addresses of the sheet may lead.
func (s *settings) addAllowLocal(f *pflag.FlagSet) {
	f.BoolVar(&s.config.AllowLocal, "allow-local", s.config.AllowLocal, "let the sheet's addresses lead to this machine and into its network; a recipe's base_url and --url need no leave")
}

// addSelection adds what chooses a part of the orders.
func (s *settings) addSelection(f *pflag.FlagSet) {
	c := &s.config
	f.StringArrayVar(&c.Only, "only", nil, "`COLUMN=GLOB` run only orders with a matching cell, as in supplier=ACME*, whatever the case; may be repeated: all must match; the others are skipped")
	f.IntVar(&c.Limit, "limit", 0, "`N` run only the first N of the orders that remain; the others are skipped (default: all)")
	f.StringSliceVar(&c.SkipDone, "skip-done", nil, "`DIR,...` skip orders that are complete, or have no documents, in these earlier sessions")
	f.StringVar(&c.Update, "update", "", "`DIR` find what is new since this earlier session; without FILE, its orders are read again")
	s.addDryRun(f)
}

// addDryRun adds that nothing is to be done.
func (s *settings) addDryRun(f *pflag.FlagSet) {
	f.BoolVar(&s.dryRun, "dry-run", false, "say what would be done, and do nothing: no browser is opened and nothing is written")
}

// addCompare adds what is compared with the sheet.
func (s *settings) addCompare(f *pflag.FlagSet) {
	f.Var(compared{&s.config.Compare}, "compare", "which column of the sheet a field is compared with (default: the one of its name or role); FIELD=none leaves that field out, none all; may be repeated")
}

func (s *settings) addOut(f *pflag.FlagSet, standard string) {
	f.StringVarP(&s.config.Out, "out", "o", "", "`DIR` the session folder, which must be new or empty (default: "+standard+")")
}

func (s *settings) addWorkers(f *pflag.FlagSet) {
	f.IntVarP(&s.config.Workers, "workers", "w", s.config.Workers, "`N` browsers side by side, 1 to 8")
}

func (s *settings) addPatience(f *pflag.FlagSet) {
	c := &s.config
	f.IntVar(&c.Retries, "retries", c.Retries, "`N` further attempts after an order's first")
	f.DurationVar(&c.TaskTimeout, "task-timeout", c.TaskTimeout, "`DURATION` how long one attempt may take")
	f.DurationVar(&c.Grace, "grace", c.Grace, "`DURATION` how long orders in progress may go on after the first interrupt")
	f.DurationVar(&c.BreakerPatience, "breaker-patience", c.BreakerPatience, "`DURATION` how long to wait for a portal that is down or refuses nearly everything, up to 24h")
	f.BoolVar(&c.StopEarly, "stop-early", c.StopEarly, "stop (exit code 6, can be resumed) if the first ten orders all end badly for the same reason (default: only warn)")
	f.IntVar(&c.MaxOrders, "max-orders-per-worker", c.MaxOrders, "`N` orders after which a browser is replaced")
	f.DurationVar(&c.MaxAge, "max-worker-age", c.MaxAge, "`DURATION` replace a browser that is older than this, between orders; 0 for no limit")
	f.Var((*size)(&c.MaxMemory), "max-worker-memory", "replace a browser whose processes use more than this, between orders; 0 for no limit")
}

func (s *settings) addSharing(f *pflag.FlagSet) {
	f.Var(s.lifetime(), "worker-lifetime", "once: a fresh Chrome and a fresh profile for each order")
	f.Var(s.distribution(), "distribution", "which worker gets which order: load_balanced to whichever is free, round_robin in turn")
}

// addMode adds how orders are read. Its default is the recipe's.
func (s *settings) addMode(f *pflag.FlagSet) {
	f.VarPF(s.mode(), "mode", "", "how orders are read: auto fetches pages once fetching has been shown to give the same result as rendering, render renders all, fetch renders only if it has to (default: the recipe's, else auto)").DefValue = ""
}

func (s *settings) mode() choice[session.Mode] {
	return choice[session.Mode]{&s.config.Mode, session.Modes()}
}

func (s *settings) lifetime() choice[session.Lifetime] {
	return choice[session.Lifetime]{&s.config.Lifetime, []session.Lifetime{session.Reuse, session.Once}}
}

func (s *settings) distribution() choice[tasks.Distribution] {
	return choice[tasks.Distribution]{&s.config.Distribution, []tasks.Distribution{tasks.LoadBalanced, tasks.RoundRobin}}
}

func (s *settings) addThresholds(f *pflag.FlagSet) {
	c := &s.config
	f.Float64Var(&c.CPUThreshold, "cpu-threshold", c.CPUThreshold, "`SHARE` CPU load above which workers are removed, 0.5 to 0.95")
	f.Float64Var(&c.MemoryThreshold, "memory-threshold", c.MemoryThreshold, "`SHARE` memory load above which workers are removed, 0.7 to 0.98")
	f.DurationVar(&c.CheckInterval, "check-interval", c.CheckInterval, "`DURATION` how often the load is measured, 1s to 30s")
}

// addWaits adds how long is waited where nothing happens.
func (s *settings) addWaits(f *pflag.FlagSet) {
	c := &s.config
	f.DurationVar(&c.PollInterval, "poll-interval", c.PollInterval, "`DURATION` how long idle workers that nobody wakes wait at first before they look for orders; that doubles")
	f.DurationVar(&c.IdleBackoff, "idle-backoff", c.IdleBackoff, "`DURATION` the longest that idle workers wait before they look for orders")
	f.DurationVar(&c.HangTimeout, "hang-timeout", c.HangTimeout, "`DURATION` after such a silence a browser is asked whether it is there, and so long it has to answer")
	f.DurationVar(&c.CleanupTimeout, "cleanup-timeout", c.CleanupTimeout, "`DURATION` how long removing a browser's profile may take")
}

func (s *settings) addNoScale(f *pflag.FlagSet) {
	f.BoolVar(&s.config.NoScale, "no-scale", s.config.NoScale, "keep the number of workers whatever the load")
}

// addLimits adds what one worker may use.
func (s *settings) addLimits(f *pflag.FlagSet) {
	c := &s.config
	f.Var((*size)(&c.MemoryLimit), "worker-memory-limit", "how much memory the processes of one browser may use; 0 for no limit, with a warning above 2GB")
	f.Float64Var(&c.CPULimit, "worker-cpu-limit", c.CPULimit, "`CORES` how many processors one browser may keep busy, such as 1.5; 0 for no limit, with a warning above two")
	f.Var((*size)(&c.DiskLimit), "worker-disk-limit", "how large the profile of one browser may be; 0 for no limit")
	f.Var(s.limitAction(), "limit-action", "what to do about a worker over a limit: warn only reports it, throttle gives it no orders until it is below, kill ends its browser")
}

func (s *settings) limitAction() choice[worker.LimitAction] {
	return choice[worker.LimitAction]{&s.config.Action, []worker.LimitAction{worker.LimitWarn, worker.LimitThrottle, worker.LimitKill}}
}

// addEvidence adds what is kept to look at afterwards.
func (s *settings) addEvidence(f *pflag.FlagSet) {
	c := &s.config
	f.Var(choice[session.Keep]{&c.Evidence, session.Keeps()}, "evidence", "which attempts keep a screenshot, the page and its errors; failed also keeps a picture of the first orders without documents")
	f.Var((*someSize)(&c.EvidenceLimit), "evidence-limit", "how much space all evidence of the session may take")
}

// addRepair adds whether documents are fetched again that are gone.
func (s *settings) addRepair(f *pflag.FlagSet) {
	f.BoolVar(&s.config.Strict, "strict", s.config.Strict, "end with exit code 3 also where an order that ended well could not be confirmed")
	f.BoolVar(&s.config.NoRepair, "no-repair", s.config.NoRepair, "when a session is resumed or retried, do not fetch missing or changed documents again")
}

func (s *settings) addMinFree(f *pflag.FlagSet) {
	flag := f.VarPF((*size)(&s.config.MinFree), "min-free", "", "begin no order if a disk has less free space than this (default: a tenth of the disk, 8MB to 256MB)")
	flag.DefValue = ""
}

func (s *settings) addChrome(f *pflag.FlagSet) {
	c := &s.config
	f.StringVar(&c.Chrome, "chrome", c.Chrome, "`PATH` the Chrome to use (default: POSCRAPE_CHROME, else the first that is found)")
	f.BoolVar(&c.Headful, "headful", c.Headful, "show the browsers' windows")
	f.BoolVar(&c.NoSandbox, "no-sandbox", c.NoSandbox, "run Chrome without its sandbox")
	f.BoolVar(&c.Hardened, "hardened", c.Hardened, "have Chrome draw pages in a process of its own, in the sandbox: safer, but it takes more memory and time (on Linux; elsewhere, and with --headful, it always does)")
	f.StringVar(&c.TempDir, "temp-dir", c.TempDir, "`DIR` where profiles live while a browser does (default: the system's directory for temporary files)")
}

// addKeepProfiles adds that profiles are left.
func (s *settings) addKeepProfiles(f *pflag.FlagSet) {
	f.BoolVar(&s.config.KeepProfiles, "keep-profiles", s.config.KeepProfiles, "leave the browsers' profiles where they are at the end, to look at; poscrape doctor --clean removes them")
}

func (s *settings) addProfile(f *pflag.FlagSet) {
	c := &s.config
	f.StringVar(&c.Proxy, "proxy", c.Proxy, "`URL` the proxy that the browsers use, with user and password if it asks for them (they are not stored); or pac+URL, a script that chooses one; or system, that of the system's settings")
	f.StringVar(&c.CA, "ca", c.CA, "`FILE` the certificate of an authority that browsers trust besides the usual ones (on Linux; needs certutil)")
	f.StringVar(&c.State, "state", c.State, "`FILE` session state: Playwright's JSON or a cookies.txt (default: NAME.state.json beside the recipe NAME.yaml)")
	f.StringArrayVar(&c.Secrets, "secret", c.Secrets, "`NAME=env:VAR` where a secret of the recipe comes from, if it may not read that by itself; or NAME=file:PATH; NAME is what follows env: or file: in the recipe; may be repeated")
	f.StringVar(&c.BaseProfile, "base-profile", c.BaseProfile, "`DIR` a Chrome profile (user data directory) whose essentials each browser starts with")
	f.Var((*size)(&c.ProfileSize), "profile-size-limit", "how large a profile may grow")
}

// addAround adds what goes on beside a session, and after it.
func (s *settings) addAround(f *pflag.FlagSet) {
	f.StringVar(&s.output.metricsAddr, "metrics-addr", "", "`HOST:PORT` serve metrics for Prometheus there, at /metrics; without HOST on this machine only, port 0 is a free one")
	f.StringVar(&s.output.onEnd, onEndFlag, "", "`COMMAND` run this in a shell when the report is written, with POSCRAPE_DIR, POSCRAPE_EXIT_CODE and the counts in its environment")
}

func (s *settings) addOutput(f *pflag.FlagSet) {
	o := &s.output
	f.BoolVar(&o.json, "json", false, "progress and end as JSON lines on standard output")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print errors only")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "print what happens in detail")
	f.BoolVar(&o.noProgress, "no-progress", false, "show no progress")
	f.StringVar(&o.logFile, "log-file", "", "`FILE` where the log goes (default: poscrape.log in the session folder)")
	f.StringVar(&o.ui, "ui", "", "`HOST:PORT` serve a page there to watch and steer the run, and to sign in at the portal where a person has to; without HOST on this machine only, port 0 is a free one")
}
