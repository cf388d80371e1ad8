package browser

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// Deed is what acting on an element does, as far as the page says it.
type Deed struct {
	// Texts are what people read on the control that acts, its label first, and what a program reads to
	// them; for Enter in a form, on the form's button.
	Texts []string
	// Control describes that control, or is empty where none acts: a form is sent without one, or a field
	// gets the focus.
	Control string
	// Action is the address that the control's form is sent to, or empty.
	Action string
	// Leads is the address of the page that it is a link to, or empty.
	Leads string
	// Opens: it is of a kind that opens a part of the page.
	Opens bool
	// Free says why it does nothing to what the page shows, or is empty: "search", that of a form with
	// method GET; "cookies", an answer to a cookie banner; or "dialog", which sends nothing and is in a
	// dialog, if its texts say that it leaves that.
	Free string
}

// permitted asks the target's Check for what a click on the element does, at the point where it is going to be,
// or a key in it. Its errors are Check's and the page's.
func (a *actor) permitted(ctx context.Context, key string) error {
	if a.target.Check == nil {
		return nil
	}
	if key == "" {
		if err := a.lookInside(ctx); err != nil {
			return err
		}
	}
	var deed struct {
		Deed
		Large bool
	}
	if err := a.run(ctx, &deed, "deed(%s)", key); err != nil {
		return err
	}
	if deed.Control != "" && !deed.Large {
		names, written, err := a.names(ctx)
		if err != nil {
			return err
		}
		deed.Texts = append(deed.Texts, names...)
		together := strings.Join(written, "")
		if !slices.ContainsFunc(deed.Texts, func(text string) bool { return squeezed(text) == squeezed(together) }) {
			deed.Texts = append(deed.Texts, together, strings.Join(written, " "))
		}
	}
	return a.target.Check(ctx, deed.Deed)
}

// maxInside bounds how many closed shadow roots are looked into, one in the other.
const maxInside = 10

// lookInside lets act.js see what is pressed where that is in a shadow root that is closed, which no script
// of the page can see from outside.
func (a *actor) lookInside(ctx context.Context) error {
	for range maxInside {
		host, err := a.object(ctx, a.at, "hostAt()")
		if err != nil || host == "" {
			return err
		}
		told, err := in(ctx, a.at.site, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: host})
		if err != nil {
			return err
		}
		if told.Node == nil || len(told.Node.ShadowRoots) == 0 {
			return nil
		}
		root, err := in(ctx, a.at.site, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: told.Node.ShadowRoots[0].BackendNodeID, ExecutionContextID: a.at.world})
		if err != nil {
			return err
		}
		if root.Object == nil {
			return ErrNavigated
		}
		if _, err := in(ctx, a.at.site, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: "function () { poscrapeActs.opened(this) }", ObjectID: root.Object.ObjectID}); err != nil {
			return err
		}
	}
	return nil
}

// squeezed returns a text without its spaces, in lower case.
func squeezed(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), "")) }

// names returns what a program reads to people of the control that acts: its name and those of its pictures,
// and the pieces of text in it, be they in a shadow root or written by a style.
func (a *actor) names(ctx context.Context) (names, written []string, err error) {
	control, err := a.object(ctx, a.at, "acting()")
	if err != nil || control == "" {
		return nil, nil, err
	}
	tree, err := in(ctx, a.at.site, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{ObjectID: control})
	if err != nil {
		return nil, nil, err
	}
	for i, node := range tree.Nodes {
		name, role := said(node.Name), said(node.Role)
		switch {
		case node.Ignored && i > 0 || name == "":
		case role == "StaticText":
			written = append(written, name)
		case i == 0 || role == "image" || strings.HasPrefix(role, "graphics-"):
			names = append(names, name)
		}
	}
	return names, written, nil
}

// said returns a text of the accessibility tree.
func said(value *accessibility.Value) (text string) {
	if value == nil || json.Unmarshal(value.Value, &text) != nil {
		return ""
	}
	return text
}

// focused meets what has the focus, in whatever frame that is.
const focused = ":focus:not(iframe, frame, body)"

// permittedKey is permitted for what has the focus, if anything has.
func (t *Tab) permittedKey(ctx context.Context, target Target, key string) error {
	if target.Check == nil {
		return nil
	}
	a := newActor(t, Target{Selector: focused, Check: target.Check})
	defer a.free()
	if why, err := a.find(ctx); why != "" || err != nil {
		return err
	}
	return a.permitted(ctx, key)
}
