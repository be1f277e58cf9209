package nn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// SetShape states how an observation lists candidates: Global numbers about the whole, then
// Slots candidates of Features numbers each. Unused slots are padding, and masked.
type SetShape struct {
	// Global is at least 0, Slots and Features at least 1.
	Global   int `json:"global"`
	Slots    int `json:"slots"`
	Features int `json:"features"`
	// Extra is how many answers come before the slots, such as "none of them".
	Extra int `json:"extra,omitempty"`
	// Each is how many answers a slot has, such as two timers or several choices; 0 = 1. With a mask
	// a slot takes part if one of its answers is legal.
	Each int `json:"each,omitempty"`
	// Marked: the first feature of a slot is 0 where there is no candidate; such a slot takes no
	// part. There is no mask then.
	Marked bool `json:"marked,omitempty"`
	// Present: the first feature of a slot is 0 where there is no candidate; any other takes part, be
	// its answers legal or not.
	Present bool `json:"present,omitempty"`
}

// In is the length of an observation, Choices the length of the mask.
func (s SetShape) In() int { return s.Global + s.Slots*s.Features }

// Choices is the number of answers: the extra ones, then the answers of each slot.
func (s SetShape) Choices() int { return s.Slots*s.each() + s.Extra }

func (s SetShape) each() int { return max(1, s.Each) }

// Validate reports all faults.
func (s SetShape) Validate() error {
	var errs []error
	for _, f := range []struct {
		name     string
		got, low int
	}{{"global", s.Global, 0}, {"slots", s.Slots, 1}, {"features", s.Features, 1}, {"extra", s.Extra, 0},
		{"each", s.Each, 0}} {
		if f.got < f.low {
			errs = append(errs, fmt.Errorf("set of candidates: %s is %d, expected at least %d", f.name, f.got, f.low))
		}
	}
	return errors.Join(errs...)
}

// SetNet judges a set of candidates: one kernel embeds every candidate, the embeddings of the legal
// ones are averaged into a context, and a second kernel gives each candidate's score, or its Each
// answers, in that context (Zaheer et al., "Deep Sets", arXiv:1703.06114). The weights do not
// depend on the number of slots, so a trained network works with more or fewer. Permuting the
// candidates permutes the scores and leaves everything else as it was.
type SetNet struct {
	name   string
	shape  SetShape
	hidden int
	pooled bool // one answer about the set instead of one per choice
	act    Activation

	embed   dense  // candidate -> embedding
	global  dense  // global numbers and the share of legal slots -> embedding
	pool    *Param // average embedding -> context, added to the global embedding's
	context dense  // global embedding -> context
	score   dense  // embedding -> hidden, the context added
	out     dense  // hidden -> answers of a slot, or context -> answer
	extra   dense  // context -> scores of the extra choices

	x setScratch
}

// setScratch has room for the embeddings, and for what follows from them, of some observations.
type setScratch struct{ e, mean, u, g, c, h, extra []float64 }

// NewSetNet gives a network with one score per choice, or with a single answer about the
// whole set if pooled. The weights are orthogonal, from the stream.
func NewSetNet(name string, shape SetShape, hidden int, pooled bool, lastGain float64, r *rand.Rand) *SetNet {
	n := &SetNet{name: name, shape: shape, hidden: hidden, pooled: pooled}
	g, in := math.Sqrt2, math.Sqrt2
	if shape.Marked { // logarithms of up to 10, which would begin at the bounds of tanh
		in /= 4
	}
	n.embed = newDense(name+"/embed", shape.Features, hidden, in, r)
	n.global = newDense(name+"/global", shape.Global+1, hidden, in, r)
	n.context = newDense(name+"/context", hidden, hidden, g, r)
	n.pool = NewParam(name+"/pool", hidden, hidden)
	Orthogonal(n.pool, g, r)
	answers := 1
	if !pooled {
		answers = shape.each()
		n.score = newDense(name+"/score", hidden, hidden, g, r)
		if shape.Extra > 0 {
			n.extra = newDense(name+"/extra", hidden, shape.Extra, lastGain, r)
		}
	}
	n.out = newDense(name+"/out", hidden, answers, lastGain, r)
	n.x = newSetScratch(shape, hidden, 1)
	return n
}

// Bend sets the function between layers, which is Tanh otherwise, and gives the network.
func (n *SetNet) Bend(a Activation) *SetNet {
	n.act = a
	return n
}

func newSetScratch(s SetShape, hidden, rows int) setScratch {
	room := func(n int) []float64 { return make([]float64, rows*n) }
	return setScratch{room(s.Slots * hidden), room(hidden), room(s.Global + 1), room(hidden), room(hidden),
		room(s.Slots * hidden), room(s.Extra)}
}

// Params implements Net.
func (n *SetNet) Params() []*Param {
	p := []*Param{n.embed.w, n.embed.b, n.global.w, n.global.b, n.context.w, n.context.b, n.pool}
	for _, d := range []dense{n.score, n.extra, n.out} {
		if d.w != nil {
			p = append(p, d.w, d.b)
		}
	}
	return p
}

// In implements Net.
func (n *SetNet) In() int { return n.shape.In() }

// Out implements Net.
func (n *SetNet) Out() int {
	if n.pooled {
		return 1
	}
	return n.shape.Choices()
}

// Fork implements Net.
func (n *SetNet) Fork() Net {
	f := *n
	f.x = newSetScratch(n.shape, n.hidden, 1)
	return &f
}

// Legal reports whether a slot of an observation takes part; without marks or a mask all do.
func (s *SetShape) Legal(obs []float64, mask []bool, slot int) bool {
	if s.Marked || s.Present {
		return obs[s.Global+slot*s.Features] != 0
	}
	if mask == nil {
		return true
	}
	at := s.Extra + slot*s.each()
	return slices.Contains(mask[at:at+s.each()], true)
}

// legalSlots counts the slots that take part.
func (n *SetNet) legalSlots(obs []float64, mask []bool) int {
	count := 0
	for k := range n.shape.Slots {
		if n.shape.Legal(obs, mask, k) {
			count++
		}
	}
	return count
}
