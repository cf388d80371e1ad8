package main

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/session"
)

// isolation is where each worker's Chrome lives.
type isolation string

const (
	isolationProcess   isolation = "process"
	isolationContainer isolation = "container"
	isolationMixed     isolation = "mixed"
)

// containerEngines are looked for, in this order.
var containerEngines = []string{"podman", "docker"}

func (s *settings) addIsolation(f *pflag.FlagSet) {
	f.Var(choice[isolation]{&s.isolation, []isolation{isolationProcess, isolationContainer, isolationMixed}}, "isolation",
		"where each worker's Chrome lives: container and mixed are not supported yet, and become process if there is no container engine")
}

// isolate returns what is to be said where browsers cannot live as they were asked to: without a
// container engine they are processes. Where there is one, that is an error, as it would not be used.
func isolate(asked isolation, look func(name string) (string, error)) (*session.Notice, error) {
	if asked == isolationProcess {
		return nil, nil
	}
	for _, name := range containerEngines {
		if path, err := look(name); err == nil {
			return nil, usageErrorf("--isolation %s is not supported yet, though there is %s: leave it out, and browsers are processes", asked, path)
		}
	}
	missing := control.Errorf(control.NoContainer, "there is no container engine (%s), so --isolation %s becomes %s: browsers are processes of this machine",
		strings.Join(containerEngines, ", "), asked, isolationProcess)
	return &session.Notice{Level: session.NoticeWarning, Message: missing.Error()}, nil
}
