package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/poscrape/poscrape/internal/testkit"
)

// networkOfItsOwn is set for the process that runs TestASheetInANetwork in namespaces of its own.
const networkOfItsOwn = "POSCRAPE_TEST_NETWORK"

// TestASheetInANetwork runs sheets whose addresses lead to this machine, to its private network, to the service that
// knows a cloud's keys, and to names of these: in a network that has nothing but this test.
func TestASheetInANetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts Chromes")
	}
	if os.Getenv(networkOfItsOwn) == "" {
		t.Parallel()
		inNamespaces(t)
		return
	}
	t.Setenv(allowLocal, "false")
	n := newNetwork(t)
	const recipe = "version: 1\nallowed_hosts: [\"%s\"]\nidentity: {selector: h1}\nattachments: {item: a}\n"
	for _, c := range []struct {
		name, sheet string
		args        []string
		code        int
		// says is what is said, outcomes are those of the orders, and asked the addresses that were asked for.
		says     string
		outcomes string
		asked    string
	}{
		{"loopback", "127.0.0.1", nil, exitUsage, "--allow-local", "", ""},
		{"loopback among others", "127.0.0.1 169.254.169.254 203.0.113.5", nil, exitNotWell, "--allow-local", "invalid_input invalid_input no_attachments", "203.0.113.5"},
		{"loopback allowed", "127.0.0.1 10.1.2.3 192.168.7.7", []string{"--allow-local"}, exitWell, "", "no_attachments no_attachments no_attachments", "10.1.2.3 127.0.0.1 192.168.7.7"},
		{"loopback typed", "", []string{"--url", "http://127.0.0.1/{po}"}, exitWell, "", "no_attachments", "127.0.0.1"},
		{"a private host", "10.1.2.3 10.1.2.3 203.0.113.5", nil, exitWell, "into this machine's private network, to 10.1.2.3", "no_attachments no_attachments no_attachments", "10.1.2.3 203.0.113.5"},
		{"two private hosts", "10.1.2.3 192.168.7.7", nil, exitUsage, "--allow-local", "", ""},
		{"two private hosts among others", "10.1.2.3 192.168.7.7 203.0.113.5", nil, exitNotWell, "others of the sheet's 2 hosts there", "invalid_input invalid_input no_attachments", "203.0.113.5"},
		{"names of this machine", "loop.example keys.example outside.example", nil, exitNotWell, "loop.example leads to this machine", "invalid_input invalid_input no_attachments", "outside.example"},
		{"a private name", "erp.example outside.example", nil, exitWell, "into this machine's private network, to erp.example", "no_attachments no_attachments", "erp.example outside.example"},
		{"two private names", "erp.example router.example outside.example", nil, exitNotWell, "--allow-local", "invalid_input invalid_input no_attachments", "outside.example"},
		{"names that turn inside", "turns-loop.example turns-net.example outside.example", nil, exitNotWell, "turns-net.example leads to this machine's private network",
			"invalid_input invalid_input no_attachments", "outside.example turns-loop.example turns-net.example"},
		{"one that would take a private name's place", "turns-net.example erp.example", nil, exitNotWell, "turns-net.example leads to this machine's private network",
			"invalid_input no_attachments", "erp.example turns-net.example"},
		{"redirects", "203.0.113.5/to?u=http://127.0.0.1/ 203.0.113.5/to?u=http://10.1.2.3/ 203.0.113.5/to?u=http://169.254.169.254/ 203.0.113.5/to?u=http://loop.example/", nil, exitNotWell,
			"led to a host", "failed failed failed failed", "203.0.113.5"},
		{"documents below a domain", "outside.example/PO1001?docs=http://files.corp.example/d.pdf", []string{"--recipe", testkit.Write(t, filepath.Join(t.TempDir(), "below.yaml"), fmt.Sprintf(recipe, "*.corp.example"))},
			exitNotWell, "files.corp.example leads to this machine", "partial", "files.corp.example outside.example"},
		{"documents where the recipe says", "outside.example/PO1001?docs=http://files.corp.example/d.pdf", []string{"--recipe", testkit.Write(t, filepath.Join(t.TempDir(), "named.yaml"), fmt.Sprintf(recipe, "files.corp.example"))},
			exitWell, "", "complete", "files.corp.example outside.example"},
		{"documents", "203.0.113.5/PO1001?docs=http://127.0.0.1/d.pdf 203.0.113.5/PO1002?docs=http://10.1.2.3/d.pdf 203.0.113.5/PO1003?docs=/to%3Fu=http://169.254.169.254/d.pdf", nil, exitNotWell,
			"", "partial partial partial", "203.0.113.5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := testkit.OpenTempDir(t)
			sheet, rows := "po\nPO1001\n", strings.Fields(c.sheet)
			if len(rows) > 0 {
				sheet = "po,url\n"
			}
			for i, at := range rows {
				if !strings.Contains(at, "/") {
					at += fmt.Sprintf("/PO%d", 1001+i)
				}
				sheet += fmt.Sprintf("PO%d,\"http://%s\"\n", 1001+i, at)
			}
			file, out := testkit.Write(t, filepath.Join(dir, "pos.csv"), sheet), filepath.Join(dir, "out")
			n.begin()
			var printed bytes.Buffer
			args := append([]string{"run", "--no-progress", "--no-sandbox", "-w", "1", "--retries", "0", "-o", out}, c.args...)
			code := run(t.Context(), append(args, file), strings.NewReader(""), &printed, &printed)
			if code != c.code || !strings.Contains(printed.String(), c.says) {
				t.Errorf("exit code %d, want %d, and %q: %s", code, c.code, c.says, printed.String())
			}
			var got []string
			if text, err := os.ReadFile(filepath.Join(out, "report.json")); err == nil {
				for i, order := range testkit.ReadJSON[struct {
					Tasks []struct{ Outcome string }
				}](t, filepath.Join(out, "report.json")).Tasks {
					got = append(got, order.Outcome)
					if order.Outcome == "invalid_input" && strings.Contains(string(text), said(rows[i])) {
						t.Errorf("what %s said is in the report", rows[i])
					}
				}
			}
			if outcomes := strings.Join(got, " "); outcomes != c.outcomes {
				t.Errorf("the orders are %q, want %q: %s", outcomes, c.outcomes, printed.String())
			}
			if asked := n.end(); asked != c.asked {
				t.Errorf("asked were %q, want %q", asked, c.asked)
			}
		})
	}
}

