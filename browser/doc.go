// Package browser is one Chrome process group, from launch to proven death: its
// tab, its downloads, its pages' events.
//
// Launch starts a Chrome in a profile directory and talks to it over a pipe. A
// Browser has one Tab that is used for page after page, and lanes: further tabs
// in which documents are fetched, so that the page stays as it is. Close returns
// when no process of the group is left.
//
// The package knows no purchase order, no recipe and no queue; it imports no
// other package of this project. Every call takes a context and ends with it.
//
// # Deaths
//
//	what happened                     the error that calls return
//	the browser's process died        ErrLost
//	the browser answers nothing       ErrHung, which is an ErrLost; it is killed
//	the page's process died           ErrPageCrashed
//	a script of the page never ends   ErrPageHung
//	the page closed its own tab       ErrPageClosed
//	the page navigated away           ErrNavigated, from Evaluate
//	a document cannot be had          *DownloadError
//	the start failed, or took too long  ErrLaunch, with what Chrome printed
//
// A page that is lost takes its tab with it: TidyUp opens another one, and the
// browser stays. The second lost tab makes the browser unfit.
//
// Whether the browser hangs is judged by what it does: each message is a sign of
// life. Only when an answer is due and nothing was heard for a while is it asked,
// and only when it does not answer that is it taken to be hung.
package browser
