package sampling

import (
	"cmp"
	"context"
	"os"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/learn"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/tasks"
)

const (
	// mostTries is how often an order is opened, where signing in came between.
	mostTries = 3
	// keepTimeout bounds asking the browser for its sign-in.
	keepTimeout = 10 * time.Second
)

// recipeFile is the file of the recipe that is completed, or empty.
func (v *visit) recipeFile() string {
	if v.given == nil {
		return ""
	}
	return v.given.File
}

// stateFile is where a sign-in is looked for: as for a run with the recipe that is completed, or else
// as for one with the draft.
func (v *visit) stateFile(portal *scrape.Portal) *signin.File {
	recipe := cmp.Or(v.recipeFile(), v.cfg.Out)
	if v.recipeFile() != "" && v.cfg.Out != "" && !isThere(signin.PathFor(recipe)) && isThere(signin.PathFor(v.cfg.Out)) {
		recipe = v.cfg.Out
	}
	return signin.FileFor(v.cfg.State, recipe, portal)
}

func isThere(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// prepareSignIn reads the sign-in that there is, as a session does.
func (v *visit) prepareSignIn(portal *scrape.Portal) error {
	for _, o := range v.sheet.Orders {
		portal.SeeAddress(o.URL)
	}
	v.kept = v.stateFile(portal)
	cfg := signin.Config{Able: portal.SignsIn(), Stop: v.stop, Keep: func(state *browser.State) { v.keep(v.kept, state) },
		Tell: func(e tasks.Event) { v.cfg.Tell("  %s", e.Detail) }}
	if login := portal.Login(); login != nil {
		cfg.Sharing = login.Sharing
	}
	state, warning, err := v.kept.Read(v.cfg.State != "" && !portal.SignsIn(), v.cfg.LoginCommand(v.recipeFile(), v.site()))
	if err != nil {
		return &setup.ConfigError{Field: "state", Message: err.Error()}
	}
	if warning != "" {
		v.cfg.Tell("Warning: %s", warning)
	}
	cfg.State = state
	v.keeper = signin.New(cfg)
	return nil
}

// site is the address of the portal.
func (v *visit) site() string {
	if len(v.sheet.Orders) == 0 {
		return ""
	}
	return setup.SiteOf(v.sheet.Orders[0].URL)
}

// stop notes what nobody can pass.
func (v *visit) stop(seen, _ string) {
	cfg := v.cfg.Config
	wall := &WallError{Seen: v.kept.AtWall(seen)}
	if v.given == nil {
		wall.State = cfg.SignInFile("")
		if path := v.kept.Path(); path != "" {
			cfg.State, wall.State = path, ""
		}
	} else if login := v.given.Login; login != nil && (len(login.Steps) > 0 || login.HTTP != nil) {
		wall.Recipe = v.given.File
	}
	wall.Login = cfg.LoginCommand(v.recipeFile(), v.site())
	v.walled = wall
}

// signedIn opens an order's page, again where somebody had to sign in first. It returns the error of opening it, or
// ctx's cause. Where nobody can sign in, it notes the wall.
func (v *visit) signedIn(ctx context.Context, task *tasks.ProcessingTask, open func(context.Context) (*tasks.Result, error)) (err error) {
	for range mostTries {
		left, failed := v.try(ctx, task, open)
		switch err = failed; {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case v.walled != nil:
			f := tasks.AsFailure(err)
			v.walled.Other = v.walled.Other || f != nil && f.Class == tasks.ClassWall
			return err
		case left.Why == "" || left.After > 0:
			return err
		}
	}
	return err
}

// try opens an order once.
func (v *visit) try(ctx context.Context, task *tasks.ProcessingTask, open func(context.Context) (*tasks.Result, error)) (signin.Left, error) {
	opening, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	entered, err := v.keeper.Enter(opening, v.scraper, task)
	if err != nil {
		return signin.Left{}, err
	}
	res, err := open(opening)
	leaving, cancel := context.WithTimeout(ctx, v.cfg.TaskTimeout)
	defer cancel()
	return entered.Leave(leaving, res, err), err
}

// keepSignIn stores the sign-in as the portal has renewed it, if an order got through with it; and, once there is a
// draft, where the next run with that looks for it.
func (v *visit) keepSignIn(ctx context.Context, draft *learn.Draft) {
	if len(v.pages) == 0 {
		return
	}
	v.keeper.Gone(context.WithoutCancel(ctx), v.scraper, keepTimeout)
	state := v.keeper.Latest()
	v.keep(v.kept, state)
	if draft == nil || v.cfg.Out == "" {
		return
	}
	recipe, err := draft.Recipe(v.cfg.Out)
	if err != nil {
		return // whoever writes the draft says so
	}
	v.keep(v.kept.For(scrape.NewPortal(recipe, nil), v.cfg.State, v.cfg.Out), state)
}

func (v *visit) keep(file *signin.File, state *browser.State) {
	if err := file.Write(state); err != nil {
		v.cfg.Tell("Warning: the sign-in could not be written to %s: %v; the next run may have to sign in anew", file.Path(), err)
	}
}
