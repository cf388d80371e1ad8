//go:build !chaos

package faultpoint

// In returns the store as it is. The fault suite builds poscrape with
// the tag chaos, under which it can be made to die at a given point.
func In(s Store) Store { return s }
