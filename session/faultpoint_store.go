package session

import "github.com/poscrape/poscrape/tasks"

// store is what a session keeps its tasks and its story in.
type store interface {
	tasks.TaskQueue
	tasks.SessionLog
}
