package main

import (
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/session/worker"
)

func (s *settings) addIsolation(f *pflag.FlagSet) {
	c := &s.config
	f.Var(choice[worker.Isolation]{&c.Isolation, worker.Isolations()}, "isolation",
		"where each browser lives: process, container, or mixed, half of them in containers; without an engine that works they are processes")
	f.BoolVar(&c.IsolationRequired, "isolation-required", c.IsolationRequired, "end (exit code 4) where browsers cannot live in containers as --isolation says")
	f.StringVar(&c.ContainerEngine, "container-engine", c.ContainerEngine, "`COMMAND` that makes containers, with arguments if need be, as in 'podman --runtime runc' (default: podman, else docker)")
	f.StringVar(&c.ContainerImage, "container-image", c.ContainerImage, "`NAME` the image with Chrome, which 'make image' makes (default: poscrape-chrome)")
	f.StringVar(&c.ContainerArgs, "container-args", c.ContainerArgs, "`ARGS` what else to hand to the engine's run, such as '--network NAME' in place of none")
}