// TestAFolderInANetwork goes on with sessions that were made elsewhere, whose orders lead inside by name: nothing
// there is asked, and neither evidence nor a picture is kept.
func TestAFolderInANetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts Chromes")
	}
	if os.Getenv(networkOfItsOwn) == "" {
		t.Parallel()
		inNamespaces(t)
		return
	}
	t.Setenv(allowLocal, "false")
	n := newNetwork(t)
	for _, c := range []struct {
		name, command, hosts string
		args                 []string
		code                 int
		says, asked          string
	}{
		{"resume", "resume", "loop.example keys.example outside.example", nil, exitNotWell, "loop.example leads to this machine", "outside.example"},
		{"retry", "retry", "loop.example outside.example", nil, exitNotWell, "loop.example leads to this machine", "outside.example"},
		{"one private host", "resume", "erp.example outside.example", nil, exitWell, "", "erp.example outside.example"},
		{"two private hosts", "resume", "erp.example router.example 10.1.2.3 outside.example", nil, exitNotWell, "erp.example leads to this machine's private network", "outside.example"},
		{"allowed", "resume", "loop.example erp.example router.example", []string{"--allow-local"}, exitWell, "", "erp.example loop.example router.example"},
		{"open", "open", "loop.example", nil, exitEnvironment, "loop.example leads to this machine", ""},
		{"open at one of two private hosts", "open", "erp.example router.example", nil, exitEnvironment, "erp.example leads to this machine's private network", ""},
		{"open outside", "open", "outside.example", nil, exitWell, "", "outside.example"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var addresses []string
			for i, host := range strings.Fields(c.hosts) {
				addresses = append(addresses, fmt.Sprintf("http://%s/PO%d", host, i+1))
			}
			dir, _ := gift(t, `"retries":0,"local_host":"router.example"`, addresses...)
			picture := filepath.Join(t.TempDir(), "x.png")
			args := append([]string{c.command, "--no-sandbox"}, c.args...)
			if c.command == "open" {
				args = append(args, "--picture", picture, dir, "PO1")
			} else {
				args = append(args, "--no-progress", "-w", "1", dir)
			}
			for again := range 2 { // by then the folder is one's own
				n.begin()
				code, said := command(t, args...)
				asked := n.end()
				if again > 0 && c.command != "open" {
					if asked != "" {
						t.Errorf("asked again were %q", asked)
					}
					continue
				}
				if code != c.code || !strings.Contains(said, c.says) || asked != c.asked {
					t.Errorf("exit code %d, want %d; asked were %q, want %q; %q is to be in %s", code, c.code, asked, c.asked, c.says, said)
				}
			}
			kept, err := filepath.Glob(filepath.Join(dir, "evidence", "*", "*.png"))
			if _, missing := os.Stat(picture); err != nil || c.code != exitWell && missing == nil || strings.Contains(fmt.Sprint(kept), "PO1/") && c.code != exitWell {
				t.Errorf("kept are %v, and the picture: %v, %v", kept, missing, err)
			}
		})
	}
}

