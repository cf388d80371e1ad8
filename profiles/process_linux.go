package profiles

import "github.com/poscrape/poscrape/internal/proc"

// identify returns what distinguishes the process from a later one with the same id.
// All of it is empty if the process is gone already.
func identify(pid int) identity {
	p, err := proc.Read(pid)
	uid, known := proc.User(pid)
	if err != nil || !known {
		return identity{}
	}
	return identity{
		StartTicks: p.Start, BootID: proc.Boot(), PIDNamespace: proc.Namespace("pid"),
		Session: p.Session, UID: uid, Exe: proc.Program(pid),
	}
}
