package scrape

// TrustAgain makes all pages trusted of which anything is known.
func (p *Portal) TrustAgain() {
	t := &p.trust
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range t.kinds {
		for _, r := range k.prints {
			r.state, r.sinceAudit, r.used = trustTrusted, 0, nil
		}
	}
}
