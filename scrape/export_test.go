package scrape

import (
	"time"

	"github.com/poscrape/poscrape/scrape/words"
)

// SetClickTimeout sets how long a click may take to begin a download.
func (p *Portal) SetClickTimeout(d time.Duration) { p.clickTimeout = d }

// SetPendingWait sets how long a document that is not there yet is waited for.
func (p *Portal) SetPendingWait(d time.Duration) { p.pendingWait = d }

// SetTurnPatience sets how long a page may take to show another list of documents.
func (p *Portal) SetTurnPatience(d time.Duration) { p.turnPatience = d }

// SetFormStays sets how long a page may ask for more before that is taken for a refusal.
func (p *Portal) SetFormStays(d time.Duration) { p.formStays = d }

// TrustAgain makes all pages trusted of which anything is known.
func (p *Portal) TrustAgain() {
	t := &p.trust
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range t.kinds {
		k.fetches, k.fallBacks, k.renderOnly = 0, 0, false
		for _, r := range k.prints {
			r.state, r.sinceAudit, r.used, r.bytes = trustTrusted, 0, nil, true
		}
	}
}

// Lexicon and Number are the functions that know what a text says, and whether it shows an
// order's number, as expressions for a browser.
var (
	Lexicon = asExpression(lexiconSource) + "(" + words.Script() + ")"
	Number  = asExpression(numberSource)
)
