package sjfbco

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim/cluster"
)

// pricer fills the price of a task on p.on.
type pricer interface {
	price(t *task, p *price)
}

// planner plans a batch: GPUs for each task, which the tasks take in their order.
type planner struct {
	alpha  float64
	steps  int  // of the bisection of the limit
	byMean bool // the goal is the mean end, not the last
	ask    pricer

	machine []int32   // of a GPU
	first   []int32   // GPU of a machine; one more than there are machines
	types   []int     // of a machine
	base    []float64 // when a GPU is free, us from now; +Inf = not within sight
	holder  []int32   // run that holds a GPU and is played; -1 = none
	runs    []task    // jobs that run and share links
	tasks   []task    // the batch, smallest first
	links   []int32   // jobs on each link, of a play

	last, sum float64 // of the best plan: the last end, and the sum of the ends
	kappa     int     // of the best plan
	theta     float64

	// Of the plan in hand:
	load  []float64     // when a GPU is free of the tasks before
	order []cluster.GPU // by load
	start []cluster.GPU // order of base
	on    []cluster.GPU
	spots []spot
	sizes []int
	quick []float64 // estimate of (kappa, task) without a limit
	play_ play
}

// spot is a machine that may take part: its mean load, and its GPUs.
type spot struct {
	machine int32
	load    int64
}

// us is a load as loads are compared: in whole microseconds, so that sums of the same parts in
// another order are equal.
func us(x float64) int64 {
	if x > 1<<62 {
		return 1 << 62
	}
	return int64(math.Round(x))
}

// search finds the best plan over kappa and the limit. The tasks must find enough GPUs within
// sight. It reports false where there is none.
func (p *planner) search() bool {
	p.last, p.sum = math.Inf(1), math.Inf(1)
	p.open()
	n := len(p.tasks)
	p.quick = slices.Grow(p.quick[:0], n*len(p.sizes))[:n*len(p.sizes)]
	hi, lo := math.Inf(1), 0.0
	for k, kappa := range p.sizes {
		end, ok := p.lay(kappa, math.Inf(1), nil)
		if !ok {
			return false
		}
		hi = min(hi, end)
		for i := range p.tasks {
			p.quick[k*n+i] = p.tasks[i].price().alone
		}
		p.consider(kappa, math.Inf(1))
	}
	for i := range p.tasks {
		least := p.quick[i]
		for k := range p.sizes {
			least = min(least, p.quick[k*n+i])
		}
		lo = max(lo, least)
	}
	for range p.steps {
		theta, any := (lo+hi)/2, false
		for k, kappa := range p.sizes {
			if _, ok := p.lay(kappa, theta, p.quick[k*n:(k+1)*n]); ok {
				any = true
				p.consider(kappa, theta)
			}
		}
		if any {
			hi = theta
		} else {
			lo = theta
		}
	}
	return true
}

// open sorts the GPUs by their base, and lists the kappas that differ: 1, and the tasks' sizes.
func (p *planner) open() {
	p.start = p.start[:0]
	for g := range p.base {
		if !math.IsInf(p.base[g], 1) {
			p.start = append(p.start, cluster.GPU(g))
		}
	}
	slices.SortFunc(p.start, func(a, b cluster.GPU) int {
		return cmp.Or(cmp.Compare(us(p.base[a]), us(p.base[b])), cmp.Compare(a, b))
	})
	p.sizes = append(p.sizes[:0], 1)
	for i := range p.tasks {
		if n := p.tasks[i].gpus; n > p.sizes[len(p.sizes)-1] {
			p.sizes = append(p.sizes, n)
		}
	}
}

// lay plans all tasks by one kappa, such that no GPU is planned beyond theta. quick has estimates
// of the tasks, with which GPUs are ruled out; nil = none is. It gives the last estimated end.
func (p *planner) lay(kappa int, theta float64, quick []float64) (end float64, ok bool) {
	p.load = append(p.load[:0], p.base...)
	p.order = append(p.order[:0], p.start...)
	for i := range p.tasks {
		t, limit := &p.tasks[i], theta
		if quick != nil {
			limit -= quick[i]
		}
		if t.gpus <= kappa {
			ok = p.pack(t, limit)
		} else {
			ok = p.emptiest(t, limit)
		}
		if !ok {
			return 0, false
		}
		slices.Sort(p.on)
		pr, known := t.known(p.on)
		if !known {
			p.ask.price(t, pr)
		}
		done := 0.0
		for _, g := range p.on {
			done = max(done, p.load[g])
		}
		if done += pr.alone; done > theta {
			return 0, false
		}
		p.book(done)
		end = max(end, done)
	}
	return end, true
}

