package ilp

import (
	"math"

	"tarry/internal/choice"
)

// mostCells is the largest table that is made: jobs times what may be left of all types.
const mostCells = 4 << 20

// table finds the best choice by dynamic programming: the least cost of the jobs so far within each
// number of GPUs of each type. A cluster of 64 GPUs of three types has 10 000 such numbers. Branch
// and bound goes before it, since it mostly ends at once; problems in which many choices are nearly
// equal it cannot prove. Of choices of equal cost, the tilt included, the table takes the one in
// which the last job has the first of its options that are in any (what it has, nothing, and the
// others in their order), then the job before it, and so on: who came earlier is served.
type table struct {
	caps, strides []int
	now, next     []float64
	took          []int16 // option of each open job at each number, counted from the job's first
	open          []int32 // jobs with several options
}

// fits reports whether a problem is small enough, and lays the table out.
func (t *table) fits(p *Problem) bool {
	cells := 1
	t.caps, t.strides = t.caps[:0], t.strides[:0]
	for _, n := range p.Cap {
		t.caps, t.strides = append(t.caps, n), append(t.strides, cells)
		if cells *= n + 1; cells*max(p.Jobs(), 1) > mostCells {
			return false
		}
	}
	for i := range p.Configs {
		if p.Configs[i].Type == Mixed {
			return false
		}
	}
	if cap(t.now) < cells {
		t.now, t.next = make([]float64, cells), make([]float64, cells)
	}
	if n := cells * p.Jobs(); cap(t.took) < n {
		t.took = make([]int16, n, n+n/4)
	}
	t.now, t.next, t.took = t.now[:cells], t.next[:cells], t.took[:cells*p.Jobs()]
	return len(p.Configs) < math.MaxInt16
}

// solve writes the option of each job and reports whether there is a choice at all. of gives the
// configuration of an option; options of cost +Inf are barred.
func (t *table) solve(p *Problem, w *choice.Problem, of, picks []int) bool {
	if !t.settle(p, w, of, picks) {
		return false
	}
	cells := len(t.now)
	clear(t.now)
	per := p.Rules.scale() / tilt // all costs are multiples of 1 / per: as whole numbers they add up exactly
	for i, j := range t.open {
		took, first := t.took[i*cells:(i+1)*cells], true
		for o := w.First[j]; o < w.First[j+1]; o++ {
			if math.IsInf(w.Cost[o], 1) || of[o] != None && p.Configs[of[o]].GPUs > t.caps[p.Configs[of[o]].Type] {
				continue
			}
			t.try(p, of[o], math.Round(w.Cost[o]*per), int16(o-w.First[j]), took, first)
			first = false
		}
		if first {
			return false
		}
		t.now, t.next = t.next, t.now
	}
	at := cells - 1
	if math.IsInf(t.now[at], 1) {
		return false
	}
	for i := len(t.open) - 1; i >= 0; i-- {
		j := t.open[i]
		c := of[w.First[j]+int32(t.took[i*cells+at])]
		if picks[j] = c; c != None {
			at -= p.Configs[c].GPUs * t.strides[p.Configs[c].Type]
		}
	}
	return true
}

// settle gives the jobs that have one option only that option, lists the others as open, and lays
// the table out for what is left of all types. It reports whether something is.
func (t *table) settle(p *Problem, w *choice.Problem, of, picks []int) bool {
	t.open = t.open[:0]
	for j := range p.Jobs() {
		only, some := int32(-1), 0
		for o := w.First[j]; o < w.First[j+1]; o++ {
			if !math.IsInf(w.Cost[o], 1) {
				only = o
				some++
			}
		}
		if some != 1 {
			t.open = append(t.open, int32(j))
			continue
		}
		if picks[j] = of[only]; picks[j] != None {
			f := &p.Configs[picks[j]]
			t.caps[f.Type] -= f.GPUs
		}
	}
	cells := 1
	for i, n := range t.caps {
		if n < 0 {
			return false
		}
		t.strides[i] = cells
		cells *= n + 1
	}
	t.now, t.next = t.now[:cells], t.next[:cells]
	return true
}

// narrow bars, by a cost of +Inf, the options that are in no choice of a cost of at most most: by
// weak duality any choice with the option costs at least the bound of the prices, and what the
// option costs at them beyond the cheapest of its job. All choices of least cost remain.
func narrow(w *choice.Problem, price []float64, most float64) {
	if math.IsInf(most, 1) {
		return
	}
	bound := 0.0
	for i, v := range price {
		bound -= float64(v * w.Cap[i])
	}
	for g := range w.Groups() {
		bound += cheapest(w, price, g)
	}
	for g := range w.Groups() {
		least := cheapest(w, price, g)
		for o := w.First[g]; o < w.First[g+1]; o++ {
			if bound+paid(w, price, o)-least > most {
				w.Cost[o] = math.Inf(1)
			}
		}
	}
}

// cheapest is the least cost of a group's options at the prices.
func cheapest(w *choice.Problem, price []float64, g int) float64 {
	least := math.Inf(1)
	for o := w.First[g]; o < w.First[g+1]; o++ {
		least = min(least, paid(w, price, o))
	}
	return least
}

// paid is the cost of an option with what it uses paid at the prices.
func paid(w *choice.Problem, price []float64, o int32) float64 {
	v := w.Cost[o]
	for i, u := range w.Use[int(o)*len(price) : (int(o)+1)*len(price)] {
		v += float64(price[i] * u)
	}
	return v
}

// try gives a job one option in each cell where that is better than those before it; the first
// option in each cell in which it has room.
func (t *table) try(p *Problem, c int, cost float64, number int16, took []int16, first bool) {
	from, block, back := 0, len(t.now), 0
	if c != None {
		f := &p.Configs[c]
		stride := t.strides[f.Type]
		back = f.GPUs * stride
		from, block = back, (t.caps[f.Type]+1)*stride
	}
	for base := 0; base < len(t.now); base += block {
		lo, hi := base+from, base+block
		old := t.now[lo-back : hi-back]
		next, took := t.next[lo:hi], took[lo:hi]
		next, took = next[:len(old)], took[:len(old)]
		if first {
			for i := base; i < lo; i++ {
				t.next[i] = math.Inf(1)
			}
			for i, v := range old {
				next[i], took[i] = v+cost, number
			}
			continue
		}
		for i, v := range old {
			if v += cost; v < next[i] {
				next[i], took[i] = v, number
			}
		}
	}
}
