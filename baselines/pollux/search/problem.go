package search

import (
	"fmt"
	"math"
)

// Curve states how fast a job is: Speedup is relative to its fair share, >= 0, at a number of
// nodes, 1 <= nodes <= gpus.
type Curve interface {
	Speedup(nodes, gpus int) float64
}

// Job is one job of a Problem.
type Job struct {
	// Key names the job across searches: its row of the last population is found by it.
	Key int64
	// Base is what it has now: GPUs on each node; nil = none.
	Base []uint8
	// Max is the largest number of GPUs, >= 1.
	Max int
	// Least is the smallest number but 0; 0 = 1. Step divides every number; 0 = 1.
	Least, Step int
	// Nodes is the largest number of nodes; 0 = the problem's MaxNodes.
	Nodes int
	// Barred states of each node whether the job may not use it; nil = it may use all.
	Barred []bool
	// Factor in 0..1 multiplies the speed-up of a row that is not Base: what a restart costs.
	Factor float64
	// Curve is not asked for 0 GPUs: their speed-up is 0.
	Curve Curve
}

// Problem is what a search is about. The rows of a state belong to Jobs, in this order, which is
// also the order of keeping GPUs in a repair.
type Problem struct {
	// GPUs of each node that may be given out, 0..127.
	GPUs []uint8
	Jobs []Job
	// P is the exponent of the mean; -1 = harmonic (Pollux' own), 0 = geometric.
	P float64
	// MaxNodes is the largest number of nodes of a job, >= 1.
	MaxNodes int
	// Avoid keeps two jobs that use several nodes each from sharing a node.
	Avoid bool
	// Cancelled is asked before each generation whether to end with what there is; nil = never.
	Cancelled func() bool
}

// Validate reports what is wrong.
func (p *Problem) Validate() error {
	for n, g := range p.GPUs {
		if g > most {
			return fmt.Errorf("search: node %d has %d GPUs, expected at most %d", n, g, most)
		}
	}
	if p.MaxNodes < 1 || math.IsNaN(p.P) || math.IsInf(p.P, 0) {
		return fmt.Errorf("search: at most %d nodes and exponent %g, expected at least 1 and a number", p.MaxNodes, p.P)
	}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		switch {
		case j.Base != nil && len(j.Base) != len(p.GPUs), j.Barred != nil && len(j.Barred) != len(p.GPUs):
			return fmt.Errorf("search: job %d has %d and %d entries, expected one for each of %d nodes", i,
				len(j.Base), len(j.Barred), len(p.GPUs))
		case j.Max < 1 || j.Max > math.MaxUint16 || j.Least < 0 || j.Step < 0 || j.Nodes < 0:
			return fmt.Errorf("search: job %d may have %d..%d GPUs by %d", i, j.Least, j.Max, j.Step)
		case j.Curve == nil || !(j.Factor >= 0 && j.Factor <= 1):
			return fmt.Errorf("search: job %d has no curve, or its restart factor is %g, expected 0..1", i, j.Factor)
		}
		for n, g := range j.Base {
			if g > most {
				return fmt.Errorf("search: job %d has %d GPUs of node %d, expected at most %d", i, g, n, most)
			}
		}
	}
	return nil
}

// worth is what a row gives.
type worth struct {
	speed, term float64
	stamp       uint32
}

// job is the search's description of one.
type job struct {
	curve      Curve
	factor     float64
	max, least int32
	step       int32
	free       bool // nothing but max binds it
	wide       int32
	atBase     float64 // the term of Base
	table      []worth // by (nodes-1)*max + gpus-1
	first      int     // word of base and allowed
	key        int64
}

// board is a problem as the search uses it.
type board struct {
	jobs       []job
	w, nodes   int // words per row; nodes
	caps       []uint64
	base       []uint64
	allowed    []uint64 // full bytes
	scale      float64  // of speed-ups: nodes / GPUs
	p          float64
	none       float64 // the term of a job with nothing
	maxNodes   int
	avoid      bool
	stamp      uint32
	store      []worth
	odds       []uint64
	restricted bool // some job is not free
}

// set reads a problem. Tables of rows' values begin anew.
func (b *board) set(p *Problem) {
	b.nodes, b.w = len(p.GPUs), words(len(p.GPUs))
	b.p, b.maxNodes, b.avoid = p.P, p.MaxNodes, p.Avoid
	b.caps = resize(b.caps, b.w)
	clear(b.caps)
	sum := 0
	for n, g := range p.GPUs {
		setCell(b.caps, n, int(g))
		sum += int(g)
	}
	b.scale = float64(b.nodes) / float64(max(sum, 1))
	b.none = b.term(0)
	b.jobs = resize(b.jobs, len(p.Jobs))
	b.base = resize(b.base, len(p.Jobs)*b.w)
	b.allowed = resize(b.allowed, len(p.Jobs)*b.w)
	clear(b.base)
	b.restricted = false
	need := 0
	for i := range p.Jobs {
		need += b.width(&p.Jobs[i]) * p.Jobs[i].Max
	}
	if b.stamp++; b.stamp == 0 {
		clear(b.store[:cap(b.store)])
		b.stamp = 1
	}
	b.store = resize(b.store, need)
	need = 0
	for i := range p.Jobs {
		n := b.width(&p.Jobs[i]) * p.Jobs[i].Max
		b.setJob(i, &p.Jobs[i], b.store[need:need+n])
		need += n
	}
	b.odds = b.odds[:0]
	if len(b.jobs) > 0 {
		b.odds = odds(len(b.jobs), b.odds)
	}
}

// width is how many numbers of nodes a job may have.
func (b *board) width(j *Job) int {
	limit := b.maxNodes
	if j.Nodes > 0 {
		limit = j.Nodes
	}
	return max(1, min(limit, b.nodes, j.Max))
}

func (b *board) setJob(i int, p *Job, table []worth) {
	j := &b.jobs[i]
	*j = job{curve: p.Curve, factor: p.Factor, max: int32(p.Max), least: int32(max(1, p.Least)),
		step: int32(max(1, p.Step)), wide: int32(b.width(p)), table: table,
		first: i * b.w, key: p.Key}
	base, allowed := b.base[j.first:j.first+b.w], b.allowed[j.first:j.first+b.w]
	for n, g := range p.Base {
		setCell(base, n, int(g))
	}
	for k := range allowed {
		allowed[k] = ^uint64(0)
	}
	for n, no := range p.Barred {
		if no {
			setCell(allowed, n, 0)
		}
	}
	j.free = j.least == 1 && j.step == 1 && p.Barred == nil
	b.restricted = b.restricted || !j.free
	nodes, gpus := measure(base)
	j.atBase = b.none
	if gpus > 0 && int32(nodes) <= j.wide && int32(gpus) <= j.max {
		j.atBase = b.term(b.lookup(j, nodes, gpus).speed)
	}
}

// resize gives a slice of some length, with the memory of an earlier one where that is enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
