// Package container runs a Chrome in a container of its own, by the command line of Podman or
// Docker: from its start to its proven end, with two walls around it. The outer one is the
// container, without rights, without a network and with a bound on what it uses; the inner one is
// Chrome's own sandbox, which stays on (docs/containers.md).
//
// The engine's command is never killed, as one that is leaves behind what no command shows: a
// container ends when Chrome's pipe does, and by its name.
package container
