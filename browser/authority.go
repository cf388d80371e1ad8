package browser

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// ErrNoCertutil: the program is missing that tells Chrome whom to trust.
var ErrNoCertutil = errors.New("to trust another authority, certutil is needed, which is not installed; install libnss3-tools (Debian, Ubuntu), nss-tools (Fedora) or nss (Arch)")

// ErrSystemStore: Chrome trusts the authorities of the system's store, and no others.
var ErrSystemStore = errors.New("on this system Chrome trusts the authorities of the system's own store only; add the certificate there")

// CheckAuthority returns an error where a browser could not be told to trust the authority
// in a file (Config.CA): ErrNoCertutil, ErrSystemStore, or what is wrong with the file.
func CheckAuthority(file string) error {
	if runtime.GOOS != "linux" {
		return ErrSystemStore
	}
	if _, err := readAuthorities(file); err != nil {
		return err
	}
	if _, err := exec.LookPath("certutil"); err != nil {
		return ErrNoCertutil
	}
	return nil
}

// readAuthorities returns the certificates in a file, in PEM or DER. Each must be an
// authority's: one of a server would be trusted to speak for no other than itself.
func readAuthorities(file string) ([]*x509.Certificate, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	ders := [][]byte{}
	for rest := text; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if block.Type == "CERTIFICATE" {
			ders = append(ders, block.Bytes)
		}
	}
	if !bytes.Contains(text, []byte("-----BEGIN")) {
		ders = append(ders, text)
	}
	var all []*x509.Certificate
	for _, der := range ders {
		c, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, errors.New("it holds no certificate in PEM or DER form")
		}
		if !c.IsCA {
			return nil, fmt.Errorf("the certificate of %q in it is not an authority's; name the file of the authority that signed it", c.Subject.CommonName)
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, errors.New("it holds no certificate in PEM or DER form")
	}
	return all, nil
}

// trustAuthority has the browser trust Config.CA, by a database of certificates (NSS) in its
// home directory, where Chrome looks for one on Linux. See docs/decisions/0025.
func (c Config) trustAuthority() error {
	if c.CA == "" {
		return nil
	}
	if err := CheckAuthority(c.CA); err != nil {
		return fmt.Errorf("trusting %s: %w", c.CA, err)
	}
	authorities, err := readAuthorities(c.CA)
	if err != nil {
		return fmt.Errorf("trusting %s: %w", c.CA, err)
	}
	home := filepath.Join(c.ProfileDir, ".pki")
	dir := filepath.Join(home, "nssdb")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("trusting %s: %w", c.CA, err)
	}
	if err := certutil(nil, "-N", "--empty-password", "-d", "sql:"+dir); err != nil {
		return err
	}
	for i, a := range authorities {
		name := fmt.Sprintf("poscrape %d", i+1)
		if err := certutil(a.Raw, "-A", "-d", "sql:"+dir, "-n", name, "-t", "C,,"); err != nil {
			return err
		}
	}
	return filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, c.Sandbox.own(path))
	})
}

func certutil(certificate []byte, args ...string) error {
	cmd := exec.Command("certutil", args...)
	cmd.Stdin = bytes.NewReader(certificate)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("certutil %s: %w: %s", args[0], err, lastLines(string(said), 2))
	}
	return nil
}
