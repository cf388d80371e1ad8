//go:build linux

package browser_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// authority signs certificates of servers.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, name string) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return authority{certificate, key}
}

// server starts one of the local machine's name whose certificate the authority has signed.
func (a authority) server(t *testing.T, ends time.Time) (url string, leaf []byte) {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "a server"},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: ends, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(html("<h1>a page</h1>"))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: a.key}}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL, der
}

func write(t *testing.T, blocks ...[]byte) string {
	t.Helper()
	var text []byte
	for _, der := range blocks {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestAuthority: a browser that is told of authorities trusts what they have signed, and
// nothing else.
func TestAuthority(t *testing.T) {
	t.Parallel()
	first, second, other := newAuthority(t, "First"), newAuthority(t, "Second"), newAuthority(t, "Other")
	later := time.Now().Add(time.Hour)
	byFirst, _ := first.server(t, later)
	bySecond, _ := second.server(t, later)
	expired, _ := first.server(t, time.Now().Add(-time.Hour))
	byOther, _ := other.server(t, later)
	for name, chrome := range chromes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := launch(t, func(c *browser.Config) {
				c.Chrome, c.CA = chrome, write(t, first.certificate.Raw, second.certificate.Raw)
			})
			for url, problem := range map[string]string{
				byFirst: "", bySecond: "", byOther: "ERR_CERT_AUTHORITY_INVALID", expired: "ERR_CERT_DATE_INVALID",
				strings.Replace(byFirst, "127.0.0.1", "localhost", 1): "ERR_CERT_COMMON_NAME_INVALID",
			} {
				res, err := b.Tab().Navigate(t.Context(), url, "")
				if errors.Is(err, browser.ErrPageCrashed) { // Chrome ends a process now and then (killed, 3) as its own error page is left
					t.Logf("%s: %v; once more in a fresh tab", url, err)
					if err = b.Replace(t.Context()); err == nil {
						res, err = b.Tab().Navigate(t.Context(), url, "")
					}
				}
				switch {
				case problem == "" && (err != nil || res.Status != 200):
					t.Errorf("%s: got %+v, %v", url, res, err)
				case problem != "" && (err == nil || !strings.Contains(err.Error(), problem)):
					t.Errorf("%s: got %+v, %v, want %s", url, res, err, problem)
				}
			}
		})
	}
}

func TestCheckAuthority(t *testing.T) {
	t.Parallel()
	ca := newAuthority(t, "First")
	_, leaf := ca.server(t, time.Now().Add(time.Hour))
	der := filepath.Join(t.TempDir(), "ca.der")
	if err := os.WriteFile(der, ca.certificate.Raw, 0o600); err != nil {
		t.Fatal(err)
	}
	for file, problem := range map[string]string{
		write(t, ca.certificate.Raw): "", der: "",
		write(t): "no certificate", write(t, []byte("nonsense")): "no certificate",
		write(t, ca.certificate.Raw, leaf): "not an authority's", filepath.Join(t.TempDir(), "none"): "no such file",
	} {
		err := browser.CheckAuthority(file)
		if problem == "" && err != nil || problem != "" && (err == nil || !strings.Contains(err.Error(), problem)) {
			t.Errorf("%s: got %v, want %q", file, err, problem)
		}
	}
}
