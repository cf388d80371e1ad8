package portal

import "math/rand/v2"

// DemoOrders is how many orders a demo has: the sum of all weights.
const DemoOrders = 72

// DemoMix returns the variations of n orders as a demo should have them, for
// Config.Variations: of 72 orders, 62 end well, in all sorts of ways, and 10
// fail on purpose. The order is mixed, always in the same way; more than 72
// begin again.
func DemoMix(n int) []Variation {
	var deck []Variation
	for _, s := range shapes() {
		for range s.weight {
			deck = append(deck, s.variation)
		}
	}
	rng := rand.New(rand.NewPCG(DemoOrders, 1))
	rng.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	mix := make([]Variation, n)
	for i := range mix {
		mix[i] = deck[i%len(deck)]
	}
	return mix
}
