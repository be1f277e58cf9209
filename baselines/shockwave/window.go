package shockwave

import (
	"math"
	"slices"

	"tarry/baselines/shockwave/market"
	"tarry/internal/fixmath"
)

// window is a plan: the jobs of each of the next rounds.
type window struct {
	solver   market.Solver
	problem  market.Problem
	priority []float64
	order    [][]int
	jobs     [][]*member // by round, beginning with from
	from     int
	left     []float64
	rest     []int
	counts   tally
}

// forget takes a job that has left out of the rounds to come.
func (w *window) forget(m *member) {
	for r := range w.jobs {
		if k := slices.Index(w.jobs[r], m); k >= 0 {
			w.jobs[r] = slices.Delete(w.jobs[r], k, k+1)
		}
	}
}

// tally counts windows: all, windows whose targets could not be met, and the sum and the largest of
// the gaps to the bound, as parts of it.
type tally struct {
	windows, relaxed int
	gap, worst       float64
}

// most bounds a weight: beyond it the others are lost in rounding.
const most = 1e12

// plan solves the window that begins with the present round.
func (p *Policy) plan(nowS float64) {
	w, pr := &p.window, &p.window.problem
	*pr = market.Problem{Jobs: pr.Jobs[:0], GPUs: p.gpus, Rounds: p.cfg.future, RoundS: p.cfg.roundS, K: p.cfg.k,
		Bases: p.cfg.bases, Floor: p.cfg.floor, Gap: p.cfg.gap}
	share, end := p.share(), nowS+float64(float64(p.cfg.future)*p.cfg.roundS)
	w.priority, w.left = w.priority[:0], w.left[:0]
	for _, m := range p.active {
		m.calibrate()
		left := m.remainingS()
		m.leftS = left
		w.left = append(w.left, left)
		w.priority = append(w.priority, 1)
		pr.Jobs = append(pr.Jobs, market.Job{
			GPUs: m.gpus, Left: left, EpochS: m.meanS(), Done: float64(m.progress), Epochs: float64(m.epochs),
			Weight: 1,
			Limit:  float64((float64(m.target.value(p.round, p.cfg.momentum)*p.cfg.rhomax) - end) * share),
		})
	}
	s, ok := w.solver.Solve(pr)
	if !ok {
		w.counts.relaxed++
		p.relax(nowS, share)
		s, _ = w.solver.Solve(pr) // without limits no round at all is a solution
	}
	w.counts.windows++
	var value float64
	w.order, _, value = w.solver.Order(pr, s.Rounds, w.priority)
	gap := max(0, s.Bound-value) / max(1e-12, s.Bound-s.None)
	w.counts.gap, w.counts.worst = w.counts.gap+gap, max(w.counts.worst, gap)
	p.fill()
}

// relax drops the limits and gives the jobs that are behind their targets weight instead:
// rho^lambda, for jobs that would end within a round rho^100.
func (p *Policy) relax(nowS, share float64) {
	w := &p.window
	for i, m := range p.active {
		j := &w.problem.Jobs[i]
		j.Limit = math.Inf(1)
		rho := (nowS + w.left[i]/share) / m.target.value(p.round, p.cfg.momentum)
		if !(rho > p.cfg.rhomax) {
			continue
		}
		power := p.cfg.lambda
		if w.left[i] < p.cfg.roundS {
			power = 100
		}
		j.Weight = min(most, fixmath.Pow(rho, power))
		w.priority[i] = j.Weight
	}
}

// fill writes the rounds down, and gives idle GPUs to jobs that are not in a round, jobs with the
// longest remaining time first.
func (p *Policy) fill() {
	w := &p.window
	w.rest = w.rest[:0]
	for i := range p.active {
		w.rest = append(w.rest, i)
	}
	slices.SortStableFunc(w.rest, func(a, b int) int {
		switch {
		case w.left[a] > w.left[b]:
			return -1
		case w.left[a] < w.left[b]:
			return 1
		}
		return a - b
	})
	w.jobs, w.from = slices.Grow(w.jobs[:0], len(w.order))[:len(w.order)], p.round
	for r, list := range w.order {
		room := p.gpus
		w.jobs[r] = w.jobs[r][:0]
		for _, i := range list {
			room -= p.active[i].gpus
			w.jobs[r] = append(w.jobs[r], p.active[i])
		}
		for _, i := range w.rest {
			if m := p.active[i]; m.gpus <= room && !slices.Contains(list, i) {
				room -= m.gpus
				w.jobs[r] = append(w.jobs[r], m)
			}
		}
	}
}
