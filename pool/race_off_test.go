//go:build !race

package pool_test

const underRace = false
