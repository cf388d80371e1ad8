package container

import (
	"os"
	"strconv"

	"github.com/poscrape/poscrape/internal/proc"
)

// The labels that say whose a container is: of which start of the machine, in which namespace of
// process ids, and of which process, with the tick of its start.
const (
	bootLabel  = "org.poscrape.boot"
	spaceLabel = "org.poscrape.pid-namespace"
	pidLabel   = "org.poscrape.pid"
	startLabel = "org.poscrape.start"
)

// owner is a process that makes containers.
type owner struct {
	boot, space string
	pid         int
	start       uint64
}

func thisProcess() owner {
	o := owner{boot: proc.Boot(), space: proc.Namespace("pid"), pid: os.Getpid()}
	if self, err := proc.Read(o.pid); err == nil {
		o.start = self.Start
	}
	return o
}

// labels are those of its containers.
func (o owner) labels() []string {
	return []string{bootLabel + "=" + o.boot, spaceLabel + "=" + o.space,
		pidLabel + "=" + strconv.Itoa(o.pid), startLabel + "=" + strconv.FormatUint(o.start, 10)}
}

// ownerOf reads labels.
func ownerOf(labels map[string]string) (owner, bool) {
	pid, err := strconv.Atoi(labels[pidLabel])
	if err != nil {
		return owner{}, false
	}
	start, err := strconv.ParseUint(labels[startLabel], 10, 64)
	return owner{boot: labels[bootLabel], space: labels[spaceLabel], pid: pid, start: start}, err == nil
}

// dead reports whether it is proven that the owner has ended: the machine was started again since,
// or its id is nobody's or another process's.
func (o owner) dead() bool {
	self := thisProcess()
	switch {
	case o.boot == "" || self.boot == "":
		return false
	case o.boot != self.boot:
		return true
	case o.space != self.space || self.space == "":
		return false // its id says nothing here
	}
	if p, err := proc.Read(o.pid); err == nil {
		return p.Ended || p.Start != o.start
	}
	return noProcess(o.pid) // others' processes may be hidden
}
