//go:build !chaos

package session

// withFaults returns the store as it is. The fault suite builds poscrape with
// the tag chaos, under which it can be made to die at a given point.
func withFaults(s store) store { return s }
