package scrape

import (
	"context"
	_ "embed"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/poscrape/poscrape/browser"
)

//go:embed page/watch.js
var watchScript string

//go:embed page/read.js
var readScript string

// defaultRate is how many requests a second a host gets where the recipe does
// not say (the contract: 5/s for each host, loopback unlimited).
const defaultRate = 5

// Portal is what all workers of a session share of one portal.
type Portal struct {
	recipe  *Recipe
	columns []string

	mu       sync.Mutex
	limiters map[string]*rate.Limiter
}

// NewPortal returns the portal that the recipe describes. The columns are the
// header of the input, for templates that use a row's cells.
func NewPortal(recipe *Recipe, columns []string) *Portal {
	return &Portal{recipe: recipe, columns: columns, limiters: map[string]*rate.Limiter{}}
}

// Configure sets what the recipe asks of a browser.
func (p *Portal) Configure(cfg *browser.Config) {
	cfg.OnNewDocument = watchScript
	cfg.AcceptDialogs = p.recipe.Dialogs == DialogAccept
	cfg.BlockImages = p.recipe.Block.Images
	cfg.BlockURLs = p.recipe.Block.patterns()
}

// patterns returns the URL patterns of what need not be loaded.
func (b Block) patterns() []string {
	var extensions []string
	if b.Fonts {
		extensions = append(extensions, "woff", "woff2", "ttf", "otf", "eot")
	}
	if b.Media {
		extensions = append(extensions, "mp4", "webm", "ogv", "m3u8", "mpd", "mp3", "ogg", "wav", "m4a", "aac", "flac")
	}
	if b.Styles {
		extensions = append(extensions, "css")
	}
	var patterns []string
	for _, e := range extensions {
		patterns = append(patterns, "*://*:*/*."+e)
	}
	for _, host := range b.Hosts {
		if !strings.Contains(host, ":") {
			host += ":*"
		}
		patterns = append(patterns, "*://"+host+"/*")
	}
	return patterns
}

// wait blocks until the host of the address may be asked again, or ctx ends.
func (p *Portal) wait(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("keeping to the rate limit: %w", err)
	}
	limit := rate.Limit(p.recipe.Limits.Rate)
	if limit == 0 {
		if isLoopback(u.Hostname()) {
			return nil
		}
		limit = defaultRate
	}
	p.mu.Lock()
	limiter := p.limiters[u.Host]
	if limiter == nil {
		limiter = rate.NewLimiter(limit, 1)
		p.limiters[u.Host] = limiter
	}
	turn := limiter.Reserve()
	p.mu.Unlock()
	timer := time.NewTimer(turn.Delay())
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		turn.Cancel()
		return context.Cause(ctx)
	}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
