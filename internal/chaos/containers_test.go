//go:build linux

package chaos

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/proc"
	"github.com/poscrape/poscrape/internal/testkit"
)

// contained has all browsers in containers, and none elsewhere.
var contained = []string{"--isolation", "container", "--isolation-required"}

// needContainers skips the test where Podman has no image to run.
func needContainers(t *testing.T) {
	t.Helper()
	if out, err := exec.Command("podman", "image", "inspect", "poscrape-chrome").CombinedOutput(); err != nil {
		t.Skipf("no containers here: %v: %s", err, out)
	}
}

// containers returns the workspace's containers, by the profiles that are mounted in them.
func (p *workspace) containers() []string {
	p.t.Helper()
	out, err := exec.Command("podman", "ps", "--all", "--filter", "label=org.poscrape.pid", "--format", "{{.Names}} {{.State}} {{.Mounts}}").Output()
	if err != nil {
		p.t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(out)), "\n"), func(line string) bool { return !strings.Contains(line, p.tmp+"/") })
}

// containersLeft notes the containers that remain when all should have ended.
func (p *workspace) containersLeft(v *findings) {
	p.t.Helper()
	if !testkit.Holds(func() bool { return len(p.containers()) == 0 }) {
		v.left = append(v.left, p.containers()...)
	}
}

// TestContainerKills breaks containers at work: what runs in them, what the engine has beside them, and the engine's
// record of the image.
func TestContainerKills(t *testing.T) {
	needContainers(t)
	monitor := func(g group) error {
		_, name, _ := strings.Cut(proc.Command(g.pgid), " --name ")
		name, _, _ = strings.Cut(name, " ")
		for _, m := range processes() {
			if strings.Contains(m.command, "/conmon ") && strings.Contains(m.command, " -n "+name+" ") {
				return syscall.Kill(m.pid, syscall.SIGKILL)
			}
		}
		return fmt.Errorf("there is no monitor of %s", name)
	}
	for i, c := range []struct {
		name, fault string
		of          func(command string) bool
		strike      func(group) error
		always      bool
	}{
		{"Chrome", "`kill -9` of the main process of a Chrome in a container", inContainer, group.killMain, true},
		{"Frozen", "SIGSTOP of all processes of a Chrome in a container", inContainer, group.stop, false},
		{"Engine", "`kill -9` of the engine's command for a container", ofEngine, group.killMain, true},
		{"Monitor", "`kill -9` of the monitor of a container", ofEngine, monitor, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.always {
				fullOnly(t)
			}
			b := breakage{place: 210 + i, fault: c.fault, strike: c.strike, number: orderOf, lost: true, back: 6 * time.Second,
				orders: browserOrders(allKinds()...), flags: append([]string{"--workers", "1"}, contained...), find: onlyGroup(c.of)}
			if !c.always { // nothing tells that it has ended: Podman's command outlives its monitor
				b.back = frozenBack
			}
			b.run(t)
		})
	}
}

// inContainer and ofEngine tell by its command a Chrome in a container, and the engine's command that runs it.
func inContainer(command string) bool {
	program, _, _ := strings.Cut(command, " ")
	return strings.Contains(command, " --user-data-dir=") && strings.Contains(program, "chrom")
}

func ofEngine(command string) bool { return strings.Contains(command, "podman run ") }

// onlyGroup finds the one group of the workspace whose main process is of this kind: with one worker, that works.
func onlyGroup(is func(command string) bool) func(*workspace) (group, error) {
	return func(p *workspace) (group, error) {
		groups := slices.DeleteFunc(groupsOf(p.tmp), func(g group) bool { return !is(proc.Command(g.pgid)) })
		if len(groups) != 1 {
			return group{}, fmt.Errorf("there are %d such groups", len(groups))
		}
		return groups[0], nil
	}
}

// TestContainersRandomKills kills poscrape at random moments of a run whose browsers are in containers.
func TestContainersRandomKills(t *testing.T) {
	needContainers(t)
	beside(t)
	kills := 1
	if *full {
		kills = 20
	}
	took := undisturb(t, killedOrders()).took
	random := rand.New(rand.NewPCG(*seed, 2))
	y := newTally(t, 111, "`kill -9` of poscrape at a random moment, its browsers in containers", fromResume)
	for y.row.Injected < kills {
		moment := time.Duration(random.Float64() * float64(took))
		k := newKilling(t, y)
		k.flags, k.contained = contained, true
		t.Logf("after %v of %v", moment, took)
		if !k.after(moment) {
			t.Log("it had ended before", k.report().Session.Status)
		}
	}
	y.write()
}

