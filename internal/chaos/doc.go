// Package chaos is the fault suite: it runs the poscrape that users run against
// the demo portal, breaks it in every known way, and compares
// what is left with an undisturbed run. It holds tests alone.
//
// It uses what a user has: the program and the files of the session folder. Two
// things come from the build tag chaos, see internal/faultpoint: a
// poscrape that kills itself at a named point, and one that says how many
// goroutines it has.
//
// go test ./internal/chaos runs a short selection. make chaos injects every
// fault as often as it must be seen, and writes docs/chaos.md; a part of it is
// run by make chaos RUN=TestKills.
//
// TestPressure puts poscrape into a control group with little memory and few processors, beside a
// program that takes them. It is skipped where the machine allows none. What the resource monitor
// does over a day is played in package monitor's TestADay, by its own clock.
//
// It needs /proc, so it runs on Linux only.
package chaos
