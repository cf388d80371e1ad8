package portal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"testing"
)

// address returns where the bytes of document i of an order are.
func address(o Order, i int) string {
	if o.Documents[i].link == linkBlob {
		return fmt.Sprintf("/api%s/content/%d", o.Path, i+1)
	}
	return o.Documents[i].Path
}

func TestGoodDocumentsAreWhatTheOrderSays(t *testing.T) {
	t.Parallel()
	s := open(t, quick(Variations()...))
	for _, o := range s.Orders() {
		for i, d := range o.Documents {
			if d.Broken {
				continue
			}
			a := s.get(address(o, i))
			sum := sha256.Sum256(a.body)
			if a.StatusCode != 200 || a.cut != nil || hex.EncodeToString(sum[:]) != d.SHA256 || int64(len(a.body)) != d.Size {
				t.Errorf("%s: %s: status %d, %d bytes, error %v", o.Variation, d.Name, a.StatusCode, len(a.body), a.cut)
			}
			if a.ContentLength != d.Size {
				t.Errorf("%s: %s: announced are %d bytes of %d", o.Variation, d.Name, a.ContentLength, d.Size)
			}
			header := a.Header.Get("Content-Disposition")
			if d.link == linkBlob {
				if header != "" {
					t.Errorf("%s: a script is told the name %q", o.Variation, header)
				}
				continue
			}
			if (d.Sent == "") != (header == "") {
				t.Errorf("%s: %s is sent as %q", o.Variation, d.Name, header)
			}
			_, parameters, err := mime.ParseMediaType(header)
			known := !strings.Contains(header, "iso-8859-1") && header != ""
			if known && (err != nil || parameters["filename"] != d.Sent) {
				t.Errorf("%s: %q is sent as %q, read as %q, error %v", o.Variation, d.Sent, header, parameters["filename"], err)
			}
		}
	}
}

func TestHowDocumentsAreDelivered(t *testing.T) {
	t.Parallel()
	for variation, want := range map[Variation]struct{ mime, disposition, final string }{
		Plain:       {"application/pdf", "attachment; filename=\"Purchase order.pdf\"", "/attachments/1/"},
		InlinePDF:   {"application/pdf", "inline; filename=\"Purchase order.pdf\"", "/attachments/1/"},
		OctetStream: {"application/octet-stream", "", "/attachments/1"},
		Redirect:    {"application/pdf", "attachment; filename=\"Purchase order.pdf\"", "/files/"},
	} {
		s := open(t, quick(variation))
		o := s.only()
		a := s.get(o.Documents[0].Path)
		if a.Header.Get("Content-Type") != want.mime || a.Header.Get("Content-Disposition") != want.disposition {
			t.Errorf("%s: %v", variation, a.Header)
		}
		if !strings.Contains(a.Request.URL.Path, want.final) {
			t.Errorf("%s: it comes from %s", variation, a.Request.URL)
		}
		if n := s.Requests(o.Number).Documents[o.Documents[0].Name]; n != 1 {
			t.Errorf("%s: asked for once, counted %d times", variation, n)
		}
	}
}

func TestBrokenDocuments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		variation Variation
		document  int
		broken    func(a answer, d Document) bool
	}{
		{EmptyDocument, 1, func(a answer, _ Document) bool {
			return a.StatusCode == 200 && a.ContentLength == 0 && len(a.body) == 0 && a.cut == nil
		}},
		{Truncated, 1, func(a answer, d Document) bool {
			return a.StatusCode == 200 && a.ContentLength == d.Size && int64(len(a.body)) == d.Size/2 && a.cut != nil
		}},
		{LoginForDocument, 1, func(a answer, _ Document) bool {
			return a.StatusCode == 200 && isLogin(a) && strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") &&
				a.Header.Get("Content-Disposition") == ""
		}},
		{LoginForDocument, 2, func(a answer, _ Document) bool {
			return a.StatusCode == 200 && isLogin(a) && a.Header.Get("Content-Type") == "application/pdf" &&
				strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment")
		}},
		{DocumentError, 1, func(a answer, _ Document) bool { return a.StatusCode == http.StatusInternalServerError }},
		{NothingHad, 0, func(a answer, _ Document) bool { return a.StatusCode == http.StatusInternalServerError }},
	} {
		s := open(t, quick(tt.variation))
		o := s.only()
		d := o.Documents[tt.document]
		for range 2 {
			if a := s.get(d.Path); !d.Broken || !tt.broken(a, d) {
				t.Errorf("%s: %s: status %d, %v, %d bytes, error %v", tt.variation, d.Name, a.StatusCode, a.Header, len(a.body), a.cut)
			}
		}
		if n := s.Requests(o.Number).Documents[d.Name]; n != 2 {
			t.Errorf("%s: asked for twice, counted %d times", tt.variation, n)
		}
	}
}

func isLogin(a answer) bool { return bytes.Contains(a.body, []byte(`<form id="login"`)) }

func TestDocumentsOfOneNameAreCountedTogether(t *testing.T) {
	t.Parallel()
	s := open(t, quick(SameNameOtherBytes))
	o := s.only()
	s.get(o.Path)
	for i := range o.Documents {
		s.get(address(o, i))
	}
	if r := s.Requests(o.Number); r.Pages != 1 || r.Documents["Invoice.pdf"] != 2 {
		t.Errorf("counted are %+v", r)
	}
}
