package report

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// Step is something to do next, with the command to type, if there is one.
type Step struct {
	// Title says what to do, Why says why and what comes of it.
	Title, Why string
	// Command is what to type, or empty.
	Command string
}

// Situation is how a session has ended, as far as that says what to do next.
type Situation struct {
	// Folder is the session folder as commands are to name it.
	Folder string
	// Open is how many orders are to be gone on with.
	Open      int
	ByOutcome map[tasks.Outcome]int
	Reasons   []Reason
	// Lacking is what orders lack that ended well and are not confirmed.
	Lacking []Lacking
	// Warnings counts the selectors that met nothing.
	Warnings int
	// Workers, Sheet, Recipe and Logins are the session's number of workers, its sheet, its recipe
	// and what signs in by hand, as they are typed; each may be unknown. Without a recipe it is the
	// built-in one. StateFile is the file of the session's sign-in, where a setting says so.
	Workers       int
	Sheet, Recipe string
	// Reading are the flags that say how the sheet is read, each after a space; none are needed for
	// going on, which remembers them.
	Reading string
	// Again are the flags that the sheet's rows need in another file, each after a space.
	Again     string
	StateFile string
	Logins    []string
	// State is the file that Logins save the sign-in to, where going on has to name it.
	State string
}

// NextSteps returns what a person can do about what the session has found, the most urgent
// first. folder is the session folder as the commands are to name it.
func (r *Report) NextSteps(folder string) []Step {
	if !stopped(r.Session.Status) {
		return nil
	}
	return Situation{Folder: folder, Open: r.Totals.Pending - r.Totals.ByOutcome[tasks.OutcomeSkipped], ByOutcome: r.Totals.ByOutcome,
		Reasons: r.reasons, Lacking: r.Lacking(), Warnings: len(r.warnings), Workers: r.Session.Workers,
		Sheet: r.started.File, Reading: r.started.sheet().Reading(), Again: r.started.sheet().Again(), Recipe: r.started.recipe(), StateFile: r.started.State}.Steps()
}

// Steps returns what a person can do, the most urgent first.
func (n Situation) Steps() []Step {
	s := &steps{Situation: n, folder: shell.Word(n.Folder), failed: shell.Word(path.Join(n.Folder, FailedFile)), sheet: "SHEET"}
	if n.Sheet != "" {
		s.sheet = shell.Word(n.Sheet)
	}
	if n.Recipe != "" {
		s.recipe = shell.Word(n.Recipe)
	}
	if n.State != "" {
		s.signedIn = "--state " + shell.Word(n.State) + " "
	}
	s.signIn()
	s.saySo()
	s.finish()
	s.mendRecipe()
	s.slower()
	s.unreached()
	s.retry()
	s.askFor()
	s.mendSheet()
	s.confirm()
	return s.list
}

// steps gathers what to do next.
type steps struct {
	Situation
	// folder, its file of failed rows, sheet and recipe, as they can be typed.
	folder, failed, sheet, recipe string
	// signedIn are the flags that going on needs to use a sign-in by hand.
	signedIn string
	list     []Step
	// told are the classes that an earlier step is about.
	told []tasks.Class
}

func (s *steps) add(title, why, command string) {
	s.list = append(s.list, Step{Title: title, Why: why, Command: command})
}

// orders counts the orders that ended not well for one of these reasons.
func (s *steps) orders(of func(Reason) bool) int {
	n := 0
	for _, reason := range s.Reasons {
		if of(reason) {
			n += reason.Orders
		}
	}
	return n
}

func (s *steps) ofClass(classes ...tasks.Class) int {
	return s.orders(func(r Reason) bool { return slices.Contains(classes, r.Class) })
}

// saySo is for what was not clicked, as it may do more than show a page: the recipe as it was would not click it again.
func (s *steps) saySo() {
	n := s.ofClass(tasks.ClassNotClicked)
	if n == 0 || s.recipe == "" {
		return
	}
	s.told = append(s.told, tasks.ClassNotClicked)
	s.add("Let the recipe say what may be clicked", plural(n, "order")+" ended at what may do more than show a page, and was not clicked. The reason names it; once the recipe says what is meant, retry with it.",
		"poscrape retry --recipe "+s.recipe+" "+s.signedIn+s.folder)
}

func (s *steps) finish() {
	if s.Open <= 0 || slices.Contains(s.told, tasks.ClassNotClicked) { // retry runs what is open, too
		return
	}
	s.add("Go on with the run", plural(s.Open, "order")+" "+wereOrWas(s.Open)+" not finished. What is finished stays.", "poscrape resume "+s.signedIn+s.folder)
}

