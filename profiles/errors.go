package profiles

import "errors"

var (
	// ErrTooMany is returned by Create while Max profiles exist.
	ErrTooMany = errors.New("too many profiles: remove one first")
	// ErrClosed is returned by Create after Close.
	ErrClosed = errors.New("the profile manager is closed")
	// ErrNoSpace is returned by Create where too little disk space is free.
	ErrNoSpace = errors.New("too little disk space")
	// ErrGone is returned for a profile that was removed already.
	ErrGone = errors.New("the profile was removed")
	// ErrForeign is returned for a profile that another manager made.
	ErrForeign = errors.New("the profile belongs to another manager")
	// ErrTampered is returned by Validate for a directory that is not there any
	// more as it was made: missing, replaced, or open to others.
	ErrTampered = errors.New("the profile is not as it was made")
	// ErrTooLarge is returned for a profile, or a base, over the size limit.
	ErrTooLarge = errors.New("over the size limit of a profile")
	// ErrBase is returned by NewManager for a base that is no user data
	// directory of Chrome.
	ErrBase = errors.New("not a user data directory of Chrome")
	// ErrBaseInUse is returned by NewManager while a Chrome runs in the base.
	ErrBaseInUse = errors.New("the base profile is in use")
)
