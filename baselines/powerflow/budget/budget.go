package budget

import "math"

// Job is what a job can have, and what each choice takes.
type Job struct {
	// GPUs are its numbers of GPUs, ascending; Clocks is how many clocks there are.
	GPUs   []int32
	Clocks int
	// Seconds and Joules of a unit of work are by number and clock, at [number x Clocks + clock]:
	// positive, and not negative.
	Seconds, Joules []float64
	// Work is how many units are left.
	Work float64
}

// Choice is what a job has: the indices of its number of GPUs and of its clock.
type Choice struct{ Number, Clock int }

// Least is the choice with which a job begins: its least number of GPUs, at the first clock of the
// least energy.
func (j *Job) Least() Choice {
	c := Choice{}
	for k := range j.Clocks {
		if j.Joules[k] < j.Joules[c.Clock] {
			c.Clock = k
		}
	}
	return c
}

// At is what a choice takes: GPUs, and seconds and joules of a unit of work.
func (j *Job) At(c Choice) (gpus int32, seconds, joules float64) {
	i := c.Number*j.Clocks + c.Clock
	return j.GPUs[c.Number], j.Seconds[i], j.Joules[i]
}

// next is the choice after a move: to the next number of GPUs, or to the next clock. ok is false where
// a job has the last.
func (j *Job) next(c Choice, clock bool) (to Choice, ok bool) {
	if clock {
		c.Clock++
		return c, c.Clock < j.Clocks
	}
	c.Number++
	return c, c.Number < len(j.GPUs)
}

// Greedy makes moves. The zero value is ready; it allocates nothing once warm.
type Greedy struct {
	moves ranking
	over  []int // moves that the budget did not allow, in the order in which they were met
}

// Spread makes the moves of jobs from the choices that they have, with so many GPUs for all and a
// budget in joules for all work that is left. It changes choices, and returns the energy of all; yield, unless it is nil,
// receives each move. Where the choices are beyond the GPUs or the budget from the beginning, moves
// that need no more of what there is too little of are made all the same.
func (g *Greedy) Spread(jobs []Job, choices []Choice, gpus int32, joules float64,
	yield func(job int, clock bool)) (total float64) {
	free := gpus
	g.moves.open(2 * len(jobs))
	g.over = g.over[:0]
	for i := range jobs {
		n, _, e := jobs[i].At(choices[i])
		total, free = total+float64(jobs[i].Work*e), free-n
		g.rank(jobs, choices, i)
	}
	for {
		at, ok := g.moves.first()
		if !ok {
			return total
		}
		i, clock := at/2, at%2 == 1
		to, _ := jobs[i].next(choices[i], clock)
		n, _, e := jobs[i].At(choices[i])
		m, _, f := jobs[i].At(to)
		if m > n && m-n > free { // nor later: moves give no GPUs back
			g.moves.set(at, none)
			continue
		}
		more := float64(jobs[i].Work * (f - e))
		if f > e && total+more > joules { // later it may, when others need less
			g.moves.set(at, none)
			g.over = append(g.over, at)
			continue
		}
		choices[i], free, total = to, free-(m-n), total+more
		g.rank(jobs, choices, i)
		if yield != nil {
			yield(i, clock)
		}
		if f < e {
			for _, at := range g.over {
				g.rank(jobs, choices, at/2)
			}
			g.over = g.over[:0]
		}
	}
}

// rank sets the priorities of the two moves of a job.
func (g *Greedy) rank(jobs []Job, choices []Choice, i int) {
	for k := range 2 {
		p := none
		if to, ok := jobs[i].next(choices[i], k == 1); ok {
			p = rank(&jobs[i], choices[i], to)
		}
		g.moves.set(2*i+k, p)
	}
}

// priority orders moves: moves that need no more energy first, then by value.
type priority struct {
	spares bool
	value  float64
}

// none is the priority of no move.
var none = priority{value: math.Inf(-1)}

// before reports whether a move is made rather than another.
func (p priority) before(q priority) bool {
	if p.spares != q.spares {
		return p.spares
	}
	return p.value > q.value
}

func rank(j *Job, from, to Choice) priority {
	_, s, e := j.At(from)
	_, t, f := j.At(to)
	gain := (s - t) / s
	switch {
	case !(gain > 0):
		return none
	case f <= e:
		return priority{true, gain}
	}
	// in one division, so that equal moves of whole numbers are equal to the last bit
	return priority{false, float64((s-t)*e) / float64(s*(f-e))}
}