func (s *steps) signIn() {
	n := s.orders(func(r Reason) bool { return r.Outcome == tasks.OutcomeSessionExpired || r.Class == tasks.ClassLogin })
	if n == 0 && len(s.Logins) == 0 {
		return
	}
	s.told = append(s.told, tasks.ClassLogin)
	command := strings.Join(s.Logins, "\n")
	if command == "" {
		command = s.login()
	}
	why := "The portal asks to sign in. Sign in by hand, then go on."
	if n > 0 {
		why = "The portal asked for a sign-in at " + plural(n, "order") + ", though signing in had succeeded. Sign in by hand, then retry " + itOrThem(n) + "."
		command += "\nposcrape retry " + s.signedIn + s.folder
	}
	s.add("Sign in again", why, command)
}

// login is what signs in by hand, where the session has not said that.
func (s *steps) login() string {
	command, state := "poscrape login --url https://PORTAL/", s.StateFile
	if s.recipe != "" {
		command = "poscrape login --recipe " + s.recipe
	} else if state == "" {
		state = "portal.state.json"
		s.signedIn = "--state " + state + " "
	}
	return command + shell.Flag("state", state)
}

// recipeClasses are of orders that a recipe which no longer fits can end with.
var recipeClasses = []tasks.Class{
	tasks.ClassNotReady, tasks.ClassMissingField, tasks.ClassUnproven, tasks.ClassStep, tasks.ClassSearch, tasks.ClassIncomplete,
}

func (s *steps) mendRecipe() {
	n, warnings := s.ofClass(recipeClasses...), s.Warnings
	if s.recipe == "" { // which of a page's numbers is the order's, the built-in one cannot always tell
		n += s.orders(func(r Reason) bool { return r.Class == tasks.ClassIdentity && r.Outcome == tasks.OutcomePartial })
		s.told = append(s.told, tasks.ClassIdentity)
	}
	if n == 0 && warnings == 0 {
		return
	}
	s.told = append(s.told, recipeClasses...)
	recipe := "the recipe"
	if s.recipe == "" {
		recipe = "the built-in recipe"
	}
	var why []string
	if warnings > 0 {
		why = append(why, "there "+isOrAre(warnings)+" "+plural(warnings, "warning")+" about "+recipe)
	}
	if n > 0 {
		why = append(why, plural(n, "order")+" lacked something that "+recipe+" asks for")
	}
	if s.recipe == "" {
		s.add("Give the run a recipe", sentence(strings.Join(why, ", and "))+". A recipe of your own says where things are on this portal's pages: draft one, look at it, then retry with it.",
			s.draft()+"\nposcrape retry --recipe recipe.yaml "+s.folder)
		return
	}
	s.add("See what the recipe meets, and correct it", sentence(strings.Join(why, ", and "))+". See what its selectors meet, correct it, then retry with it.",
		s.check(s.few(recipeClasses))+"\nposcrape retry --recipe "+s.recipe+" "+s.folder)
}

func (s *steps) slower() {
	n := s.ofClass(tasks.ClassThrottled, tasks.ClassTimeout)
	if n == 0 {
		return
	}
	s.told = append(s.told, tasks.ClassThrottled, tasks.ClassTimeout)
	fewer := max(1, s.Workers/2)
	s.add("Ask the portal more slowly", plural(n, "order")+" ran out of time, or the portal asked to wait. Retry them with fewer workers.",
		"poscrape retry --workers "+strconv.Itoa(fewer)+" "+s.folder)
}

// unreached is for a session that has reached no page at all, as where its addresses are wrong.
func (s *steps) unreached() {
	if s.ofClass(tasks.ClassNavigation) == 0 {
		return
	}
	for outcome, n := range s.ByOutcome {
		switch outcome {
		case "", tasks.OutcomeFailed, tasks.OutcomeInvalidInput, tasks.OutcomeSkipped, tasks.OutcomeInterrupted:
		default:
			if n > 0 {
				return
			}
		}
	}
	s.add("See whether the addresses are right", "No order's page could be reached. A retry opens the same addresses; if they are wrong, run the sheet again with what is right.",
		s.check("1"))
}

// few names the first three orders that ended with one of these classes, or is 3 where there are none.
func (s *steps) few(classes []tasks.Class) string {
	const few = 3
	var names []string
	for _, r := range s.Reasons {
		if slices.Contains(classes, r.Class) {
			names = append(names, r.First...)
		}
	}
	if len(names) == 0 {
		return strconv.Itoa(few)
	}
	return shell.Word(strings.Join(names[:min(few, len(names))], ",") + either(len(names), ",", ""))
}

