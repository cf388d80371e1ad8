//go:build !windows && !darwin

package trust

import "cmp"

func place(get func(string) string, home string) string {
	return cmp.Or(below(get("XDG_STATE_HOME"), "poscrape"), below(home, ".local", "state", "poscrape"))
}
