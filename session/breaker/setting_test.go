package breaker

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// wrongSetting is an attempt that failed for a setting's sake.
func wrongSetting(setting tasks.Setting) error {
	f := tasks.Permanent(tasks.OutcomeFailed, tasks.ClassCertificate, "it failed by %s", setting)
	if setting != tasks.SettingCertificate {
		f = tasks.Retry(tasks.ClassNavigation, "it failed by %s", setting)
		f.Unreached = setting == tasks.SettingName
	}
	f.Setting, f.Seen = setting, "seen"
	return f
}

// TestASettingThatIsWrong has orders end one after another: by a setting (name, proxy, certificate),
// refused by the network, well, or not found.
func TestASettingThatIsWrong(t *testing.T) {
	t.Parallel()
	third, fourth := "http://third.example/", "http://fourth.example/"
	for name, c := range map[string]struct {
		orders int
		more   []string
		// events are of orders, by their numbers.
		events string
		want   tasks.Setting
	}{
		"three in a row":                   {orders: 9, events: "0 name, 1 name, 2 name", want: tasks.SettingName},
		"two in a row":                     {orders: 9, events: "0 name, 1 name"},
		"all there are":                    {orders: 2, events: "0 certificate, 1 certificate", want: tasks.SettingCertificate},
		"a single row, and no other":       {orders: 1, events: "0 name", want: tasks.SettingName},
		"a single row, others not asked":   {orders: 9, more: []string{otherURL}, events: "9 name"},
		"a single row among good ones":     {orders: 3, more: []string{otherURL}, events: "0 well, 3 name, 3 name, 3 name"},
		"an order was reached before":      {orders: 9, events: "0 found, 1 name, 2 name, 3 name"},
		"something else in between":        {orders: 9, events: "0 name, 1 name, 2 refused, 3 name"},
		"different settings":               {orders: 9, events: "0 name, 1 name, 2 certificate, 3 name"},
		"two hosts, one not asked":         {orders: 9, more: []string{otherURL}, events: "0 name, 1 name, 2 name, 3 name"},
		"two hosts":                        {orders: 9, more: []string{otherURL}, events: "0 name, 1 name, 9 name, 2 name", want: tasks.SettingName},
		"two hosts, one is down otherwise": {orders: 9, more: []string{otherURL}, events: "9 refused, 0 name, 1 name, 2 name"},
		"three hosts of many":              {orders: 1, more: []string{otherURL, third, fourth}, events: "0 name, 1 name, 2 name", want: tasks.SettingName},
		"a proxy is that of all hosts":     {orders: 9, more: []string{otherURL}, events: "0 proxy, 1 proxy, 2 proxy", want: tasks.SettingProxy},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, c.orders, c.more...)
			r.network.down[otherAddress] = true
			for event := range strings.SplitSeq(c.events, ", ") {
				var order int
				var how string
				if _, err := fmt.Sscan(event, &order, &how); err != nil {
					t.Fatal(err)
				}
				switch how {
				case "well":
					r.try(order, well(), nil)
				case "found":
					r.try(order, nil, notFound())
				case "refused":
					r.try(order, nil, refused())
				default:
					r.try(order, nil, wrongSetting(tasks.Setting(how)))
				}
			}
			var got tasks.Setting
			if wrong := r.Wrong(); wrong != nil {
				got = wrong.Setting
			}
			if got != c.want {
				t.Errorf("wrong is %q, want %q", got, c.want)
			}
		})
	}
}
