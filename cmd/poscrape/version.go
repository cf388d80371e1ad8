package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set when the program is linked: -ldflags '-X main.version=v1.2.3'.
var version string

// build says which poscrape this is.
type build struct {
	Version string `json:"version"`
	// Commit and its time, RFC 3339; empty where the build does not know them.
	Commit     string `json:"commit"`
	CommitTime string `json:"commit_time"`
	// Modified: it was built from more than that commit.
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

func currentBuild() build {
	b := build{Version: version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.CommitTime = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	if b.Version == "" && info.Main.Version != "(devel)" {
		b.Version = info.Main.Version
	}
	if b.Version == "" {
		b.Version = "devel"
	}
	return b
}

func (b build) String() string {
	const shown = 12
	commit := ""
	if b.Commit != "" {
		commit = "commit " + b.Commit[:min(shown, len(b.Commit))]
		if b.Modified {
			commit += " with changes"
		}
		commit += ", "
	}
	return fmt.Sprintf("poscrape %s (%s%s, %s/%s)", b.Version, commit, b.Go, b.OS, b.Arch)
}

func (p *program) newVersionCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:               "version [--json]",
		Short:             "Say which poscrape this is",
		Args:              noArguments,
		ValidArgsFunction: completeNothing,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return json.NewEncoder(p.stdout).Encode(currentBuild())
			}
			_, err := fmt.Fprintln(p.stdout, currentBuild())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}
