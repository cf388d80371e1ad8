package otp

import (
	"context"
	"encoding/base32"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestCodesOfRFC6238 has the test vectors of its appendix B.
func TestCodesOfRFC6238(t *testing.T) {
	t.Parallel()
	secret := func(length int) string {
		return base32.StdEncoding.EncodeToString([]byte(strings.Repeat("1234567890", 7)[:length]))
	}
	for _, c := range []struct {
		at                   int64
		sha1, sha256, sha512 string
	}{
		{59, "94287082", "46119246", "90693936"},
		{1111111109, "07081804", "68084774", "25091201"},
		{1111111111, "14050471", "67062674", "99943326"},
		{1234567890, "89005924", "91819424", "93441116"},
		{2000000000, "69279037", "90698825", "38618901"},
		{20000000000, "65353130", "77737706", "47863826"},
	} {
		for algorithm, want := range map[string]string{"SHA1": c.sha1, "sha256": c.sha256, "SHA512": c.sha512} {
			length := map[string]int{"SHA1": 20, "sha256": 32, "SHA512": 64}[algorithm]
			k, err := Parse(fmt.Sprintf("otpauth://totp/A:b?secret=%s&algorithm=%s&digits=8&period=30", secret(length), algorithm))
			if err != nil {
				t.Error(err)
			} else if got := k.code(c.at / 30); got != want {
				t.Errorf("%s at %d: %s, want %s", algorithm, c.at, got, want)
			}
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	want, err := Parse("JBSWY3DPEHPK3PXP")
	if err != nil || want.digits != 6 || want.period != 30*time.Second {
		t.Fatal(want, err)
	}
	for _, text := range []string{"jbsw y3dp ehpk 3pxp", "JBSW-Y3DP-EHPK-3PXP", "otpauth://totp/x?secret=jbswy3dpehpk3pxp&issuer=x"} {
		if k, err := Parse(text); err != nil || k.code(7) != want.code(7) {
			t.Errorf("%q: %v, %v", text, k, err)
		}
	}
	for _, text := range []string{"", "s3cret!", "otpauth://hotp/x?secret=JBSWY3DP", "otpauth://totp/x", "otpauth://totp/x?secret=JBSWY3DP&digits=9",
		"otpauth://totp/x?secret=JBSWY3DP&algorithm=MD5", "otpauth://totp/x?secret=JBSWY3DP&period=0"} {
		if _, err := Parse(text); err == nil || strings.Contains(err.Error(), "JBSW") || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestCodesAreUsedOnce waits for the next code where one was used, and none is given that
// is about to end.
func TestCodesAreUsedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k, err := Parse("JBSWY3DPEHPK3PXP")
		if err != nil {
			t.Fatal(err)
		}
		var c Codes
		seen := map[string]bool{}
		began := time.Now()
		for range 3 {
			code, err := c.Next(t.Context(), k)
			if err != nil || seen[code] || code != k.code(time.Now().Unix()/30) {
				t.Errorf("got %s, %v", code, err)
			}
			seen[code] = true
		}
		if took := time.Since(began); took < 31*time.Second || took > 60*time.Second {
			t.Errorf("three codes took %v", took)
		}
		time.Sleep(time.Until(time.Now().Truncate(30 * time.Second).Add(88 * time.Second))) //nolint:forbidigo // in a bubble of synctest; two seconds are left of a code
		if code, err := c.Next(t.Context(), k); err != nil || time.Now().Unix()%30 != 0 || code != k.code(time.Now().Unix()/30) {
			t.Errorf("got %s, %v at %v", code, err, time.Now())
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if code, err := c.Next(ctx, k); err == nil {
			t.Errorf("got %s before its time", code)
		}
	})
}
