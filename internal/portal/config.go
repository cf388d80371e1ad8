package portal

import (
	"fmt"
	"time"
)

// Config says which orders a portal has, and how slow it is. The zero value of
// a field means its default, but Latency, which is none by default.
type Config struct {
	// Orders is how many orders there are: 1 to 100,000, by default 72.
	Orders int
	// Seed varies numbers, values and documents. Equal configurations make
	// equal portals.
	Seed uint64
	// Variations are given to the orders in turn: the first order gets the
	// first, and so on, again and again. One that is named more often comes
	// more often. By default all of them, see Variations; see also DemoMix, and
	// Faults, Mixups and Oddities, which have to be named.
	Variations []Variation
	// MaxDocument bounds the size of a document in bytes. By default 4 MB, at
	// least 4 KB.
	MaxDocument int64
	// Latency passes before each page and document is answered.
	Latency time.Duration
	// Slow is how long a slow page or document keeps silent, and how long it
	// then drips. By default 1 s.
	Slow time.Duration
	// Mount is when scripts mount documents. By default 500 ms.
	Mount time.Duration
	// Wave is how long after the first wave of documents the second one comes.
	// By default 1.2 s.
	Wave time.Duration
	// Busy is how long a page shows that it is still loading its documents.
	// By default 1.5 s.
	Busy time.Duration
	// Late is when the timer of a late mount fires. By default 3 s.
	Late time.Duration
}

const (
	minDocument = 4 << 10
	maxOrders   = 100_000
)

func (c Config) withDefaults() Config {
	setDefault(&c.Orders, 72)
	setDefault(&c.MaxDocument, 4<<20)
	setDefault(&c.Slow, time.Second)
	setDefault(&c.Mount, 500*time.Millisecond)
	setDefault(&c.Wave, 1200*time.Millisecond)
	setDefault(&c.Busy, 1500*time.Millisecond)
	setDefault(&c.Late, 3*time.Second)
	if len(c.Variations) == 0 {
		c.Variations = Variations()
	}
	return c
}

func setDefault[T int | int64 | time.Duration](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// Validate returns an error that names the first field that is out of bounds.
func (c Config) Validate() error {
	c = c.withDefaults()
	if c.Orders < 1 || c.Orders > maxOrders {
		return fmt.Errorf("portal: Orders is %d: it must be between 1 and %d", c.Orders, maxOrders)
	}
	if c.MaxDocument < minDocument {
		return fmt.Errorf("portal: MaxDocument is %d: it must be at least %d bytes", c.MaxDocument, minDocument)
	}
	for _, v := range c.Variations {
		if v.About() == "" {
			return fmt.Errorf("portal: Variations: there is no variation %q", v)
		}
	}
	for _, d := range []struct {
		field string
		value time.Duration
	}{
		{"Latency", c.Latency}, {"Slow", c.Slow}, {"Mount", c.Mount},
		{"Wave", c.Wave}, {"Busy", c.Busy}, {"Late", c.Late},
	} {
		if d.value < 0 {
			return fmt.Errorf("portal: %s is %v: it must not be negative", d.field, d.value)
		}
	}
	return nil
}
