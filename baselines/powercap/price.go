package powercap

import (
	"cmp"
	"math"
	"slices"
)

// Options are what a job can be set to, by ascending clock: what each costs and draws.
type Options struct {
	// Cost is what is added up over jobs, such as weighted seconds; Watts do not fall with the clock.
	Cost, Watts []float64
}

// within is the part by which sums of watts may exceed a cap, and by which equal prices differ: rounding.
const within = 1e-12

// Solver finds clocks under a cap by a price of power, with memory of its own.
type Solver struct{ steps []step }

// step is that a job takes a lower clock from a price on.
type step struct {
	price float64
	job   int32
	to    int32
}

// Price sets at to the clocks of jobs at the smallest price of power (cost per watt) at which the
// choices of all jobs keep a cap: each job takes the clock that is cheapest for itself with its power
// paid for, of equals the lowest. ok is false where the cheapest power is not enough; then these are
// the clocks.
func (s *Solver) Price(jobs []Options, capW float64, at []int32) (price float64, ok bool) {
	s.steps = s.steps[:0]
	total := 0.0
	for j := range jobs {
		at[j] = cheapest(&jobs[j])
		total += jobs[j].Watts[at[j]]
		s.descend(&jobs[j], int32(j), at[j])
	}
	slices.SortFunc(s.steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.price, b.price), cmp.Compare(a.job, b.job), cmp.Compare(b.to, a.to))
	})
	most := capW + float64(within*math.Abs(capW))
	for i := 0; total > most; {
		if i == len(s.steps) {
			return price, false
		}
		price = s.steps[i].price
		for ; i < len(s.steps) && s.steps[i].price <= price+float64(within*price); i++ {
			at[s.steps[i].job] = s.steps[i].to
		}
		total = Total(jobs, at)
	}
	return price, true
}

// cheapest is the clock of least cost, of equals the lowest.
func cheapest(o *Options) (best int32) {
	for k, c := range o.Cost {
		if c < o.Cost[best]-float64(within*math.Abs(o.Cost[best])) {
			best = int32(k)
		}
	}
	return best
}

// descend lists the steps of a job from a clock down, each cheapest at some price.
func (s *Solver) descend(o *Options, job, from int32) {
	for {
		next, least := int32(-1), math.Inf(1)
		for k := from - 1; k >= 0; k-- {
			if saved := o.Watts[from] - o.Watts[k]; saved > 0 {
				if p := (o.Cost[k] - o.Cost[from]) / saved; p < least || p <= least+float64(within*least) {
					next, least = k, min(p, least)
				}
			}
		}
		if next < 0 {
			return
		}
		s.steps = append(s.steps, step{least, job, next})
		from = next
	}
}

// Total is what jobs draw at clocks.
func Total(jobs []Options, at []int32) (watts float64) {
	for j := range jobs {
		watts += jobs[j].Watts[at[j]]
	}
	return watts
}

// Bound is a lower bound of the cost of any clocks that keep a cap: the value of the Lagrangian dual
// at a price. At Price's price it is the largest.
func Bound(jobs []Options, capW, price float64) (bound float64) {
	bound = -float64(price * capW)
	for j := range jobs {
		least := math.Inf(1)
		for k, c := range jobs[j].Cost {
			least = min(least, c+float64(price*jobs[j].Watts[k]))
		}
		bound += least
	}
	return bound
}

// fill raises clocks by what a cap leaves: in each step the clock, up to most of each job, that saves
// most cost per watt among the next that fit.
func fill(jobs []Options, capW float64, at, most []int32) {
	left := capW - Total(jobs, at)
	for {
		best, gain := -1, 0.0
		for j := range jobs {
			k := at[j]
			if k == most[j] {
				continue
			}
			more, saves := jobs[j].Watts[k+1]-jobs[j].Watts[k], jobs[j].Cost[k]-jobs[j].Cost[k+1]
			if more > left || saves <= 0 {
				continue
			}
			if g := saves / max(more, 1e-9); g > gain {
				best, gain = j, g
			}
		}
		if best < 0 {
			return
		}
		left -= jobs[best].Watts[at[best]+1] - jobs[best].Watts[at[best]]
		at[best]++
	}
}
