package breaker

import (
	"errors"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func TestReadSign(t *testing.T) {
	t.Parallel()
	limited := broken()
	limited.Missing.Advice = tasks.AdvicePermanent
	for name, c := range map[string]struct {
		res  *tasks.Result
		err  error
		want signKind
	}{
		"nothing at all":        {nil, nil, signNone},
		"complete":              {well(), nil, signWell},
		"a document is missing": {broken(), nil, signBroken},
		"over a limit":          {limited, nil, signAnswer},
		"refused connection":    {nil, refused(), signUnreached},
		"certificate":           {nil, netError("CERT_DATE_INVALID"), signRefused},
		"429":                   {nil, status(429), signRefused},
		"502":                   {nil, status(502), signRefused},
		"403":                   {nil, status(403), signRefused},
		"410":                   {nil, tasks.Permanent(tasks.OutcomeFailed, tasks.ClassHTTPStatus, "410"), signAnswer},
		"404":                   {nil, notFound(), signAnswer},
		"another order":         {nil, tasks.Retry(tasks.ClassIdentity, "another"), signAnswer},
		"sign-in":               {nil, login(), signLogin},
		"silence":               {nil, silent(), signSilent},
		"late in a download":    {nil, late(tasks.PhaseDownload), signBroken},
		"a script":              {nil, tasks.Retry(tasks.ClassPage, "script"), signBroken},
		"a lost browser":        {nil, tasks.Release(tasks.ClassBrowserLost, "lost"), signNone},
		"given back":            {nil, tasks.Release(tasks.ClassReleased, "stop"), signNone},
		"a full disk":           {nil, tasks.Retry(tasks.ClassStorage, "disk"), signNone},
		"an unknown error":      {nil, errors.New("the session was interrupted"), signNone},
	} {
		if got := readSign(c.res, c.err); got.kind != c.want {
			t.Errorf("%s: got %+v, want %d", name, got, c.want)
		}
	}
}
