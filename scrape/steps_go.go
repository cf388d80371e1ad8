package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// Some portals show an order only at an address that their own page makes: of the session that a frame was
// given, or of what a script has asked for. A step opens that address as a page of its own. It is known
// only when the page has come to rest: until then a frame may yet be led to another.

// GoRule says where the address of the page is that StepGo opens: made, by LinkRule, of what the step's
// element holds, or of what stands in the portal's data.
type GoRule struct {
	LinkRule
	// Data is where Path finds it, where that is not nil.
	Data DataSource
	Path *Path
}

// namesOrder reports whether the address may be another one for each order.
func (g *GoRule) namesOrder() bool {
	if g == nil {
		return false
	}
	all := g.URL + g.Data.Answer + g.Data.Get
	return namesOrder(all) || strings.Contains(all, "{column:") || g.Path != nil && g.Path.ofOrder
}

// lookForAddress is how long a page is left alone that does not show the address.
const lookForAddress = 250 * time.Millisecond

// goStep opens the page that a step leads to, and returns the tab that shows it.
func (a *attempt) goStep(ctx context.Context, step Step) (*browser.Tab, error) {
	began, limit := time.Now(), a.portal.recipe.Ready.Timeout
	for {
		address, from, why, err := a.goAddress(ctx, step)
		switch {
		case errors.Is(err, browser.ErrNavigated) && ctx.Err() == nil && time.Since(began) < limit:
			continue
		case err != nil:
			return nil, err
		case why == "":
			return a.goThere(ctx, step, address, from)
		case step.Go.Data.Get != "": // it is asked for once
			return nil, &StepError{Step: step, Err: errors.New(why)}
		case time.Since(began) >= limit:
			err := error(&browser.ElementError{Target: step.Target, Why: why})
			if step.Go.Path != nil {
				err = errors.New(why)
			}
			return nil, &StepError{Step: step, Err: err, Limit: limit}
		}
		select {
		case <-time.After(lookForAddress):
		case <-ctx.Done():
			return nil, &StepError{Step: step, Err: context.Cause(ctx)}
		}
	}
}

// goAddress returns the address that a page shows which has come to rest, or why it shows none; from is its
// own.
func (a *attempt) goAddress(ctx context.Context, step Step) (address, from, why string, err error) {
	p, err := a.settled(ctx, a.onTheWay())
	if stopped := a.stopped(a.browser.Stopped()); stopped != nil {
		return "", "", "", stopped
	}
	if err == nil && p.BadSelector != "" {
		err = a.badSelector(p.BadSelector)
	}
	if err == nil {
		err = a.moved()
	}
	if err == nil && a.bars(p) {
		err = a.refused(p)
	}
	switch {
	case err != nil:
		return "", "", "", err
	case step.Go.Path != nil:
		address, why, err = a.addressInData(ctx, step, p)
	default:
		address, why, err = a.addressInPage(ctx, step)
	}
	return address, p.URL, why, err
}

// addressInData returns the address that stands in the portal's data.
func (a *attempt) addressInData(ctx context.Context, step Step, p *page) (address, why string, err error) {
	a.sent = a.sent.Then(a.browser.Tab().SentHeaders())
	set, err := a.ask(ctx, p, step.Go.Data, noField)
	if err != nil {
		return "", "", err
	}
	path, set, err := a.pathInto(set, step.field()+".path", step.Go.Path)
	if err != nil {
		return "", "", err
	}
	field := FieldRule{Name: "address", Data: step.Go.Data, Path: path}
	read := &page{Fields: map[string]string{}}
	read.fieldOf(field, set)
	value, why := read.told(&Recipe{Fields: []FieldRule{field}}, field.Name)
	if why != "" {
		return "", "what is at " + path.text + " " + why, nil
	}
	base := p.URL
	if len(set.list) > 0 {
		base = set.list[0].from
	}
	address, why = a.pageAddress(&step.Go.LinkRule, base, value)
	return address, why, nil
}

