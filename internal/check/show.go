package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// ShowConfig says which order of a session is shown, and how.
type ShowConfig struct {
	// Dir is the session folder. It is only read.
	Dir string
	// PO is the order's number, as people write it, or its address.
	PO string
	// ResumeConfig changes what the session remembers of recipe, sign-in, Chrome and proxy, for this
	// time only.
	setup.ResumeConfig
	// Picture is the file that the framed page goes to as a PNG, in place of a window, or empty.
	Picture string
	// Out gets what is found, and Tell says something to the person meanwhile.
	Out  io.Writer
	Tell func(format string, args ...any)
	// HasDisplay reports whether this machine has a display.
	HasDisplay func() bool
	// Shown is called when the window shows the order, if it is not nil.
	Shown func()
	// unseen opens no window though there is a display.
	unseen bool
}

// WindowError says why no window can be opened on this machine.
type WindowError struct{ Err error }

func (e *WindowError) Error() string {
	return fmt.Sprintf("no window can be opened to show the order: %v; with --picture FILE.png its page is kept as a picture instead", e.Err)
}

// Unwrap returns the error behind it.
func (e *WindowError) Unwrap() error { return e.Err }

// WallError says what stands before the order, and what to do about it.
type WallError struct{ Seen string }

func (e *WallError) Error() string { return e.Seen }

// NoPictureError says why there is no picture of the page.
type NoPictureError struct{ Why string }

func (e *NoPictureError) Error() string { return "there is no picture of the page: " + e.Why }

// OrderError says why an order that was asked for cannot be shown.
type OrderError struct{ Message string }

func (e *OrderError) Error() string { return e.Message }

// Show says what the session knows of one order, opens it in a Chrome as a session does, says what
// each selector meets there, and shows the page with that in frames until the window is closed or
// ctx ends; or it keeps a picture of it. No document is downloaded, and nothing in the session
// folder changes, also while the session runs. Its errors are an *OrderError, a *WindowError, a
// *WallError, a *NoPictureError, ctx's cause if it ends before the page is shown, and those of
// resuming a session. It blocks until then. Whatever it returns, no browser and no profile is left.
func Show(ctx context.Context, cfg ShowConfig) error {
	if cfg.Picture == "" && !cfg.HasDisplay() {
		return &WindowError{errors.New("this machine has no display (neither DISPLAY nor WAYLAND_DISPLAY is set)")}
	}
	s, err := recall(ctx, cfg)
	if err != nil {
		return err
	}
	s.recordText(cfg.Out)
	if s.task.Invalid != nil {
		return &OrderError{fmt.Sprintf("%s cannot be opened, as its row cannot be used", s.task.Name())}
	}
	if err := checkPicture(cfg.Picture); err != nil {
		return err
	}
	return s.run(ctx)
}

// judged is what is known of an order that ended well, and whether that confirms it.
type judged struct {
	proof     *tasks.Proof
	confirmed bool
}

// text says so for people, or is empty.
func (j judged) text() string {
	switch {
	case j.proof == nil:
		return ""
	case j.confirmed:
		return fmt.Sprintf("yes: %s; %s", j.proof.Page.Text, j.proof.Text)
	}
	return "no: " + j.proof.Lacks
}

// judgements are those of a session's orders.
type judgements map[uuid.UUID]judged

func (j judgements) read(ctx context.Context, l *ledger.Ledger) error {
	return report.Judge(ctx, l, func(t *tasks.ProcessingTask, proof *tasks.Proof, confirmed bool) {
		j[t.ID] = judged{proof, confirmed}
	})
}

// shown is one order of a session that is shown.
type shown struct {
	visitor
	cfg  ShowConfig
	task *tasks.ProcessingTask
	// live: the session runs.
	live bool
	judged
	// kinds are those of the pages on which the session has met documents.
	kinds map[string]bool
}

// mended returns the recipes that take the place of the session's own, if any are named.
func (c ShowConfig) mended() (setup.Recipes, error) {
	if c.Recipe == "" {
		return nil, nil
	}
	return setup.ReadRecipes(setup.Config{RecipeFile: c.Recipe, MoreRecipes: c.MoreRecipes})
}

