package signin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/trust"
	"github.com/poscrape/poscrape/scrape"
)

// madeByHand is the kind of a sign-in that a person has made for a portal's sites with poscrape login.
const madeByHand = "sign-in by hand"

// File is where a sign-in is kept between runs. The portal gets what is its own of what is in the file; or all of it,
// where poscrape login has made the file for the sites of the portal, and its recipe has no login.
type File struct {
	path   string
	portal *scrape.Portal
	// unnamed: no person has named it, it lies beside the recipe.
	unnamed bool
	// made is the code in the file; rest is of other portals, and stays there. byHand: a person has just
	// signed in.
	made   string
	rest   browser.State
	byHand bool
}

// NewFile returns the state file of a portal that a person has named. Without a path there is none: nothing is read or kept.
func NewFile(path string, portal *scrape.Portal) *File {
	return &File{path: path, portal: portal}
}

// Path returns where it is, or "".
func (f *File) Path() string { return f.path }

// Sign notes that a person has signed in for this portal: Write keeps all of that. It returns why that cannot be noted on
// this machine, if it matters: the recipe does not say itself where people sign in.
func (f *File) Sign() error {
	store := trust.Open()
	f.byHand = true
	f.made = store.Code(madeByHand, f.portal.OwnSites()...)
	if f.portal.Login() != nil {
		return nil
	}
	return store.Err()
}

// For returns the state file of another recipe for the portal, which gets what this one's got: see FileFor.
func (f *File) For(portal *scrape.Portal, named, recipe string) *File {
	other := FileFor(named, recipe, portal)
	if other.path == f.path {
		other.rest = f.rest
	}
	if f.all() {
		other.made = trust.Open().Code(madeByHand, portal.OwnSites()...)
	}
	return other
}

// Read returns what is the portal's in the file, without the cookies whose time is over; nil where there is no file,
// and it is not required. Its errors are a *FileError, or name login, the command that makes the file.
// warning is for a person, or empty.
func (f *File) Read(required bool, login string) (state *browser.State, warning string, err error) {
	if f.path == "" {
		return nil, "", nil
	}
	if f.unnamed {
		if err := foundThere(f.path); err != nil {
			return nil, "", err
		}
	}
	in, warning, err := readFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		if !required {
			return nil, "", nil
		}
		err = fmt.Errorf("%s is not there; make it with: %s", f.path, login)
	}
	if err != nil {
		return nil, "", err
	}
	f.made = in.Made
	state, f.rest = f.divide(&in.State)
	return state, warning, nil
}

// divide returns what is the portal's of a state, and the rest.
func (f *File) divide(s *browser.State) (own *browser.State, rest browser.State) {
	if f.all() {
		return s, browser.State{}
	}
	own = &browser.State{Cookies: []browser.Cookie{}, Origins: []browser.Origin{}}
	for _, c := range s.Cookies {
		if f.portal.OwnCookie(c) {
			own.Cookies = append(own.Cookies, c)
		} else {
			rest.Cookies = append(rest.Cookies, c)
		}
	}
	for _, o := range s.Origins {
		if f.portal.OwnOrigin(o.Origin) {
			own.Origins = append(own.Origins, o)
		} else {
			rest.Origins = append(rest.Origins, o)
		}
	}
	return own, rest
}

// all reports whether the portal gets all that is in the file.
func (f *File) all() bool {
	return f.portal.Login() == nil && f.made != "" && trust.Open().Made(f.made, madeByHand, f.portal.OwnSites()...)
}

// LeftOut says what the portal did not get of what was read; or returns "".
func (f *File) LeftOut() string {
	var hosts []string
	for _, c := range f.rest.Cookies {
		hosts = append(hosts, strings.TrimPrefix(c.Domain, "."))
	}
	slices.Sort(hosts)
	hosts = slices.Compact(hosts)
	if len(hosts) == 0 {
		return ""
	}
	const shown = 5
	named := strings.Join(hosts[:min(shown, len(hosts))], ", ")
	if len(hosts) > shown {
		named += fmt.Sprintf(" and %d more", len(hosts)-shown)
	}
	return fmt.Sprintf("cookies of %s in %s were not used, as the recipe names these hosts neither as the portal's own nor in login.hosts", named, f.path)
}

// AtWall returns what was seen where nobody can sign in, with what was left out.
func (f *File) AtWall(seen string) string {
	if left := f.LeftOut(); left != "" {
		return seen + "; " + left
	}
	return seen
}

// Write puts a state in the place of what the portal got of the file, whole or not at all, readable by its owner alone:
// as Playwright's JSON, or, where the file is a cookies.txt, its cookies as one. It returns a *FileError.
func (f *File) Write(s *browser.State) error {
	if f.path == "" || s == nil {
		return nil
	}
	own := s
	if !f.byHand {
		own, _ = f.divide(s)
	}
	return f.put(content{Made: f.made, State: browser.State{
		Cookies: append(slices.Clone(own.Cookies), f.rest.Cookies...),
		Origins: append(slices.Clone(own.Origins), f.rest.Origins...),
	}})
}

// put writes the file, in the place of what it may be written in the place of.
func (f *File) put(in content) error {
	path, err := f.target()
	if err != nil {
		return err
	}
	return writeFile(path, in)
}

// Remove takes the portal's part out of the file, or removes the file, if nothing else is in it.
func (f *File) Remove() error {
	if f.path == "" {
		return nil
	}
	if len(f.rest.Cookies)+len(f.rest.Origins) > 0 {
		return f.put(content{State: f.rest})
	}
	if err := os.Remove(f.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
