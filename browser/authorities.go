package browser

import (
	"crypto/x509"
	"fmt"
	"os"
)

// Authorities returns the authorities that the system trusts, and those of a file like Config.CA; or nil,
// which stands for the system's, without a file.
func Authorities(ca string) (*x509.CertPool, error) {
	if ca == "" {
		return nil, nil
	}
	text, err := os.ReadFile(ca)
	if err != nil {
		return nil, fmt.Errorf("reading the authorities: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s has no certificate", ca)
	}
	return pool, nil
}
