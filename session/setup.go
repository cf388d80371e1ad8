package session

import "github.com/poscrape/poscrape/session/setup"

// Config says what a session does.
type Config = setup.Config

// ResumeConfig says how a session is gone on with.
type ResumeConfig = setup.ResumeConfig

// ConfigError says which setting cannot be used, and why.
type ConfigError = setup.ConfigError

// Lifetime says how long a browser lives.
type Lifetime = setup.Lifetime

// Mode says how orders are read.
type Mode = setup.Mode

// Keep says of which attempts evidence is kept.
type Keep = setup.Keep

// The settings that have names.
const (
	MinWorkers, MaxWorkers = setup.MinWorkers, setup.MaxWorkers
	MaxBreakerPatience     = setup.MaxBreakerPatience
	DefaultPlace           = setup.DefaultPlace
	DefaultEvidenceLimit   = setup.DefaultEvidenceLimit

	Reuse, Once                     = setup.Reuse, setup.Once
	ModeAuto, ModeRender, ModeFetch = setup.ModeAuto, setup.ModeRender, setup.ModeFetch
	CompareNone                     = setup.CompareNone
	KeepNone, KeepFailed, KeepAll   = setup.KeepNone, setup.KeepFailed, setup.KeepAll
)

// ForeignError says which settings of a session that was made elsewhere have to be typed.
type ForeignError = setup.ForeignError

// Setting is one of a session's that was made elsewhere.
type Setting = setup.Setting

// DefaultConfig returns the settings that are used where nothing else is said, Modes and Keeps
// what can be chosen from, Recall how the session in a folder was started, Reaching which flags must be typed where that was
// elsewhere, DroppedText says which of its settings do not count, Allow makes it this user's own, and
// AllowRecipe lets a recipe read what it names.
var (
	DefaultConfig = setup.DefaultConfig
	Modes         = setup.Modes
	Keeps         = setup.Keeps
	Recall        = setup.Recall
	Reaching      = setup.Reaching
	DroppedText   = setup.DroppedText
	Allow         = setup.Allow
	AllowRecipe   = setup.AllowRecipe
)
