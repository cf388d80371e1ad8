package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// natures are pages that are the order, or that are not, whatever they link and name. {po}
// is the order's number. The recipe finds it by #po and documents by a.doc.
var natures = map[string]struct {
	body string
	// auto and recipe are how it ends with the built-in recipe and with a written one; class
	// is that of the failure, where there is one.
	auto, recipe tasks.Outcome
	class        tasks.Class
}{
	// Refusals, with files linked.
	"not found, in English":           {refusing("Order {po} not found"), tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"not found, without the number":   {refusing("This order does not exist"), tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"not found, in German":            {refusing("Bestellung {po} wurde nicht gefunden"), tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"not found, in French":            {refusing("Commande introuvable"), tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"not found, in Spanish":           {refusing("No se encontró el pedido"), tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"not found, in Italian":           {refusing("Ordine non trovato"), tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"not found, in Portuguese":        {refusing("Pedido não encontrado"), tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"not found, in Dutch":             {refusing("Bestelling niet gevonden"), tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"not found, in Polish":            {refusing("Nie znaleziono zamówienia"), tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"not found, in an alert":          {`<title>Portal</title><h1>Purchase order</h1><div role=alert>No such order: {po}</div>` + linked, tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"not found, in so many words":     {`<p>Sorry, this order could not be found.</p>`, tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"denied":                          {refusing("Access denied"), tasks.OutcomeAccessDenied, tasks.OutcomeAccessDenied, tasks.ClassAccessDenied},
	"denied, in German":               {refusing("Keine Berechtigung für Bestellung {po}"), tasks.OutcomeAccessDenied, tasks.OutcomeAccessDenied, tasks.ClassAccessDenied},
	"denied, in Polish":               {refusing("Brak dostępu"), tasks.OutcomeAccessDenied, tasks.OutcomeAccessDenied, tasks.ClassAccessDenied},
	"an error":                        {refusing("Internal Server Error"), tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassPortalError},
	"an error, with the number":       {refusing("An error occurred while loading order {po}"), tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassPortalError},
	"an error, in French":             {refusing("Une erreur est survenue"), tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassPortalError},
	"an error, in the title alone":    {`<title>500 - Internal Server Error</title><p>Reference 8812-{po}-1</p>` + linked, tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassPortalError},
	"maintenance":                     {refusing("We are down for maintenance"), tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassThrottled},
	"maintenance, in German":          {refusing("Wartungsarbeiten"), tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassThrottled},
	"maintenance, in Italian":         {refusing("Sito in manutenzione"), tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassThrottled},
	"maintenance, in the title alone": {`<title>Maintenance | Portal</title><p>Order {po} will be back.</p>` + linked, tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassThrottled},
	"a list of orders": {`<title>Portal</title><h1>Purchase orders</h1><table><tr><th>Order number<th>Supplier<th>Total` +
		`<tr><td>{po}<td>ACME<td>5<tr><td>PO7000002<td>ACME<td>5<tr><td>PO7000003<td>ACME<td>6</table>` + linked, tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch, tasks.ClassIdentity},
	"a list of cards": {`<title>Portal</title><h1>Overview</h1>` + card("{po}", " id=po") + card("PO7000002", " id=po") + card("PO7000003", " id=po") + linked,
		tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch, tasks.ClassIdentity},
	"what another order refers to":      {`<title>Portal</title><h2>Order</h2><dl><dt>PO number<dd>PO7000002<dt>Reference PO<dd id=po>{po}</dl>` + linked, tasks.OutcomeIdentityMismatch, tasks.OutcomeComplete, tasks.ClassIdentity},
	"what refers to another order":      {`<title>Portal</title><h2>Order</h2><dl><dt>PO number<dd id=po>{po}<dt>Reference PO<dd>PO7000002</dl>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"two numbers of orders":             {`<title>Portal</title><h2>Order</h2><p>PO number: PO7000002</p><p>PO number: <b id=po>{po}</b></p>` + linked, tasks.OutcomePartial, tasks.OutcomeComplete, tasks.ClassIdentity},
	"somebody's own number":             {`<title>Portal</title><h2>Order</h2><dl><dt>Order no.<dd>55000001<dt>Your order no.<dd id=po>{po}</dl>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a refusal that the identity shows": {`<title>Portal</title><h1>Order <b id=po>{po}</b> not found</h1>` + linked, tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"a search without a hit":            {`<title>Portal</title><input id=po value="{po}"><h1>No results</h1>`, tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},

	// Refusals, though the number is shown.
	"denied, under a title that names it":      {`<title>Order {po}</title><h1>Access denied</h1>`, tasks.OutcomeAccessDenied, tasks.OutcomeAccessDenied, tasks.ClassAccessDenied},
	"denied, in so many words":                 {`<title>Order {po}</title><h1>403 - You do not have permission to access this resource</h1>`, tasks.OutcomeAccessDenied, tasks.OutcomeAccessDenied, tasks.ClassAccessDenied},
	"not found, under a title that names it":   {`<title>Order {po}</title><h1>Page not found</h1>`, tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"an error, under a title that names it":    {`<title>Order {po}</title><h1>Something went wrong</h1>`, tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassPortalError},
	errorAndWhy:                                {`<title>Portal</title><h2>Error!</h2><p>The ledger is locked by Jane</p>`, tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassPortalError},
	"oops, under a title that names it":        {`<title>Order {po}</title><h1>Oops! Something went wrong.</h1>`, tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassPortalError},
	"an error in a second-rank heading":        {`<title>Order {po}</title><h2>Internal Server Error</h2><p>Reference 5</p>`, tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassPortalError},
	"a session, under a title that names it":   {`<title>Order {po}</title><h1>Your session has expired</h1>`, tasks.OutcomeSessionExpired, tasks.OutcomeSessionExpired, tasks.ClassLogin},
	"maintenance, under a title that names it": {`<title>Order {po}</title><h1>Down for maintenance</h1>`, tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassThrottled},
	"results, under a title that names it":     {`<title>Order {po}</title><h1>Search results</h1>`, tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch, tasks.ClassIdentity},
	"denied, with a line that names it":        {`<title>Portal</title><h1>Access denied</h1><p>Order number: <b id=po>{po}</b></p>`, tasks.OutcomeAccessDenied, tasks.OutcomeAccessDenied, tasks.ClassAccessDenied},
	"an error, with the number in a list":      {`<title>Portal</title><h1>Something went wrong</h1><dl><dt>PO number<dd id=po>{po}</dl>`, tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassPortalError},
	"not found, with the number in a list":     {`<title>Portal</title><h1>Order {po} was not found</h1><dl><dt>PO number<dd id=po>{po}</dl>` + linked, tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"maintenance, with a line that names it":   {`<title>Portal</title><h1>Under maintenance</h1><p>Order number: <b id=po>{po}</b></p>`, tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassThrottled},
	"denied, with a crumb that names it":       {`<title>Portal</title><nav>Orders <b id=po>{po}</b></nav><h1>Access denied</h1>` + linked, tasks.OutcomeAccessDenied, tasks.OutcomeAccessDenied, tasks.ClassAccessDenied},
	"denied, in an alert below its heading":    {order(`<div role=alert>You do not have permission to view this order.</div>`), tasks.OutcomeAccessDenied, tasks.OutcomeAccessDenied, tasks.ClassAccessDenied},
	"denied, in German, below its heading":     {order(`<div class=alert>Keine Berechtigung für diese Bestellung</div>`), tasks.OutcomeAccessDenied, tasks.OutcomeAccessDenied, tasks.ClassAccessDenied},
	"an error in an alert below its heading":   {order(`<nav>Home Orders Help</nav><div role=alert>Something went wrong. Please try again later.</div>`), tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassPortalError},
	"not found, in an alert below its heading": {order(`<div role=alert>The order {po} could not be found.</div>`), tasks.OutcomeNotFound, tasks.OutcomeNotFound, tasks.ClassNotFound},
	"denied, in a line below its heading":      {order(`<p>You are not authorized to view this order.</p>`), tasks.OutcomeAccessDenied, tasks.OutcomeAccessDenied, tasks.ClassAccessDenied},

	"denied, in French, below its heading": {order(`<div role=alert>Vous n'êtes pas autorisé à afficher cette commande.</div>`), tasks.OutcomeAccessDenied, tasks.OutcomeAccessDenied, tasks.ClassAccessDenied},
	"an error by its code":                 {`<title>Order {po}</title><h1>Error 404</h1>`, tasks.OutcomeFailed, tasks.OutcomeFailed, tasks.ClassPortalError},

	// Walls.
	"a sign-in form":                {`<title>Sign in</title><h1>Sign in</h1><form><input name=u><input type=password></form>` + linked, tasks.OutcomeSessionExpired, tasks.OutcomeSessionExpired, tasks.ClassLogin},
	"a sign-in form that names it":  {`<title>Sign in to see {po}</title><h1>Sign in to see order <b id=po>{po}</b></h1><form><input name=u><input type=password></form>` + linked, tasks.OutcomeSessionExpired, tasks.OutcomeSessionExpired, tasks.ClassLogin},
	"a sign-in form in a frame":     {`<title>Portal</title><iframe srcdoc="<form><input name=u><input type=password></form>"></iframe>` + linked, tasks.OutcomeSessionExpired, tasks.OutcomeSessionExpired, tasks.ClassLogin},
	"a sign-in without a password":  {`<title>Portal</title><h1>Anmelden</h1><form><input name=email><button>Weiter</button></form>` + linked, tasks.OutcomeSessionExpired, tasks.OutcomeSessionExpired, tasks.ClassLogin},
	"a session that has expired":    {`<title>Portal</title><h1>Your session has expired</h1>` + linked, tasks.OutcomeSessionExpired, tasks.OutcomeSessionExpired, tasks.ClassLogin},
	"a sign-in with the number":     {`<title>Portal</title><form><label>Order number <input value="{po}"></label><label>Password <input type=password></label></form>` + linked, tasks.OutcomeSessionExpired, tasks.OutcomeSessionExpired, tasks.ClassLogin},
	"a header's form, and no order": {`<title>Portal</title><header><form><input name=u><input type=password></form></header><p>Welcome</p>` + linked, tasks.OutcomeSessionExpired, tasks.OutcomeSessionExpired, tasks.ClassLogin},

	// The order, and nothing else.
	"a document called error":               {order(`<a class=doc href="/d.pdf">Error log.pdf</a><a class=doc href="/e.pdf">Access denied.pdf</a>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a status line":                         {order(`<p role=alert>Order not found in SAP archive</p>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a heading below":                       {order(`<h2>Budget owner not found</h2>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a maintenance contract":                {`<title>Maintenance contract {po}</title><h1>Maintenance contract <b id=po>{po}</b></h1>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"signs":                                 {`<title>Portal</title><h1>Order <b id=po>{po}</b>: Access Denied signs</h1>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a banner of maintenance":               {order(`<div role=alert>Scheduled maintenance on Sunday from 2 to 4</div>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a dialog of maintenance":               {order(`<div role=dialog><h2>Maintenance</h2><p>We are down for maintenance on Sunday</p></div>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a box to change the password":          {order(`<header><form><label>New password <input type=password></label></form></header>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a box to sign in with another account": {order(`<header><form><input type=password></form></header>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"related orders":                        {order(`<h2>Related orders</h2><ul><li>PO7000002<li>PO7000003<li>PO7000004</ul>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a supplier's own number":               {`<title>Portal</title><h1>Purchase order <b id=po>{po}</b></h1><dl><dt>Order number<dd>SO-889123</dl>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a title that is another's":             {`<title>Order PO7000009</title><h1>Order <b id=po>{po}</b></h1>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"German":                                {`<title>Portal</title><h1>Bestellung</h1><dl><dt>Bestellnummer<dd id=po>{po}</dl>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"French":                                {`<title>Portail</title><h1>Bon de commande</h1><p>N° de commande : <b id=po>{po}</b></p>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a line that says it":                   {`<title>Portal</title><div>Purchase Order <b id=po>{po}</b></div>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a mention alone":                       {`<title>Portal</title><p>You asked us for <b id=po>{po}</b> the other day, and here is what was found. ` + strings.Repeat("More of it. ", 30) + `</p>` + linked, tasks.OutcomePartial, tasks.OutcomeComplete, tasks.ClassIdentity},
	"another order's heading":               {`<title>Order {po}</title><h1>Order <b id=po>PO7000009</b></h1>` + linked, tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch, tasks.ClassIdentity},
	"another kind of number":                {`<title>Portal</title><h1>Order <b id=po>SO 7000001</b></h1>` + linked, tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch, tasks.ClassIdentity},
	"a part of the order":                   {`<title>Portal</title><h1>Order <b id=po>{po}-2</b></h1>` + linked, tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch, tasks.ClassIdentity},

	// The order, whatever else is said.
	"an alert about a part":                    {order(`<div role=alert>Invoice 7 not found</div><div class="alert toast">You have no permission to view the budget.</div>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"an alert that says no more, and content":  {order(`<div role=alert>Something went wrong</div><section><h2>Documents</h2>` + linked + `</section>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"an alert that says no more, and fields":   {order(`<div role=alert>Not found</div><dl><dt>Supplier<dd>ACME<dt>Buyer<dd>Ann<dt>Total<dd>5<dt>Terms<dd>30 days</dl>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"signs in the heading, the number below":   {`<title>Portal</title><h1>Access Denied signs</h1><dl><dt>PO number<dd id=po>{po}</dl>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"maintenance that was ordered":             {`<title>Portal</title><h1>Scheduled maintenance</h1><dl><dt>PO number<dd id=po>{po}<dt>Supplier<dd>ACME</dl>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"the module as the heading":                {`<title>Portal</title><h1>Purchase orders</h1><h2>Details</h2><dl><dt>PO number<dd id=po>{po}<dt>Supplier<dd>ACME</dl>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"the module as the heading, and one below": {`<title>Order {po}</title><h1>Orders</h1><h2>Order <b id=po>{po}</b></h2>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"the module as the heading, and a line":    {`<title>Order {po}</title><h1>Orders</h1><p>Order number: <b id=po>{po}</b></p>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a status in a line":                       {order(`<p>Status: Error</p><p>Log in</p><p>You do not have permission to edit this order.</p>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a heading of a dialog":                    {order(`<div role=dialog><h1>Session expired</h1></div>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a heading of a part":                      {order(`<section><h1>No results</h1><p>of your search in other orders</p></section>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"an order that replaces it":                {`<title>Portal</title><h1>Order <b id=po>PO9999999 (replaces {po})</b></h1>` + linked, tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch, tasks.ClassIdentity},
	"an order that was replaced":               {`<title>Portal</title><h1>Order <b id=po>{po} (replaced by PO9999999)</b></h1>` + linked, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"an invoice of that number":                {`<title>Portal</title><h1 id=po>Invoice (7000001)</h1>` + linked, tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch, tasks.ClassIdentity},

	// What is still loading.
	"an icon that spins":                              {order(`<section><h2>Documents</h2>` + linked + `<i class="fa fa-spinner fa-spin"></i></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"a border that spins":                             {order(`<section><h2>Documents</h2>` + linked + `<div class="spinner-border text-primary" role=status><span class=visually-hidden>Loading...</span></div></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"a loading spinner":                               {order(`<section><h2>Documents</h2>` + linked + `<div class=loading-spinner></div></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"a circle that spins":                             {order(`<section><h2>Documents</h2>` + linked + `<span class="MuiCircularProgress-root MuiCircularProgress-indeterminate" role=progressbar></span></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"a dot that spins":                                {order(`<section><h2>Documents</h2>` + linked + `<div class="ant-spin ant-spin-spinning"><span class=ant-spin-dot></span></div></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"skeletons":                                       {order(`<section><h2>Documents</h2>` + linked + `<ul><li><div class=skeleton></div></li><li><span class="MuiSkeleton-root MuiSkeleton-text"></span></li></ul></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"a bar without a value":                           {order(`<section><h2>Documents</h2>` + linked + `<progress></progress></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"a spinner that fades in":                         {order(`<section><h2>Documents</h2>` + linked + `<style>@keyframes in { from { opacity: 0 } to { opacity: 1 } }</style><div class=spinner style="width:9px;height:9px;animation:in 99s infinite"></div></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"documents that are being loaded":                 {order(`<section><h2>Documents</h2>` + linked + `<p>Documents are being loaded</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"still loading":                                   {order(`<section><h2>Documents</h2>` + linked + `<p>Still loading</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"documents for the order that are loading":        {order(`<section><h2>Documents</h2>` + linked + `<p>Loading documents for order {po}…</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"documents that are got":                          {order(`<section><h2>Documents</h2>` + linked + `<p>Loading, please wait while we get your documents</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"files from an archive":                           {order(`<section><h2>Documents</h2>` + linked + `<p>Fetching files from archive…</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"working on it":                                   {order(`<section><h2>Documents</h2>` + linked + `<p>Working on it…</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"documents that are prepared, German":             {order(`<section><h2>Documents</h2>` + linked + `<p>Ihre Dokumente werden vorbereitet …</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"a spinner and nothing else":                      {order(`<section><div class=spinner-border></div></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"a second part of documents that is loading":      {order(`<section><h2>Documents</h2>` + linked + `</section><section><h2>Attachments of the supplier</h2><div class=spinner style="width:9px;height:9px"></div></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"documents that are loading still, German":        {order(`<section><h2>Dokumente</h2>` + linked + `<p>Ihre Dokumente werden noch geladen</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"documents of a service that is down":             {order(`<section><h2>Documents</h2>` + linked + `<p>The document service is currently unavailable</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassPageIncomplete},
	"documents that are not available now":            {order(`<section><h2>Documents</h2>` + linked + `<p>Documents are currently not available.</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassPageIncomplete},
	"documents that could not be got":                 {order(`<section><h2>Documents</h2>` + linked + `<p>We could not get your documents right now. Please try again.</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassPageIncomplete},
	"documents that may not be seen":                  {order(`<section><h2>Documents</h2>` + linked + `<p>You do not have permission to view these documents.</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassPageIncomplete},
	"documents that could not be got, and no heading": {order(`<dl><dt>Supplier<dd>ACME</dl><p>We could not get your documents right now.</p>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassPageIncomplete},
	"a loading bay":                                   {order(`<section><h2>Documents</h2>` + linked + `<p>Loading bay: 4</p><p>Loading…dock 3</p><div class="field port-of-loading"><span class=label>Loading</span> <span>Dock 3</span></div><p class=loading-dock>North</p><table><tr><td class=loading>Dock 3</table></section>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a product that is not available":                 {order(`<section><h2>Lines</h2><p>Item 7 is currently not available.</p></section><section><h2>Documents</h2>` + linked + `</section>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a preview over its skeleton":                     {order(`<section><h2>Documents</h2>` + linked + `<div class=skeleton><img alt="" width=9 height=9></div></section>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a spinner that was faded out":                    {order(`<section><h2>Documents</h2>` + linked + `<div style="opacity:0"><div class=spinner style="width:9px;height:9px"></div>Loading…</div><div class=spinner style="opacity:0">Loading…</div></section>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a spinner without a size":                        {order(`<section><h2>Documents</h2>` + linked + `<div class=spinner style="width:0;height:0;overflow:hidden">Loading…</div><style>p { margin: 0 }</style><div class=loader></div></section>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a number that is spun":                           {order(`<section><h2>Documents</h2>` + linked + `<span class=ui-spinner><input class=ui-spinner-input value=1><a class=ui-spinner-button></a></span><img class="lazy-loading" alt="" width=9 height=9></section>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a widget that is loading":                        {`<title>Portal</title><main><h1>Order <b id=po>{po}</b></h1><section><h2>Documents</h2>` + linked + `</section><div><h3>Stock</h3><div class=spinner style="width:9px;height:9px"></div><p>Loading…</p></div></main>`, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a widget beside documents without a part":        {`<title>Portal</title><main><h1>Order <b id=po>{po}</b></h1><ul><li>` + linked + `</ul><section><h3>Price trend</h3><div class=chart><div class=spinner-border></div></div></section></main>`, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"steps of an approval":                            {order(linked + `<div role=progressbar>Approval step 2</div><div role=progressbar aria-label="Approval" style="width:9px;height:9px"></div><div role=progressbar aria-valuetext="Step 2 of 4" style="width:9px;height:9px"></div>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"documents that are loading":                      {order(`<section><h2>Documents</h2>` + linked + `<p>Loading 7 more documents</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"documents that are loading, German":              {order(`<section><h2>Dokumente</h2>` + linked + `<p>Wird geladen …</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"a spinner beside documents":                      {order(`<section><h2>Documents</h2>` + linked + `<div class=spinner style="width:9px;height:9px"></div></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"the part with the number is busy":                {`<title>Portal</title><section aria-busy=true><h1>Order <b id=po>{po}</b></h1></section>` + linked, tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"documents in a frame that loads":                 {order(`<section><h2>Documents</h2>` + linked + `<iframe srcdoc="<p>Loading…</p>"></iframe></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
	"documents that could not be loaded":              {order(`<section><h2>Documents</h2>` + linked + `<p>Some attachments could not be loaded.</p></section>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassPageIncomplete},
	"a loading dock":                                  {order(`<dl><dt>Loading<dd>Dock 3<dt>Port of loading<dd>Hamburg</dl><p>Loading dock 3</p><button>Loading…</button>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a label and its value":                           {order(`<div><span>Loading</span> <span>Dock 3</span></div><table><tr><td>Loading<td>Dock 3</table>` + linked), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a spinner elsewhere":                             {`<title>Portal</title><main><h1>Order <b id=po>{po}</b></h1>` + linked + `</main><div class=spinner>Loading chat</div>`, tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a chat that is loading":                          {order(linked + `<aside><p>Loading…</p></aside><div class=chat-widget><p>Loading…</p></div>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"herunterladen":                                   {order(`<section><h2>Dokumente</h2><a class=doc href="/d.pdf">d.pdf</a> <span>Herunterladen</span></section>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a progress bar with a value":                     {order(linked + `<div role=progressbar aria-valuenow=70 style="width:9px;height:9px"></div>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a hidden spinner":                                {order(linked + `<div class=spinner hidden>Loading…</div>`), tasks.OutcomeComplete, tasks.OutcomeComplete, ""},
	"a page that is loading, no document":             {order(`<p>Please wait…</p>`), tasks.OutcomePartial, tasks.OutcomePartial, tasks.ClassNotReady},
}

const linked = `<a class=doc href="/d.pdf">d.pdf</a>`

func order(body string) string {
	return `<title>Order {po}</title><h1>Order <b id=po>{po}</b></h1>` + body
}

// refusing is a page that says so in its heading, with files linked.
func refusing(heading string) string {
	return `<title>Portal</title><h1>` + heading + `</h1><p>Please contact your buyer if you think that this is wrong, or look into the documents below. They explain what to do next, and whom to call, and when; and that you should do so soon, as orders are not kept here for ever, as you may know.</p>` + linked
}

func card(number, attributes string) string {
	return `<div class=card><dl><dt>Order number<dd` + attributes + `>` + number + `</dl></div>`
}

// errorAndWhy has a heading that says no more than that there was an error.
const errorAndWhy = "an error, and below it which"

// TestNatures reads pages that are the order, and pages that are not, with the built-in
// recipe and with one that knows where the number is.
func TestNatures(t *testing.T) {
	t.Parallel()
	const number = "PO7000001"
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><body>`, strings.ReplaceAll(natures[r.PathValue("name")].body, "{po}", number))
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 content")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("natures.yaml", strings.NewReader("version: 1\nname: natures\nidentity: {selector: '#po'}\nattachments: {item: a.doc}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, recipe := range map[string]*scrape.Recipe{"auto": scrape.AutoRecipe(), "recipe": recipe} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recipe.Ready.Timeout, recipe.Mode = patience, scrape.ModeRender
			brief := *recipe
			brief.Ready.Timeout = 10 * time.Second // of the page's own clock, which runs ahead
			patient := newBench(t, recipe)
			hasty := patient.with(scrape.NewPortal(&brief, nil))
			policy := tasks.DefaultPolicy()
			policy.Retries = 0
			for i, name := range kinds(natures, errorAndWhy, "not found, without the number", "not found, in an alert", "denied", "denied, in so many words", "an error, in the title alone",
				"maintenance, in Italian", "a list of orders", "what another order refers to", "two numbers of orders", "somebody's own number",
				"a refusal that the identity shows", "a search without a hit", "denied, under a title that names it", "an error in a second-rank heading", "denied, in an alert below its heading", "a sign-in form that names it", "a sign-in form in a frame",
				"a sign-in without a password", "a session that has expired", "a document called error", "a box to change the password", "related orders",
				"a title that is another's", "a mention alone", "another kind of number", "an alert about a part", "signs in the heading, the number below",
				"the module as the heading", "an order that replaces it", "an icon that spins", "a bar without a value", "a spinner that fades in", "documents that could not be got", "a preview over its skeleton", "a widget that is loading", "a spinner beside documents",
				"documents in a frame that loads", "a progress bar with a value", "a page that is loading, no document") {
				c, b := natures[name], patient
				if c.auto == c.recipe && !inTurn(i, recipe.Auto) {
					continue // the other one reads it
				}
				if c.class == tasks.ClassNotReady {
					b = hasty
				}
				want := c.recipe
				if recipe.Auto {
					want = c.auto
				}
				task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: "7000001", Dir: "x" + uuid.NewString(), URL: server.URL + "/case/" + name}}
				res, err := b.scraper.Do(t.Context(), task)
				d := policy.After(task, res, err, time.Now())
				if d.Outcome != want {
					t.Errorf("%s: got %s, want %s (%v)", name, d.Outcome, want, failureText(d))
				} else if !want.Well() && d.Failure.Class != c.class {
					t.Errorf("%s: got the class %s, want %s (%v)", name, d.Failure.Class, c.class, failureText(d))
				}
				if name == errorAndWhy && !strings.Contains(failureText(d), "locked by Jane") {
					t.Errorf("%s: the failure does not say what the page says: %s", name, failureText(d))
				}
			}
		})
	}
}
