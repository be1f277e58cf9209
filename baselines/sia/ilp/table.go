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
	took          []int16 // option of each job at each number, counted from the job's first
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
// configuration of an option.
func (t *table) solve(p *Problem, w *choice.Problem, of, picks []int) bool {
	cells := len(t.now)
	clear(t.now)
	per := p.Rules.scale() / tilt // all costs are multiples of 1 / per: as whole numbers they add up exactly
	for j := range p.Jobs() {
		took := t.took[j*cells : (j+1)*cells]
		for i := range t.next {
			t.next[i] = math.Inf(1)
		}
		for o := w.First[j]; o < w.First[j+1]; o++ {
			t.try(p, of[o], math.Round(w.Cost[o]*per), int16(o-w.First[j]), took)
		}
		t.now, t.next = t.next, t.now
	}
	at := cells - 1
	if math.IsInf(t.now[at], 1) {
		return false
	}
	for j := p.Jobs() - 1; j >= 0; j-- {
		c := of[w.First[j]+int32(t.took[j*cells+at])]
		if picks[j] = c; c != None {
			at -= p.Configs[c].GPUs * t.strides[p.Configs[c].Type]
		}
	}
	return true
}

// try gives a job one option in each cell where that is better than those before it.
func (t *table) try(p *Problem, c int, cost float64, number int16, took []int16) {
	from, block, back := 0, len(t.now), 0
	if c != None {
		f := &p.Configs[c]
		if f.GPUs > t.caps[f.Type] {
			return
		}
		stride := t.strides[f.Type]
		back = f.GPUs * stride
		from, block = back, (t.caps[f.Type]+1)*stride
	}
	for base := 0; base < len(t.now); base += block {
		lo, hi := base+from, base+block
		old := t.now[lo-back : hi-back]
		for i, v := range old {
			if v += cost; v < t.next[lo+i] {
				t.next[lo+i], took[lo+i] = v, number
			}
		}
	}
}
