//go:build race

package pool_test

// underRace: the race detector makes a ledger some thirty times slower, so that
// tests which only count use fewer tasks.
const underRace = true
