package profiles

// Process is a running process that has to do with a root directory.
type Process struct {
	PID int `json:"pid"`
	// Name is the system's short name of it, for people.
	Name string `json:"name"`
}

// family are the running processes of a root's browsers.
type family struct {
	// ours are provably theirs.
	ours []Process
	// doubtful are in the process group of a browser that has ended, and cannot
	// be shown to belong to it.
	doubtful []Process
	// groups and singles are how to end ours: whole process groups, and
	// processes outside of those.
	groups, singles []int
}