// recall reads what the session knows of the order.
func recall(ctx context.Context, cfg ShowConfig) (*shown, error) {
	dir, err := folder.FindOwn(cfg.Dir)
	if err != nil {
		return nil, err
	}
	mended, err := cfg.mended()
	if err != nil {
		return nil, err
	}
	s := &shown{cfg: cfg, kinds: map[string]bool{}, live: ledger.Owner(filepath.Join(dir, folder.LedgerName)) != nil}
	var was *setup.Remembered
	proofs, search, sheet := judgements{}, search{number: cfg.PO}, &orders.Sheet{}
	err = folder.ReadOnly(ctx, dir, func(ctx context.Context, l *ledger.Ledger) error {
		if was, err = setup.Read(ctx, l, dir); err != nil {
			return err
		}
		sheet.Input = was.Record.Input
		if err := proofs.read(ctx, l); err != nil {
			return err
		}
		return l.Each(ctx, func(task *tasks.ProcessingTask) error {
			search.see(task)
			if task.Result != nil && slices.ContainsFunc(task.History, func(a tasks.Attempt) bool { return metItem(a.Looks) }) {
				s.kinds[task.Result.Kind] = true
			}
			sheet.Orders = append(sheet.Orders, orders.PurchaseOrder{Number: task.PO, URL: task.URL, Portal: task.Portal, Rows: task.Rows})
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if s.task, err = search.found(); err != nil {
		return nil, err
	}
	s.judged = proofs[s.task.ID]
	next, recipes, err := was.Next(cfg.ResumeConfig, mended)
	if err != nil {
		return nil, err
	}
	if dropped := setup.DroppedText(dir, was.Dropped); dropped != "" && cfg.Tell != nil {
		cfg.Tell("%s", dropped)
	}
	if err := recipes.Admit(next, true); err != nil {
		return nil, err
	}
	if next.LooksUpAgain(recipes) {
		next.LookUpAgain(ctx, sheet.Orders, recipes)
	}
	next.Headful = cfg.Picture == "" && !cfg.unseen
	p := &prober{cfg: Config{Config: next, Tell: cfg.Tell}, sheet: sheet, report: &Report{Probe: &Probe{}}}
	p.comparison = comparisonOf(p.cfg, sheet)
	for _, r := range recipes {
		if r.Portal == s.task.Portal {
			p.recipes = setup.Recipes{r}
			s.visitor = visitor{prober: p, recipe: r, portal: scrape.NewPortal(r.Recipe, sheet.Input.Columns)}
			s.portal.JudgeAnswers(p.cfg.Answered(r))
			s.portal.OutwaitPauses(p.cfg.Tell)
			s.portal.ReadRows(sheet.Values(r.Portal, r.Told()))
			for _, o := range sheet.Orders {
				s.portal.SeeNumber(o.Number)
			}
			return s, nil
		}
	}
	return nil, &OrderError{fmt.Sprintf("the session has no recipe for %s", s.task.Name())}
}

// checkPicture tries whether the file of a picture can be made: later it would be in vain.
func checkPicture(file string) error {
	if file == "" {
		return nil
	}
	probe, err := os.CreateTemp(filepath.Dir(file), ".poscrape-*")
	if err == nil {
		err = errors.Join(probe.Close(), os.Remove(probe.Name()))
	}
	if info, statErr := os.Stat(file); err == nil && statErr == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a file")
	}
	if err != nil {
		return &setup.ConfigError{Field: "picture", Message: fmt.Sprintf("%s cannot be written: %s; name a file in a folder that can be written to", file, folder.Reason(err))}
	}
	return nil
}

// run opens the order and shows it.
func (s *shown) run(ctx context.Context) (err error) {
	if err := s.prepareWindow(ctx); err != nil {
		return err
	}
	if err := s.prepareSignIn(); err != nil {
		return err
	}
	if s.live { // whose sign-in a second one could end
		s.keeper = s.looker()
	}
	s.cfg.Tell("Opening order %s", s.task.Name())
	if err := s.open(ctx); err != nil {
		if s.cfg.Picture == "" && errors.Is(err, browser.ErrLaunch) && !errors.As(err, new(*browser.SandboxError)) {
			return &WindowError{err}
		}
		return err
	}
	defer func() { err = errors.Join(err, s.opener.Close()) }()
	probed, err := s.read(ctx, &tasks.ProcessingTask{ID: uuid.New(), Spec: s.task.Spec})
	if err != nil {
		return err
	}
	if s.wall != "" {
		return &WallError{s.wall}
	}
	if res := probed.Result; res != nil && res.AwaitsItem && s.kinds[res.Kind] { // as in the session
		res.Outcome, res.Missing, res.Proof = tasks.OutcomeNoAttachments, nil, provenLater()
	}
	s.nowText(s.cfg.Out, probed)
	if !s.live {
		s.keepSignIn(ctx)
	}
	if s.cfg.Picture != "" {
		return s.keepPicture(probed.View)
	}
	return s.stay(ctx, probed)
}

func (s *shown) prepareWindow(ctx context.Context) error {
	err := s.prepare(ctx)
	switch {
	case s.cfg.Picture != "" || s.cfg.unseen:
		return err
	case errors.Is(err, browser.ErrNoChrome):
		return &WindowError{err}
	case err == nil && s.chrome.HeadlessShell:
		return &WindowError{fmt.Errorf("%s has no windows; name a full Chrome with --chrome", s.chrome.Path)}
	}
	return err
}

// keepPicture writes the picture of the page, all of it or nothing.
func (s *shown) keepPicture(view *scrape.View) error {
	content, unframed, why := framed(view, s.numbers())
	if content == nil {
		return &NoPictureError{why}
	}
	part := s.cfg.Picture + ".part"
	err := os.WriteFile(part, content, 0o600)
	if err == nil {
		err = os.Rename(part, s.cfg.Picture)
	}
	if err != nil {
		_ = os.Remove(part)
		return fmt.Errorf("writing the picture: %w", err)
	}
	fmt.Fprintf(s.cfg.Out, "\npicture     %s", s.cfg.Picture)
	if unframed > 0 {
		fmt.Fprintf(s.cfg.Out, " (%s hidden or not in it)", plural(unframed, "element"))
	}
	fmt.Fprintln(s.cfg.Out)
	return nil
}
