package objective

// Hierarchical is max-min fairness among entities (users, teams) and a policy among the jobs of
// each, by water filling (section 4.3 of the paper): all rates rise together, each in proportion to
// its job's weight, until some job cannot rise any more; its rate is then frozen, the weight of its
// entity is divided anew among the entity's other jobs, and these rise on.
//
// A round is one problem of the form of MaxMin: the largest q such that every job that is not
// frozen can have its rate so far and q w_m p_m / s_m, and every frozen one its rate. The paper
// finds the jobs that cannot rise with an integer program, which maximises their number. That is
// not necessary. The rates that are possible are a convex set: if each of several jobs can rise
// alone while the others keep their rates, then all can at once, by the mean of these answers. So a
// job is frozen exactly when it cannot rise alone. That is so if it has its largest rate, or if
// more of it would cost something at some optimal prices, when the price of all GPUs equals the
// jobs' budgets. The prices at hand may be one optimum of several and freeze too few; but some job
// has a cost at them, since q could not rise, so each round freezes one at least, and the others
// are found in the rounds after it.
//
// Without entities it is Gavel's max_min_fairness_water_filling: the fractions whose smallest rates
// are largest, then the second smallest, and so on. The objective is the level of the first round.
type Hierarchical struct {
	// Typed: throughputs are read.
	Typed bool
	// FIFO: all of an entity's weight is its oldest job's that is not frozen; otherwise it is
	// divided by the jobs' weights.
	FIFO bool

	level  level
	flat   []float64
	frozen []bool // of groups
	fixed  []bool // of groups: found in this round
	price  []float64
	share  []float64 // of an entity: weight of its jobs that are not frozen
	head   []int     // of an entity: first group that is not frozen
	equal  []float64 // p_m / s_m of groups
	weight []float64 // of one job of a group
	entity []int
}

// Clone implements Allocator.
func (a *Hierarchical) Clone() Allocator {
	return &Hierarchical{Typed: a.Typed, FIFO: a.FIFO, level: a.level.clone()}
}

// Allocate implements Allocator.
func (a *Hierarchical) Allocate(in *Input, x *Matrix) (float64, error) {
	rates := in.Throughput
	if !a.Typed {
		a.flat = ones(a.flat, len(rates))
		rates = a.flat
	}
	l := &a.level
	x.Reset(in.Rows(), in.Types())
	if err := a.enter(in, rates); err != nil || len(l.jobs) == 0 {
		return 0, err
	}
	first := -1.0
	for a.weigh(in) {
		q, stretch, err := l.solve()
		if err != nil {
			return 0, err
		}
		if first < 0 {
			first = q
		}
		x.Reset(in.Rows(), in.Types())
		l.write(&l.solver, x, min(1/stretch, 1))
		if a.freeze(q, min(1/stretch, 1)) == 0 {
			break // rounding is all that is left
		}
	}
	if l.lack {
		return 0, nil
	}
	return first, nil
}

// ones is a slice of ones.
func ones(buffer []float64, n int) []float64 {
	buffer = buffer[:0]
	for range n {
		buffer = append(buffer, 1)
	}
	return buffer
}

// enter takes the jobs. Equal jobs of one entity are a group, but not where the oldest goes first.
func (a *Hierarchical) enter(in *Input, rates []float64) error {
	l, types := &a.level, in.Types()
	if err := l.open(in, rates, true); err != nil {
		return err
	}
	a.frozen, a.equal, a.weight, a.entity = a.frozen[:0], a.equal[:0], a.weight[:0], a.entity[:0]
	for m, s := range in.Scale {
		row := rates[m*types:][:types]
		if !l.runs(row) {
			continue
		}
		e := 0
		if len(in.Entity) > 0 {
			e = in.Entity[m]
		}
		n := need{steps: in.weight(m), due: 1, tag: e}
		if a.FIFO {
			n.tag = m
		}
		if l.add(m, row, s, n); len(l.needs) > len(a.frozen) {
			a.frozen, a.entity = append(a.frozen, false), append(a.entity, e)
			a.equal, a.weight = append(a.equal, equalRate(in, row)/float64(s)), append(a.weight, in.weight(m))
		}
	}
	return nil
}

// equalRate is a job's rate under an equal share of all GPUs, p_m.
func equalRate(in *Input, row []float64) float64 {
	rate, gpus := 0.0, 0.0
	for j, n := range in.Workers {
		rate += float64(row[j] * float64(n))
		gpus += float64(n)
	}
	return rate / gpus
}

// weigh divides the weights of entities among the jobs that are not frozen, and reports whether
// there are any.
func (a *Hierarchical) weigh(in *Input) bool {
	entities := max(len(in.EntityWeight), 1)
	a.share, a.head = append(a.share[:0], make([]float64, entities)...), append(a.head[:0], make([]int, entities)...)
	rising := false
	for g, e := range a.entity {
		if !a.frozen[g] {
			rising = true
			if a.share[e] == 0 {
				a.head[e] = g
			}
			a.share[e] += float64(a.weight[g] * a.level.count[g])
		}
	}
	for g, e := range a.entity {
		n := &a.level.needs[g]
		n.steps = 0
		if a.frozen[g] || a.FIFO && a.head[e] != g {
			continue
		}
		w := 1.0
		if len(in.EntityWeight) > 0 {
			w = in.EntityWeight[e]
		}
		if !a.FIFO {
			w *= a.weight[g] / a.share[e]
		}
		n.steps = w * a.equal[g]
	}
	return rising
}

// freeze sets the rates reached, the part of the level's that fits, as those so far, freezes the
// jobs that cannot rise, and counts them.
func (a *Hierarchical) freeze(q, part float64) (count int) {
	l := &a.level
	a.fixed = a.fixed[:0]
	for g := range l.needs {
		n := &l.needs[g]
		r, _ := n.rate(q)
		a.fixed = append(a.fixed, r >= n.best*(1-spare))
	}
	a.bind(l.proof, q)
	a.bind(l.solver.Price, q)
	for g, fixed := range a.fixed {
		n := &l.needs[g]
		r, _ := n.rate(q)
		n.base = r * part
		if fixed && !a.frozen[g] {
			a.frozen[g] = true
			count++
		}
	}
	return count
}

// bind marks the groups whose rates can only rise at a cost, by prices at which the groups at the
// level q buy all GPUs.
func (a *Hierarchical) bind(price []float64, q float64) {
	l := &a.level
	a.price = append(a.price[:0], price...)
	for i, p := range price {
		if p*l.caps[i] < spare {
			a.price[i] = 0
		}
	}
	if cost, _ := l.cost(a.price, q); cost < 1-10*exact {
		return
	}
	k := len(l.caps)
	for g := range l.needs {
		n := &l.needs[g]
		r, _ := n.rate(q)
		_, slope := cheapest(l.row(g), l.inverse[g*k:][:k], a.price, min(r+float64(spare*n.best), n.best))
		a.fixed[g] = a.fixed[g] || slope > 0
	}
}
