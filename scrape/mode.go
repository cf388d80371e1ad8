package scrape

// Mode says how orders are read.
type Mode string

// The modes.
const (
	// ModeAuto fetches pages of which it is proven, again and again, that they show
	// the same as when they are rendered, and renders all others.
	ModeAuto Mode = "auto"
	// ModeRender renders every page.
	ModeRender Mode = "render"
	// ModeFetch fetches every page, and renders only where a browser has to get to a
	// host, where an order's address leads on to another, and where a document's address is that of another order's as well. What the
	// fetched page does not prove is missing: one that scripts may change proves nothing,
	// unless one with the same scripts was the same rendered.
	ModeFetch Mode = "fetch"
)

// Modes returns all modes.
func Modes() []Mode { return []Mode{ModeAuto, ModeRender, ModeFetch} }

// Mode returns how the portal's orders are read. A recipe that has something done
// on a page, as searching or expanding, means ModeRender: this is the place to say so.
func (p *Portal) Mode() Mode {
	// A page that is fetched goes nowhere, and asks for nothing.
	if len(p.recipe.Related) > 0 || p.recipe.Acts() || p.recipe.usesData() || p.recipe.sendsHeaders() || p.recipe.printsAny() || len(p.recipe.expands()) > 0 ||
		p.recipe.Attachments != nil && (p.recipe.Attachments.Then != "" || p.recipe.turns()) {
		return ModeRender
	}
	return p.recipe.Mode
}
