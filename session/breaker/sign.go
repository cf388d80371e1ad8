package breaker

import (
	"strings"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// signKind is what an attempt says about its host.
type signKind int

const (
	// signNone: nothing. The browser was lost, or a file could not be written.
	signNone signKind = iota
	// signWell: the order ended well.
	signWell
	// signAnswer: the host answered about the order, well or not.
	signAnswer
	// signLogin: the host answered, but asks for a sign-in.
	signLogin
	// signBroken: the host answered first, and then the order broke off.
	signBroken
	// signRefused: the host answered that it will not or cannot.
	signRefused
	// signSilent: the host gave no answer in the attempt's time.
	signSilent
	// signUnreached: the host could not be connected to.
	signUnreached
)

// sign is one attempt's.
type sign struct {
	kind signKind
	// denied: a refusal that may be meant for this order alone.
	denied bool
	// barred: as long as this lasts nobody can sign in, and no order can be opened.
	barred bool
	// deaf: a refusal in which the host said nothing, such as a bad certificate.
	deaf bool
	// text says it in a few words.
	text string
	// after is how long the host asks to wait.
	after time.Duration
}

// readSign says what an attempt that ended so says about its host.
func readSign(res *tasks.Result, err error) sign {
	if err == nil {
		return readResult(res)
	}
	f := tasks.AsFailure(err)
	if f.SignIn {
		return sign{kind: signRefused, barred: true, after: f.After, text: f.Seen}
	}
	s := sign{after: f.After, text: strings.ReplaceAll(string(f.Class), "_", " ")}
	switch f.Class {
	case tasks.ClassNavigation:
		s.kind, s.deaf = signRefused, true
		if f.Seen != "" {
			s.text = f.Seen
		}
		if f.Unreached {
			s.kind = signUnreached
		}
	case tasks.ClassThrottled:
		if f.Advice == tasks.AdviceRelease {
			return sign{} // it was not asked
		}
		s.kind, s.text = signRefused, "it asks to wait, or is down for maintenance"
	case tasks.ClassPortalError:
		s.kind, s.text = signRefused, "error pages"
	case tasks.ClassAccessDenied:
		s.kind, s.denied = signRefused, true
	case tasks.ClassHTTPStatus:
		s.kind = signAnswer
		if f.Retryable {
			s.kind, s.text = signRefused, "error statuses"
		}
	case tasks.ClassTimeout:
		s.kind, s.text = signBroken, "orders do not end in their time"
		if f.Phase == tasks.PhaseOpen {
			s.kind, s.text = signSilent, "no answer in time"
		}
	case tasks.ClassLogin:
		s.kind = signLogin
	case tasks.ClassNotFound, tasks.ClassIdentity, tasks.ClassHost, tasks.ClassCertificate:
		s.kind = signAnswer
	case tasks.ClassNotReady, tasks.ClassPageIncomplete, tasks.ClassUnsettled, tasks.ClassPage, tasks.ClassRendererCrash:
		s.kind = signBroken
	}
	return s
}

func readResult(res *tasks.Result) sign {
	switch {
	case res == nil:
		return sign{}
	case res.Outcome.Well():
		return sign{kind: signWell}
	case res.Missing != nil && res.Missing.Advice == tasks.AdviceRetry:
		return sign{kind: signBroken, text: "documents or fields are missing"}
	}
	return sign{kind: signAnswer}
}

// answered reports whether the host has said something to the browser.
func (s sign) answered() bool {
	switch s.kind {
	case signWell, signAnswer, signLogin, signBroken:
		return true
	case signRefused:
		return !s.deaf
	}
	return false
}

// doubtful reports whether it takes a check of the host to know whose trouble it is.
func (s sign) doubtful() bool {
	return s.kind == signBroken || s.kind == signSilent || s.kind == signUnreached
}
