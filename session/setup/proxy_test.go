package setup

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestValidateProxy(t *testing.T) {
	t.Parallel()
	for proxy, fits := range map[string]bool{
		"": true, "system": true, "http://proxy.example:3128": true, "https://anna:s3cret@proxy.example": true,
		"socks5://proxy.example": true, "pac+http://proxy.example/proxy.pac": true, "pac+file:///etc/proxy.pac": true,
		"nonsense": false, "proxy.example:3128": false, "ftp://proxy.example:3128": false, "socks5://anna:s3cret@proxy.example": false, "http://s3cret@:x": false,
		"pac+": false, "pac+proxy.example": false, "pac+ftp://proxy.example/p": false, "pac+http://anna:s3cret@proxy.example/p": false,
	} {
		err := Config{Proxy: proxy}.validateProxy()
		var setting *ConfigError
		if (err == nil) != fits || err != nil && (!errors.As(err, &setting) || setting.Field != "proxy" || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("%q: got %v", proxy, err)
		}
	}
}

// TestWhatTheHeadlessShellCannotDo: a proxy's script would be passed over in silence.
func TestWhatTheHeadlessShellCannotDo(t *testing.T) {
	t.Parallel()
	for proxy, full := range map[string]bool{"": false, "system": false, "http://proxy.example:3128": false, "pac+http://proxy.example/proxy.pac": true} {
		if got := (Config{Proxy: proxy}).FullChrome(); got != full {
			t.Errorf("%q needs a full Chrome: %v", proxy, got)
		}
	}
}

// TestProxyPasswordIsNotStored: a session that went by a proxy with a password asks for it
// again, and goes on with whatever is named then.
func TestProxyPasswordIsNotStored(t *testing.T) {
	t.Parallel()
	cfg := DefaultConfig()
	cfg.Proxy = "http://anna:s3cret@proxy.example:3128"
	stored, err := Remember(cfg, Recipes{{}})
	if err != nil || strings.Contains(string(stored), "s3cret") || strings.Contains(string(stored), "anna") {
		t.Fatalf("stored is %s, %v", stored, err)
	}
	for again, missing := range map[string]bool{
		"": true, "http://anna:s3cret@proxy.example:3128": false, "http://other.example:3128": false, "system": false,
	} {
		var was Remembered
		if err := json.Unmarshal(stored, &was); err != nil {
			t.Fatal(err)
		}
		next, _, err := was.Next(ResumeConfig{Adjust: func(c *Config) {
			if again != "" {
				c.Proxy = again
			}
		}}, nil)
		var setting *ConfigError
		switch {
		case missing && (!errors.As(err, &setting) || !strings.Contains(err.Error(), "POSCRAPE_PROXY")):
			t.Errorf("without it: got %v", err)
		case !missing && (err != nil || next.Proxy != again):
			t.Errorf("%q: got %q, %v", again, next.Proxy, err)
		}
		if strings.Contains(string(was.Record.Config), "s3cret") {
			t.Errorf("%q: stored is %s", again, was.Record.Config)
		}
	}
}
