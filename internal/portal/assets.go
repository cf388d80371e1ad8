package portal

import (
	"embed"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"sync"
)

//go:embed static
var staticFiles embed.FS

// asset is a script, a style or a picture.
type asset struct {
	mime string
	body []byte
}

// allAssets returns all assets by file name, and makes them when it is first called:
// drawing the pictures takes seconds under the race detector. They are shared: read them only.
var allAssets = sync.OnceValues(newAssets)

// newAssets makes all assets: the embedded ones, and those that are generated, always
// alike, to give pages the weight of a real portal's.
func newAssets() (map[string]asset, error) {
	assets := map[string]asset{}
	entries, err := staticFiles.ReadDir("static")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		body, err := staticFiles.ReadFile("static/" + e.Name())
		if err != nil {
			return nil, err
		}
		assets[e.Name()] = asset{body: body}
	}
	pictures, err := newPictures()
	if err != nil {
		return nil, err
	}
	for name, body := range pictures {
		assets[name] = asset{body: body}
	}
	assets["vendor.js"] = asset{body: vendorScript()}
	assets["messages.js"] = asset{body: messagesScript()}
	assets["theme.css"] = asset{body: themeStyle()}
	for name, a := range assets {
		if a.mime = assetType(name); a.mime == "" {
			return nil, fmt.Errorf("the asset %q has no known type", name)
		}
		assets[name] = a
	}
	return assets, nil
}

// assetType does not ask the system, which may know other types.
func assetType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	}
	return ""
}

func (p *Portal) serveAsset(w http.ResponseWriter, r *http.Request) {
	p.counter.asset()
	a, ok := p.assets[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	writeAsset(w, a)
}

func writeAsset(w http.ResponseWriter, a asset) {
	w.Header().Set("Content-Type", a.mime)
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.Header().Set("Cache-Control", "public, max-age=3600")
	// An error means that the client has gone.
	_, _ = w.Write(a.body)
}
