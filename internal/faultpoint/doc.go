// Package faultpoint lets a poscrape that is built with the tag chaos die at a given point,
// and say how many goroutines it has. The fault suite uses that; in every other build it does
// nothing.
package faultpoint

import "github.com/poscrape/poscrape/tasks"

// Store is what a session keeps its tasks and its story in.
type Store interface {
	tasks.TaskQueue
	tasks.SessionLog
}
