package container

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// about is what an engine says of itself.
type about struct {
	// remote: it runs containers elsewhere. rootless: as an ordinary user. unlimited: it cannot
	// keep limits.
	remote, rootless, unlimited bool
}

// parseInfo reads what 'info' prints.
func parseInfo(docker bool, text string) (about, error) {
	var a about
	if docker {
		var info struct {
			SecurityOptions []string `json:"SecurityOptions"`
			MemoryLimit     bool     `json:"MemoryLimit"`
		}
		if err := json.Unmarshal([]byte(text), &info); err != nil {
			return a, fmt.Errorf("reading what Docker says of itself: %w", err)
		}
		a.rootless = slices.ContainsFunc(info.SecurityOptions, func(option string) bool { return strings.Contains(option, "rootless") })
		a.unlimited = !info.MemoryLimit
		return a, nil
	}
	var info struct {
		Host struct {
			CgroupVersion   string `json:"cgroupVersion"`
			ServiceIsRemote bool   `json:"serviceIsRemote"`
			Security        struct {
				Rootless bool `json:"rootless"`
			} `json:"security"`
		} `json:"host"`
	}
	if err := json.Unmarshal([]byte(text), &info); err != nil {
		return a, fmt.Errorf("reading what Podman says of itself: %w", err)
	}
	a.remote, a.rootless = info.Host.ServiceIsRemote, info.Host.Security.Rootless
	a.unlimited = a.rootless && info.Host.CgroupVersion == "v1"
	return a, nil
}