// takes reports whether a task may have a GPU.
func (p *planner) takes(t *task, g cluster.GPU) bool {
	return t.typ < 0 || p.types[p.machine[g]] == t.typ
}

// pack chooses the GPUs that are free first, by index among equals: leftovers of machines in use
// are filled.
func (p *planner) pack(t *task, limit float64) bool {
	p.on = p.on[:0]
	for _, g := range p.order {
		if len(p.on) == t.gpus || p.load[g] > limit {
			break
		}
		if p.takes(t, g) {
			p.on = append(p.on, g)
		}
	}
	return len(p.on) == t.gpus
}

// emptiest chooses GPUs machine by machine, machines of least mean load first, and in a machine the
// GPUs that are free first.
func (p *planner) emptiest(t *task, limit float64) bool {
	p.on, p.spots = p.on[:0], p.spots[:0]
	for m := range int32(len(p.first) - 1) {
		if t.typ >= 0 && p.types[m] != t.typ {
			continue
		}
		sum, n, can := 0.0, 0, 0
		for g := p.first[m]; g < p.first[m+1]; g++ {
			if x := p.load[g]; !math.IsInf(x, 1) {
				sum, n = sum+x, n+1
				if x <= limit {
					can++
				}
			}
		}
		if can > 0 {
			p.spots = append(p.spots, spot{m, us(sum / float64(n))})
		}
	}
	slices.SortFunc(p.spots, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.load, b.load), cmp.Compare(a.machine, b.machine))
	})
	for _, s := range p.spots {
		at := len(p.on)
		for g := p.first[s.machine]; g < p.first[s.machine+1]; g++ {
			if x := p.load[g]; !math.IsInf(x, 1) && x <= limit {
				p.on = append(p.on, cluster.GPU(g))
			}
		}
		slices.SortFunc(p.on[at:], func(a, b cluster.GPU) int {
			return cmp.Or(cmp.Compare(us(p.load[a]), us(p.load[b])), cmp.Compare(a, b))
		})
		if len(p.on) >= t.gpus {
			p.on = p.on[:t.gpus]
			return true
		}
	}
	return false
}

// book has the chosen GPUs be free at an instant, and keeps the order.
func (p *planner) book(end float64) {
	for _, g := range p.on { // its load marks it
		p.load[g] = -1
	}
	kept := p.order[:0]
	for _, g := range p.order {
		if p.load[g] >= 0 {
			kept = append(kept, g)
		}
	}
	p.order = p.order[:len(kept)+len(p.on)]
	at, i, j := len(p.order)-1, len(kept)-1, len(p.on)-1
	for ; j >= 0; at-- { // merge from the back
		if i >= 0 && (us(p.load[kept[i]]) > us(end) || us(p.load[kept[i]]) == us(end) && kept[i] > p.on[j]) {
			p.order[at] = kept[i]
			i--
		} else {
			p.order[at] = p.on[j]
			j--
		}
	}
	for _, g := range p.on {
		p.load[g] = end
	}
}

// consider plays the plan in hand and keeps it where it is the best so far: by the goal, then by
// the other measure.
func (p *planner) consider(kappa int, theta float64) {
	last, sum := p.play()
	a, b, x, y := last, p.last, sum, p.sum
	if p.byMean {
		a, b, x, y = x, y, a, b
	}
	if !math.IsInf(b, 1) && (differs(a, b) && a > b || !differs(a, b) && !(differs(x, y) && x < y)) {
		return
	}
	p.last, p.sum, p.kappa, p.theta = last, sum, kappa, theta
	for i := range p.tasks {
		t := &p.tasks[i]
		t.best = append(t.best[:0], t.price().on...)
	}
}

// differs reports whether two times are not the same but for rounding.
func differs(a, b float64) bool { return math.Abs(a-b) > 1e-9*math.Max(a, b) }
