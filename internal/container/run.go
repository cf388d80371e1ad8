package container

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/deploy"
)

// entry is the program in an image that starts Chrome: package entry.
const entry = "/usr/bin/poscrape-entry"

// What every container has at the most: Chrome with a page of many frames has 300 threads and
// processes; /tmp holds nothing, as Chrome's own temporary files go to the profile.
const (
	maxProcesses = 1024
	tmpSize      = "64m"
	sharedMemory = "1g"
)

// Limits bound what a container uses; 0 is no limit.
type Limits struct {
	// Memory in bytes, CPUs in processors.
	Memory int64
	CPUs   float64
}

// Spec says what is run.
type Spec struct {
	// Profile is the directory that Chrome may write to, at the same path inside and outside.
	Profile string
	// UID and GID are the user that Chrome runs as; -1: this process's own.
	UID, GID int
	Limits   Limits
	// Gate takes the connections that Chrome makes to the container's loopback address at
	// GatePort, and owns the listener. Without one the container has a network that Config.Args
	// name, or the engine's own.
	Gate func(net.Listener)
}

// GatePort is where in a container Chrome finds its proxy.
const GatePort = 3128

// Start rewrites the command that would start Chrome as one that starts it in a container. Chrome's
// pipe becomes the standard streams of the engine's command. The command must not be killed.
func (e *Engine) Start(cmd *exec.Cmd, spec Spec) (*Container, error) {
	if len(cmd.ExtraFiles) != 2 {
		return nil, fmt.Errorf("chrome is to have 2 pipes, not %d", len(cmd.ExtraFiles))
	}
	if strings.ContainsAny(spec.Profile, ":,") {
		return nil, &UnusableError{Why: "no engine takes a directory whose name has a colon or a comma: " + spec.Profile, Remedy: "name another with --temp-dir"}
	}
	path, err := exec.LookPath(e.command[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, err
	}
	c := &Container{engine: e, name: "poscrape-" + strings.ToLower(rand.Text()), cmd: cmd, chrome: cmd.Args[0], profile: spec.Profile}
	seccomp := filepath.Join(spec.Profile, "seccomp.json")
	if err := os.WriteFile(seccomp, deploy.Seccomp, 0o600); err != nil {
		return nil, err
	}
	args := e.runArgs(c.name, seccomp, spec)
	for _, variable := range cmd.Env {
		args = append(args, "--env", variable)
	}
	args = append(args, e.args...)
	args = append(args, e.image, entry)
	if spec.Gate != nil {
		socket, err := c.openGate(spec)
		if err != nil {
			return nil, err
		}
		args = append(args, "-gate", socket)
	}
	args = append(args, cmd.Args...)

	// Podman's monitor leaves a file where it runs when the memory is used up.
	cmd.Path, cmd.Args, cmd.Env, cmd.Dir = path, slices.Concat(e.command, args), os.Environ(), spec.Profile
	cmd.Stdin, cmd.Stdout, cmd.ExtraFiles = cmd.ExtraFiles[0], cmd.ExtraFiles[1], nil
	cmd.Cancel = func() error { return nil }
	leadGroup(cmd)
	return c, nil
}

// runArgs are the arguments of the engine's run, but for those of the user's.
func (e *Engine) runArgs(name, seccomp string, spec Spec) []string {
	args := []string{"run", "--interactive", "--rm", "--init", "--name", name, "--log-driver", "none",
		"--cap-drop", "all", "--security-opt", "no-new-privileges", "--security-opt", "seccomp=" + seccomp,
		"--read-only", "--tmpfs", "/tmp:rw,nosuid,nodev,size=" + tmpSize, "--shm-size", sharedMemory,
		"--pids-limit", strconv.Itoa(maxProcesses), "--volume", spec.Profile + ":" + spec.Profile + ":Z", "--workdir", spec.Profile}
	if e.docker { // its configuration may name proxies, with passwords
		for _, name := range []string{"http_proxy", "https_proxy", "ftp_proxy", "no_proxy", "all_proxy"} {
			args = append(args, "--env", name+"=", "--env", strings.ToUpper(name)+"=")
		}
	} else {
		args = append(args, "--read-only-tmpfs=false", "--http-proxy=false", "--no-hosts")
	}
	for name, n := range userLimits() { // an engine's own defaults not everybody may give
		args = append(args, "--ulimit", fmt.Sprintf("%s=%d:%[2]d", name, n))
	}
	if e.maps {
		args = append(args, "--userns", "keep-id")
	}
	uid, gid := spec.UID, spec.GID
	if uid < 0 {
		uid, gid = os.Getuid(), os.Getgid()
	}
	args = append(args, "--user", fmt.Sprintf("%d:%d", uid, gid))
	if spec.Gate != nil {
		args = append(args, "--network", "none")
	}
	if memory := spec.Limits.Memory; memory > 0 && !e.unlimited {
		bytes := strconv.FormatInt(memory, 10)
		args = append(args, "--memory", bytes, "--memory-swap", bytes)
	}
	if cpus := spec.Limits.CPUs; cpus > 0 && !e.unlimited {
		args = append(args, "--cpus", strconv.FormatFloat(cpus, 'f', -1, 64))
	}
	for _, label := range e.owner.labels() {
		args = append(args, "--label", label)
	}
	return args
}

// NamesNetwork reports whether the user's arguments name a network, so that there is no gate.
func (e *Engine) NamesNetwork() bool {
	return slices.ContainsFunc(e.args, func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return name == "--network" || name == "--net"
	})
}

// remove removes the container with this name, if there is one, with all that runs in it.
func (e *Engine) remove(ctx context.Context, name string) error {
	args := []string{"rm", "--force"}
	if !e.docker {
		args = append(args, "--ignore", "--time", "0")
	}
	_, err := e.ask(ctx, append(args, name)...)
	if err != nil && e.docker && strings.Contains(err.Error(), "No such container") {
		return nil
	}
	return err
}
