package pool

import "fmt"

func (p *WorkerPool) Dump() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := fmt.Sprintf("roster v%d supply %d waiting %d gen %d drained %d inhand %d\n", p.run.roster, p.run.gate.supply, len(p.run.gate.waiting), p.run.generation, p.run.drainedAt, p.run.inHand)
	for _, s := range p.run.slots {
		out += fmt.Sprintf("%s wanted=%v sharing=%v free=%v claiming=%v state=%s\n", s.id, s.wanted, s.sharing, s.free, s.reclaim != nil, s.status.State)
	}
	return out
}