// TestImageGoesAway: an image that is removed in mid-run makes the browsers after it processes, and costs no order
// an attempt.
func TestImageGoesAway(t *testing.T) {
	needContainers(t)
	beside(t)
	cfg := browserOrders(portal.Plain)
	cfg.Orders, cfg.Latency = 6, 0 // a browser for each
	want := undisturb(t, cfg).report
	s := open(t, cfg)
	p := newWorkspace(t, s)
	image := "poscrape-test-" + strings.ToLower(p.dir[strings.LastIndexByte(p.dir, '-')+1:])
	podman := func(args ...string) {
		if out, err := exec.Command("podman", args...).CombinedOutput(); err != nil {
			t.Errorf("podman %q: %v: %s", args, err, out)
		}
	}
	podman("tag", "poscrape-chrome", image)
	s.meddleWith(countdown(2, orderOf, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		podman("untag", "poscrape-chrome", image)
		next.ServeHTTP(w, r)
	}))
	r := p.run("--workers", "1", "--worker-lifetime", "once", "--isolation", "container", "--container-image", image)
	r.mustExit(0)
	v := p.judge(s, want, nil)
	p.containersLeft(&v)
	for _, o := range v.report.Tasks {
		if len(o.Attempts) != 1 {
			v.other = append(v.other, fmt.Sprintf("order %s took %d attempts", o.PO, len(o.Attempts)))
		}
	}
	v.wantEvents("notice", 1)
	y := newTally(t, 220, "the image of the containers is removed in mid-run", "")
	y.count(1, v)
	y.write()
}

// TestContainedPages opens pages that take all memory, or start threads without end: their own containers alone are
// touched, so that no other order is charged.
func TestContainedPages(t *testing.T) {
	needContainers(t)
	fullOnly(t)
	for i, c := range []struct{ name, fault, script string }{
		{"Memory", "a page in a container: it takes all memory", `const kept = []; setInterval(() => { for (let i = 0; i < 20; i++) kept.push(new Uint8Array(8 << 20).fill(1)) }, 1)`},
		{"Threads", "a page in a container: it starts threads without end", `const kept = [], code = URL.createObjectURL(new Blob(["setInterval(() => 1, 1000)"])); setInterval(() => { for (let i = 0; i < 20; i++) kept.push(new Worker(code)) }, 1)`},
		{"Frames", "a page in a container: it opens frames of other hosts without end", `setInterval(() => { const f = document.createElement("iframe"); f.sandbox = "allow-scripts"; f.srcdoc = "<script>setInterval(() => 1, 1000)</script>"; document.body.append(f) }, 10)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := portal.Config{Orders: 40, Variations: []portal.Variation{portal.Plain}, MaxDocument: 64 << 10, Latency: 100 * time.Millisecond}
			want := undisturb(t, cfg).report
			s := open(t, cfg)
			p := newWorkspace(t, s)
			bad := s.Orders()[5].Number
			s.meddleWith(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if orderOf(r) != bad {
					next.ServeHTTP(w, r)
					return
				}
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprintf(w, "<!doctype html><title>%s</title><h1>Purchase order %[1]s</h1><body><script>%s</script>", bad, c.script)
			})
			r := p.run(append([]string{"--workers", "2", "--mode", "render", "--task-timeout", pageTimeout.String()}, contained...)...)
			r.waitUpTo(10 * time.Minute)
			r.mustExit(3)
			v := findings{report: p.report()}
			v.orders, v.chrome, v.left = len(v.report.Tasks), v.report.Session.Chrome, p.left(v.report)
			p.containersLeft(&v)
			y := newTally(t, 400+i, c.fault, "of one attempt")
			for _, o := range v.report.Tasks {
				switch charged := o.charged(); {
				case o.PO == bad && (o.Error == nil || o.Outcome == "complete"):
					v.other = append(v.other, fmt.Sprintf("the bad order is %s: %+v", o.Outcome, o.Error))
				case o.PO == bad:
					y.row.Seen = fmt.Sprintf("It ends as %s, class %s, after %s", o.Outcome, o.class(), plural(len(charged), "attempt"))
					for _, a := range charged {
						y.recovered(a.EndedAt.Sub(a.StartedAt))
					}
				case o.Outcome != want.order(o.PO).Outcome || len(charged) != 1:
					v.lost = append(v.lost, fmt.Sprintf("order %s is %s after %d attempts: %+v", o.PO, o.Outcome, len(charged), o.Attempts))
				}
			}
			y.count(1, v)
			y.write()
		})
	}
}