// addressInPage returns the address that the elements of the step's selector have, the visible ones if
// there are any. One that match does not fit is another's.
func (a *attempt) addressInPage(ctx context.Context, step Step) (address, why string, err error) {
	tab := a.browser.Tab()
	all, err := tab.Take(ctx, step.Target, step.Go.Attr)
	if err != nil {
		return "", "", err
	}
	slices.SortStableFunc(all, func(x, y browser.Taken) int {
		switch {
		case x.Visible == y.Visible:
			return 0
		case x.Visible:
			return -1
		}
		return 1
	})
	var found []string
	var seen bool // it is that of visible ones
	whys := ""
	for _, one := range all {
		if seen && !one.Visible {
			break
		}
		to, why := a.pageAddress(&step.Go.LinkRule, one.Base, one.Value)
		if why != "" {
			if whys == "" {
				whys = why
			}
			continue
		}
		seen = one.Visible
		for _, label := range one.Labels {
			if does, err := a.portal.doesMore(ctx, tab, label, label, label, true); err != nil || does.Label != "" {
				return "", "", errors.Join(err, notFollowed(step, does.Label))
			}
		}
		if !slices.Contains(found, to) {
			found = append(found, to)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], "", nil
	case len(found) > 1:
		return "", fmt.Sprintf("it has %d different addresses, such as %s and %s; have the selector, or match, meet the one that is meant",
			len(found), quoted(browser.Redact(found[0])), quoted(browser.Redact(found[1]))), nil
	case len(all) == 0:
		return "", "nothing met it", nil
	}
	return "", whys, nil
}

func notFollowed(step Step, refused string) error {
	if refused == "" {
		return nil
	}
	return tasks.Permanent("", tasks.ClassNotClicked, "%s was not followed: %q says that it does more than show a page", step.field(), refused)
}

// noField tells the values of fields where they are not known yet.
func noField(string) (value, why string) { return "", "is read later" }

// pageAddress returns the address of a page that is made of a value, or why it cannot be made.
func (a *attempt) pageAddress(l *LinkRule, base, value string) (address, why string) {
	return a.makeAddress(l, making{at: string(StepGo), of: "page", base: base}, value, noField)
}

// goThere opens an address, if it is one of the portal's that changes nothing.
func (a *attempt) goThere(ctx context.Context, step Step, address, from string) (*browser.Tab, error) {
	if !a.allowed(address) {
		return nil, tasks.Permanent(tasks.OutcomeFailed, tasks.ClassHost, "%s leads to a host that the recipe's allowed_hosts do not name: %s", step.field(), browser.Redact(address))
	}
	if err := checkVisit(address); err != nil {
		return nil, tasks.Permanent("", tasks.ClassNotClicked, "%s was not followed: it %w", step.field(), err)
	}
	if err := a.portal.wait(ctx, address); err != nil {
		return nil, err
	}
	res, err := a.navigate(ctx, address, from)
	if err != nil {
		return nil, err
	}
	tasks.Active(ctx)
	return a.browser.Tab(), a.ledBy(step, res, from)
}

// ledBy judges the answer to what a step has led to from a page. That such a page is not found, or is
// refused, says nothing of the order.
func (a *attempt) ledBy(step Step, res *browser.Response, from string) error {
	failed := func(why string) error {
		return &StepError{Step: step, Err: fmt.Errorf("%s: %s", why, browser.Redact(res.URL))}
	}
	if res.Download {
		return failed("it leads to a document and no page")
	}
	err := a.arrived(res)
	f := &tasks.Failure{}
	if errors.As(err, &f) && res.Status >= 400 && res.Status < 500 && slices.Contains([]tasks.Class{tasks.ClassNotFound, tasks.ClassAccessDenied, tasks.ClassHTTPStatus}, f.Class) {
		return failed(fmt.Sprintf("the page that it leads to was answered with status %d", res.Status))
	}
	if err == nil && withoutFragment(res.URL) == withoutFragment(from) {
		return failed("it led back to the page that it is on")
	}
	return err
}

// checkVisit says why the page at an address is not opened: the words in it say that this changes
// something. A segment with a digit in it is a name that some machine has given.
func checkVisit(address string) error {
	path, query, _ := strings.Cut(placeOf(address), "?")
	for _, segment := range strings.Split(path, "/") {
		if strings.ContainsFunc(unescaped(segment), unicode.IsDigit) {
			continue
		}
		if err := checkName(segment, "its address"); err != nil {
			return err
		}
	}
	for _, pair := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if err := checkOperation(unescaped(name), unescaped(value)); err != nil {
			return err
		}
	}
	return nil
}