// inNamespaces runs the test that calls it in a process with a network, mounts and, where it needs that, users of its own.
func inNamespaces(t *testing.T) {
	t.Helper()
	flags := uintptr(syscall.CLONE_NEWNET | syscall.CLONE_NEWNS)
	attr := &syscall.SysProcAttr{Cloneflags: flags, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	probe := exec.Command("true")
	probe.SysProcAttr = attr
	if err := probe.Run(); err != nil {
		t.Skipf("no namespace can be made here: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.SysProcAttr = attr
	cmd.Env = append(os.Environ(), networkOfItsOwn+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// network is a network in which this process is every host.
type network struct {
	mu    sync.Mutex
	hosts []string
	// looked counts how often a name was looked up.
	looked map[string]int
}

// begin forgets what was asked for.
func (n *network) begin() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hosts, n.looked = nil, map[string]int{}
}

// end returns which hosts were asked for pages or documents.
func (n *network) end() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	slices.Sort(n.hosts)
	return strings.Join(slices.Compact(n.hosts), " ")
}

func newNetwork(t *testing.T) *network {
	t.Helper()
	if err := layNetwork(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	n := &network{}
	listener, err := net.Listen("tcp", ":80")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: n}
	names, err := net.ListenPacket("udp", "127.0.0.1:53")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	serving.Go(func() { n.serveNames(names) })
	t.Cleanup(func() {
		_ = errors.Join(server.Close(), names.Close())
		serving.Wait()
	})
	return n
}

// layNetwork gives this process's own network its addresses, and has names looked up at 127.0.0.1. dir is for files.
func layNetwork(dir string) error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	for i, address := range []string{"127.0.0.1", "203.0.113.5", "10.1.2.3", "192.168.7.7", "169.254.169.254"} {
		name := "lo"
		if i > 0 {
			name = fmt.Sprintf("lo:%d", i)
		}
		r, err := unix.NewIfreq(name)
		if err != nil {
			return err
		}
		if err := r.SetInet4Addr(net.ParseIP(address).To4()); err != nil {
			return err
		}
		if err := unix.IoctlIfreq(s, unix.SIOCSIFADDR, r); err != nil {
			return fmt.Errorf("giving it %s: %w", address, err)
		}
		r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
		if err := unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, r); err != nil {
			return fmt.Errorf("bringing %s up: %w", name, err)
		}
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	for path, text := range map[string]string{"/etc/resolv.conf": "nameserver 127.0.0.1\n", "/etc/hosts": "127.0.0.1 localhost\n", "/etc/nsswitch.conf": "hosts: files dns\n"} {
		file := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
		if err := unix.Mount(file, path, "", unix.MS_BIND, ""); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("putting a file in the place of %s: %w", path, err)
		}
	}
	return nil
}

// ServeHTTP is every host of the network.
func (n *network) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/favicon.ico" {
		http.NotFound(w, r)
		return
	}
	n.mu.Lock()
	n.hosts = append(n.hosts, r.Host)
	n.mu.Unlock()
	list := "<p>No attachments"
	if to := r.URL.Query().Get("docs"); to != "" {
		list = fmt.Sprintf(`<a href="%s">d.pdf</a>`, to)
	}
	switch r.URL.Path {
	case "/to":
		http.Redirect(w, r, r.URL.Query().Get("u"), http.StatusFound)
	case "/d.pdf":
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = io.WriteString(w, "%PDF-1.4 a document\n%%EOF\n")
	default:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>Purchase order %[1]s</title><h1>Purchase order %[1]s</h1><dl><dt>Order number<dd>%[1]s<dt>Key<dd>%[2]s</dl>%[3]s`,
			r.URL.Path[1:], said(r.Host), list)
	}
}

// said is what a host says of itself.
func said(host string) string { return "the key of " + host }

// addresses of names: the first for whom asks first, and the last for whoever asks later.
var addresses = map[string][]string{
	"outside.example": {"203.0.113.5"}, "loop.example": {"127.0.0.1"}, "keys.example": {"169.254.169.254"},
	"erp.example": {"10.1.2.3"}, "router.example": {"192.168.7.7"},
	"files.corp.example": {"127.0.0.1"},
	"turns-loop.example": {"203.0.113.5", "127.0.0.1"}, "turns-net.example": {"203.0.113.5", "192.168.7.7"},
}

// serveNames answers who looks names up (RFC 1035), until conn is closed.
func (n *network) serveNames(conn net.PacketConn) {
	query := make([]byte, 512)
	for {
		size, from, err := conn.ReadFrom(query)
		if err != nil {
			return
		}
		if size < 12 {
			continue
		}
		name, end := "", 12
		for end < size && query[end] != 0 {
			next := end + 1 + int(query[end])
			name += strings.ToLower(string(query[end+1:min(next, size)])) + "."
			end = next
		}
		if end+5 > size {
			continue
		}
		kind := binary.BigEndian.Uint16(query[end+1:])
		answer := append([]byte{}, query[:end+5]...)
		copy(answer[2:], []byte{0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}) // an answer, to one question
		all := addresses[strings.TrimSuffix(name, ".")]
		if len(all) == 0 {
			answer[3] = 0x83 // no such name
		}
		if kind == 1 && len(all) > 0 {
			n.mu.Lock()
			at := all[min(n.looked[name], len(all)-1)]
			n.looked[name]++
			n.mu.Unlock()
			answer[7] = 1
			answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
			answer = append(answer, net.ParseIP(at).To4()...)
		}
		_, _ = conn.WriteTo(answer, from)
	}
}
