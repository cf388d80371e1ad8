//go:build linux && race

package chaos

// underRace: poscrape is built with the race detector where the tests are, so
// that what is compiled for one serves the other.
const underRace = true
