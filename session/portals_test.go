package session_test

import (
	"os"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// signsIn is what a recipe needs to get through a portal.Door.
const signsIn = `
login:
  start_url: https://portal.example` + portal.DoorPath + `
  steps:
    - fill: {selector: "#user", file: user}
    - fill: {selector: "#password", file: password}
    - click: "#go"
  success: {selector: "#welcome"}
`

// TestDifficultPortals reads portals that have several difficulties at once, again and again:
// twelve orders of each, or with make thorough as many as a batch has. No attempt may be lost,
// and whoever has to sign in does so once for each sign-in that has expired.
func TestDifficultPortals(t *testing.T) {
	t.Parallel()
	many, application, lasts := 12, 12, 9
	if os.Getenv(thorough) != "" {
		many, application, lasts = 200, 100, 40
	}
	// Each tab of the application asks for five earlier orders as well.
	applicationLasts := 2 * lasts
	hashed := []portal.Variation{portal.Plain, portal.SameNameOtherBytes, portal.EmptyList, portal.Several}
	for name, o := range map[string]office{
		"thorough: documents in comments that a script mounts": {
			recipe: "../testdata/recipes/odd.yaml", orders: many, variations: []portal.Variation{portal.Comments},
		},
		"thorough: search, expiring sign-in, pages and requisitions": {
			recipe: "../docs/recipes/search.yaml", orders: many, numbers: true, door: &portal.Door{Lasts: lasts},
			variations: []portal.Variation{portal.Requisition, portal.RequisitionToo, portal.Paged, portal.Plain},
			more:       signsIn + "related: [{link: a.requisition, attachments: {item: a.attachment}}]\n",
		},
		"thorough: an application, signed in in local storage": {
			recipe: "../docs/recipes/spa.yaml", orders: application, numbers: true, door: &portal.Door{Lasts: applicationLasts, Local: true},
			variations: hashed, more: signsIn, want: inApplication, mode: session.ModeRender,
		},
		"thorough: an application, in either mode": {
			recipe: "../docs/recipes/spa.yaml", orders: application, numbers: true, door: &portal.Door{Lasts: applicationLasts, Local: true},
			variations: hashed, more: signsIn, want: inApplication, mode: session.ModeAuto,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			longOnly(t, name)
			end, r := o.work(t, "headless shell")
			if end.Status != tasks.SessionCompleted || r.Totals.Completed != o.orders {
				t.Errorf("it ended %s (%s), %v", end.Status, end.Reason, end.ByOutcome)
			}
			if n := lostAttempts(t, r); n > 0 {
				t.Errorf("%d attempts were lost", n)
			}
			if o.door == nil {
				return
			}
			seen := o.door.Counts()
			if seen.SignIns-seen.Expired > 1 || seen.SignIns < o.orders/o.door.Lasts || seen.Refused > 0 {
				t.Errorf("the door has seen %+v", seen)
			}
			checkSecret(t, end.Dir, doorPassword)
		})
	}
}
