//go:build linux && !race

package chaos

const underRace = false
