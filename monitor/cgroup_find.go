package monitor

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// mount is where a tree of control groups is to be seen.
type mount struct {
	version     int
	controllers []string // of version 1
	top         string   // the control group that is at point
	point       string
}

// findGroups returns the control groups of this process and all above them, read
// from <root>/proc/self. It is made for root "/"; tests have trees of their own.
func findGroups(root string) groups {
	mounts := findMounts(root)
	paths := findPaths(root) // by controller; "" is the tree of version 2
	var found groups
	if m := mountOf(mounts, ""); m != nil {
		for i, dir := range m.levels(paths[""]) {
			dir = filepath.Join(root, dir)
			found = append(found, &group{version: 2, memoryDir: dir, quotaDir: dir, usageDir: dir, own: i == 0})
		}
	}
	if m := mountOf(mounts, "memory"); m != nil {
		for _, dir := range m.levels(paths["memory"]) {
			found = append(found, &group{version: 1, memoryDir: filepath.Join(root, dir)})
		}
	}
	quota, usage := mountOf(mounts, "cpu"), mountOf(mounts, "cpuacct")
	if quota != nil && usage != nil && paths["cpu"] == paths["cpuacct"] {
		usageDirs := usage.levels(paths["cpuacct"])
		for i, dir := range quota.levels(paths["cpu"]) {
			if i < len(usageDirs) {
				found = append(found, &group{
					version: 1, own: i == 0,
					quotaDir: filepath.Join(root, dir), usageDir: filepath.Join(root, usageDirs[i]),
				})
			}
		}
	}
	return found
}

// findPaths reads <root>/proc/self/cgroup: lines "id:controller,...:path".
func findPaths(root string) map[string]string {
	paths := make(map[string]string)
	for line := range strings.Lines(readText(root, "proc/self/cgroup")) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		for controller := range strings.SplitSeq(fields[1], ",") {
			paths[controller] = fields[2]
		}
	}
	return paths
}

// findMounts reads <root>/proc/self/mountinfo, see proc_pid_mountinfo(5).
func findMounts(root string) []mount {
	var mounts []mount
	for line := range strings.Lines(readText(root, "proc/self/mountinfo")) {
		before, after, ok := strings.Cut(strings.TrimSpace(line), " - ")
		fields, kinds := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 5 || len(kinds) < 3 {
			continue
		}
		m := mount{top: fields[3], point: fields[4]}
		switch kinds[0] {
		case "cgroup2":
			m.version = 2
		case "cgroup":
			m.version, m.controllers = 1, strings.Split(kinds[2], ",")
		default:
			continue
		}
		mounts = append(mounts, m)
	}
	return mounts
}

// mountOf returns the mount of a controller, or of version 2 for "".
func mountOf(mounts []mount, controller string) *mount {
	for i, m := range mounts {
		if controller == "" && m.version == 2 || controller != "" && slices.Contains(m.controllers, controller) {
			return &mounts[i]
		}
	}
	return nil
}

// levels returns the directory of a control group and those of all above it that
// can be seen here, the group's own first. In a container the path is often
// given as the host sees it, while the mount begins at the container's group.
func (m *mount) levels(group string) []string {
	below, ok := strings.CutPrefix(group, strings.TrimSuffix(m.top, "/"))
	if !ok || strings.Contains(below, "..") || below != "" && below[0] != '/' {
		below = ""
	}
	dirs := []string{}
	for below = path.Clean("/" + below); below != "/"; below = path.Dir(below) {
		dirs = append(dirs, path.Join(m.point, below))
	}
	return append(dirs, m.point)
}

// exists reports whether a file is there and can be read.
func exists(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	_ = file.Close()
	return true
}
