// Package deploy has what a container engine is told of Chrome.
package deploy

import _ "embed"

// Seccomp says which system calls a container with Chrome may make, so that Chrome has its own
// sandbox in it, in the form that Podman and Docker take.
//
//go:embed seccomp.json
var Seccomp []byte