// check is what shows what orders' pages are: so many of the first, or those that are named.
func (s *steps) check(probe string) string {
	recipe := ""
	if s.recipe != "" {
		recipe = " --recipe " + s.recipe
	}
	return "poscrape check " + s.sheet + recipe + s.Reading + shell.Flag("state", s.StateFile) + " --probe " + probe
}

func (s *steps) retry() {
	n := s.orders(func(r Reason) bool {
		switch r.Outcome {
		case tasks.OutcomeFailed, tasks.OutcomePartial, tasks.OutcomeTimeout:
			return !slices.Contains(s.told, r.Class) && r.Class != tasks.ClassHost && r.Class != tasks.ClassLimit
		}
		return false
	})
	if n == 0 {
		return
	}
	s.add("Retry what broke", "Another attempt may bring home "+plural(n, "order")+". What "+either(n, "it has", "they have")+" already is kept.", "poscrape retry "+s.folder)
}

func (s *steps) askFor() {
	if n := s.ByOutcome[tasks.OutcomeNotFound]; n > 0 {
		s.add("Ask about orders that the portal does not have", plural(n, "order")+" "+isOrAre(n)+
			" not there: a supplier may not have published "+itOrThem(n)+" yet. Once that is settled, look again.",
			"poscrape retry --only not_found "+s.folder)
	}
	if n := s.ByOutcome[tasks.OutcomeAccessDenied]; n > 0 {
		s.add("Ask for access", "The portal does not show "+plural(n, "order")+" to this user. Once it does, look again.",
			"poscrape retry --only access_denied "+s.folder)
	}
}

func (s *steps) mendSheet() {
	unusable, unknown := s.ByOutcome[tasks.OutcomeInvalidInput], s.ByOutcome[tasks.OutcomeNotFound]
	var why []string
	if unusable > 0 {
		why = append(why, plural(unusable, "row")+" cannot be used")
	}
	if unknown > 0 {
		why = append(why, plural(unknown, "order")+" "+isOrAre(unknown)+" not there, and may have a wrong number or address")
	}
	if len(why) == 0 {
		return
	}
	s.add("Correct rows of the sheet", sentence(strings.Join(why, ", and "))+". failed.csv has "+itOrThem(unusable+unknown)+" unchanged, with all others that did not end well. "+
		"Correct there what is wrong, and run that file.", "poscrape run"+s.Again+" "+s.failed)
}

// confirm is for orders that ended well and are not confirmed.
func (s *steps) confirm() {
	if s.Open > 0 { // which may confirm them
		return
	}
	n, unread, suspect := 0, 0, []string(nil)
	for _, one := range s.Lacking {
		switch one.Lack {
		case witness.LacksReading:
			unread += one.Orders
		case witness.LacksRow, witness.LacksShape, witness.LacksOwnDocument, witness.LacksDifference:
			suspect = append(suspect, one.First...)
		case witness.LacksPeers: // a column of the sheet is
		default:
			n += one.Orders
		}
	}
	again := "poscrape retry --only unconfirmed "
	switch {
	case n == 0 && unread == 0:
	case n == 0:
		s.add("Have orders confirmed", plural(unread, "order")+" "+wereOrWas(unread)+" read by an earlier version. Read "+itOrThem(unread)+" again; what "+either(unread, "it has", "they have")+" already is kept.", again+s.folder)
	case s.recipe != "":
		s.add("Have the recipe say what confirms orders, then read them again", "What "+plural(n, "order")+" "+either(n, "lists", "list")+" is here, but nothing confirms that it is all. Once the recipe says what does, read "+itOrThem(n)+" again.",
			again+"--recipe "+s.recipe+" "+s.folder)
	default:
		command := again + "--recipe recipe.yaml " + s.folder
		if !slices.ContainsFunc(s.list, func(step Step) bool { return strings.HasPrefix(step.Command, "poscrape recipe init ") }) {
			command = s.draft() + "\n" + command
		}
		s.add("Have orders confirmed", "What "+plural(n, "order")+" "+either(n, "lists", "list")+" is here, but nothing confirms that it is all. A recipe can say what does: draft one, look at it, then read "+itOrThem(n)+" again with it.", command)
	}
	if len(suspect) > 0 {
		s.add("Look at what may not be the order's own", "Open it as poscrape saw it.", "poscrape open "+s.folder+" "+shell.Word(suspect[0]))
	}
}

// draft is what drafts a recipe.
func (s *steps) draft() string {
	return "poscrape recipe init " + s.sheet + s.Reading + shell.Flag("state", s.StateFile) + " -o recipe.yaml"
}

func wereOrWas(n int) string { return either(n, "was", "were") }

func isOrAre(n int) string { return either(n, "is", "are") }

func itOrThem(n int) string { return either(n, "it", "them") }

func either(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// sentence returns text with a capital letter.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
