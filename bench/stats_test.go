package main

import (
	"math"
	"testing"
)

func TestSpread(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []float64
		want   spread
	}{
		{[]float64{3}, spread{3, 3, 3}},
		{[]float64{9, 1, 5}, spread{5, 1, 9}},
		{[]float64{4, 1, 2, 100}, spread{3, 1, 100}},
	} {
		if got := spreadOf(c.values); got != c.want {
			t.Errorf("%v: got %+v, want %+v", c.values, got, c.want)
		}
	}
}

func TestFiguresLeaveOutVoidTurns(t *testing.T) {
	t.Parallel()
	void := turnOf("cluster-page", 1000)
	void.Void = "PO1 is missing"
	b := measured(turnOf("cluster-page", 4), void, turnOf("cluster-page", 6), void, turnOf("poscrape-render", 20))
	all := figuresOf(b.cases[0], b.tools, b.turns)
	if len(all) != 2 {
		t.Fatalf("%d tools have figures, want 2", len(all))
	}
	peers := named(all, "cluster-page")
	if peers == nil || peers.turns != 4 || peers.voids != 2 || len(peers.void) != 1 {
		t.Fatalf("got %+v", peers)
	}
	if want := (spread{5, 4, 6}); !near(peers.rate.median, want.median) || !near(peers.rate.least, 4) || !near(peers.rate.most, 6) {
		t.Errorf("rate %+v, want %+v", peers.rate, want)
	}
	if !near(peers.ownShare(), 0.1) || !near(peers.own.median, 0.01) || !near(peers.chrome.median, 0.09) {
		t.Errorf("share %v, own %+v, chrome %+v", peers.ownShare(), peers.own, peers.chrome)
	}
	if !near(peers.portal, 0.1/(100.0/6)) {
		t.Errorf("the portal took %v of a core, want the most of all good turns", peers.portal)
	}
}

// The best peer is no tool of ours, no limit, and none without a figure.
func TestBestPeer(t *testing.T) {
	t.Parallel()
	void := turnOf("crawlee-puppeteer", 1000)
	void.Void = "wrong"
	b := measured(turnOf("poscrape-render", 50), turnOf("chromedp-reuse", 60), turnOf("cluster-page", 5),
		turnOf("cluster-context", 7), turnOf("chromedp-tabs", 6), void)
	all := figuresOf(b.cases[0], b.tools, b.turns)
	if got := bestPeer(all); got == nil || got.tool.name != "cluster-context" {
		t.Errorf("got %+v, want cluster-context", got)
	}
	if got := bestPeer(all[:0]); got != nil {
		t.Errorf("got %+v of nothing", got)
	}
	if got := named(all, "crawlee-puppeteer"); got != nil {
		t.Errorf("a tool with void turns only has figures: %+v", got)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
