// Package otp makes one-time codes by RFC 6238 (TOTP), and gives none out twice.
package otp

import (
	"context"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // RFC 6238 names it, and nearly every portal uses it
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Key makes one-time codes.
type Key struct {
	secret []byte
	hash   func() hash.Hash
	digits int
	period time.Duration
}

var errKey = errors.New("is neither a base32 key nor an otpauth:// address of a one-time code")

// Parse reads a key as portals show it (base32, in any case, with blanks), or the
// otpauth:// address that is in a portal's QR code. Its errors do not have the key.
func Parse(text string) (Key, error) {
	key := Key{hash: sha1.New, digits: 6, period: 30 * time.Second}
	secret := text
	if strings.HasPrefix(strings.ToLower(text), "otpauth:") {
		u, err := url.Parse(text)
		if err != nil || !strings.EqualFold(u.Host, "totp") {
			return key, errKey
		}
		q := u.Query()
		secret = q.Get("secret")
		hashes := map[string]func() hash.Hash{"": sha1.New, "SHA1": sha1.New, "SHA256": sha256.New, "SHA512": sha512.New}
		if key.hash = hashes[strings.ToUpper(q.Get("algorithm"))]; key.hash == nil {
			return key, errors.New("asks for an algorithm that is not SHA1, SHA256 or SHA512")
		}
		if digits := q.Get("digits"); digits != "" {
			if key.digits, err = strconv.Atoi(digits); err != nil || key.digits < 6 || key.digits > 8 {
				return key, errors.New("asks for a number of digits that is not 6, 7 or 8")
			}
		}
		if period := q.Get("period"); period != "" {
			seconds, err := strconv.Atoi(period)
			if err != nil || seconds < 1 || seconds > 3600 {
				return key, errors.New("asks for a period that is not 1 to 3600 seconds")
			}
			key.period = time.Duration(seconds) * time.Second
		}
	}
	secret = strings.TrimRight(strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "\u00a0", "").Replace(secret)), "=")
	var err error
	if key.secret, err = base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret); err != nil || len(key.secret) == 0 {
		return key, errKey
	}
	return key, nil
}

// code returns the code of the nth period since 1970.
func (k Key) code(n int64) string {
	mac := hmac.New(k.hash, k.secret)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(n)))
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	number := binary.BigEndian.Uint32(sum[at:]) & math.MaxInt32
	return fmt.Sprintf("%0*d", k.digits, number%uint32(math.Pow10(k.digits)))
}

// Codes remembers which one-time codes were used: portals refuse one that they have seen.
type Codes struct {
	mu   sync.Mutex
	used map[string]int64
}

// Next returns a code that was not used yet and holds for some seconds more. It blocks
// until there is one, for a period at the most with one sign-in at a time, or until ctx
// ends.
func (c *Codes) Next(ctx context.Context, k Key) (string, error) {
	const margin = 3 * time.Second // what it takes to type and send it
	name := string(k.secret)
	c.mu.Lock()
	n := time.Now().Add(min(margin, k.period/4)).UnixNano() / int64(k.period)
	if c.used == nil {
		c.used = map[string]int64{}
	}
	if last, ok := c.used[name]; ok && n <= last {
		n = last + 1
	}
	c.used[name] = n
	c.mu.Unlock()
	begins := time.NewTimer(time.Until(time.Unix(0, n*int64(k.period))))
	defer begins.Stop()
	select {
	case <-begins.C:
		return k.code(n), nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}
