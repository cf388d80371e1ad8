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

// DefaultConfig returns the settings that are used where nothing else is said, Modes and Keeps
// what can be chosen from, and Recall how the session in a folder was started.
var (
	DefaultConfig = setup.DefaultConfig
	Modes         = setup.Modes
	Keeps         = setup.Keeps
	Recall        = setup.Recall
)
