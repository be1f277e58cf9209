package search

import (
	"math"
	"math/bits"

	"tarry/internal/fixmath"
)

// little keeps the mean from being 0 while a job has nothing.
const little = 1e-3

// info is what is known of a row of a state.
type info struct {
	speed, term float64
	hash        uint64
	nodes, gpus uint16
	stale       bool // the rest is of an earlier row
}

// measure gives the nodes and GPUs of a row.
func measure(row []uint64) (nodes, gpus int) {
	for _, w := range row {
		if w != 0 {
			nodes += bits.OnesCount64(some(w))
			gpus += total(w)
		}
	}
	return nodes, gpus
}

// term is a job's part of the mean, from its speed-up with the restart factor.
func (b *board) term(speed float64) float64 {
	x := float64(speed * b.scale)
	switch b.p {
	case -1:
		return 1 / (x + little)
	case 0:
		return math.Log(max(x, little))
	}
	return fixmath.Pow(x+little, b.p)
}

// mean makes the fitness of the sum of the terms.
func (b *board) mean(sum float64) float64 {
	x := sum / float64(max(1, len(b.jobs)))
	switch b.p {
	case -1:
		return 1 / x
	case 0:
		return fixmath.Exp(x)
	}
	return fixmath.Pow(x, 1/b.p)
}

// lookup returns the value of a row that is not the present one, gpus > 0.
func (b *board) lookup(j *job, nodes, gpus int) *worth {
	x := &j.table[(nodes-1)*int(j.max)+gpus-1]
	if x.stamp != b.stamp {
		x.stamp, x.speed = b.stamp, j.curve.Speedup(nodes, gpus)
		x.term = b.term(float64(x.speed * j.factor))
	}
	return x
}

// value fills in the value of a row.
func (b *board) value(i int, row []uint64, x *info) {
	j := &b.jobs[i]
	base := b.base[j.first : j.first+len(row)]
	same, nodes, gpus := true, 0, 0
	h := mix(uint64(i) + ones)
	for k, w := range row {
		same = same && w == base[k]
		h = mix(h ^ w)
		if w != 0 {
			nodes += bits.OnesCount64(some(w))
			gpus += total(w)
		}
	}
	x.stale, x.nodes, x.gpus, x.hash = false, uint16(nodes), uint16(gpus), h
	if gpus == 0 {
		x.speed, x.term = 0, b.none
		return
	}
	w := b.lookup(j, nodes, gpus)
	if x.speed, x.term = w.speed, w.term; same {
		x.term = j.atBase
	}
}

// evaluate fills in the value of a state. Rows that are not stale keep what they are known for.
func (b *board) evaluate(o *one) {
	speed, sum, hash := 0.0, 0.0, uint64(0)
	for i := range o.info {
		x := &o.info[i]
		if x.stale {
			b.value(i, o.rows[i*b.w:(i+1)*b.w], x)
		}
		speed += x.speed
		sum += x.term
		hash ^= x.hash
	}
	o.hash, o.fitness, o.utility = hash, b.mean(sum), 0
	if gpus := b.inUse(o.rows); gpus > 0 {
		o.utility = speed / float64(gpus)
	}
}

// inUse counts the GPUs of the nodes on which a job is.
func (b *board) inUse(rows []uint64) int {
	gpus := 0
	for k := range b.w {
		any := uint64(0)
		for i := k; i < len(rows); i += b.w {
			any |= rows[i]
		}
		gpus += total(b.caps[k] & spread(some(any)))
	}
	return gpus
}

// Evaluate gives the fitness and the utility of a state: a row for each job, GPUs for each node.
// The state need not be one that Repair would leave, but no row may have more GPUs than Max or more
// nodes than MaxNodes.
func (p *Problem) Evaluate(state [][]uint8) (fitness, utility float64) {
	var b board
	b.set(p)
	o := b.fresh()
	o.read(&b, state)
	b.evaluate(o)
	return o.fitness, o.utility
}
