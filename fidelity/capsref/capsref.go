// Package capsref compares clocks under a power cap with exact answers. A folder holds .json files,
// each a list of cases: jobs with a weight, a compute part, work and watts, the clocks that each may
// have, and a cap, with the best clocks, the bound of the Lagrangian dual and the clocks by one price.
package capsref

import (
	"math"
	"slices"

	"tarry/baselines/powercap"
	"tarry/fidelity/reference"
	"tarry/internal/fraction"
)

// problem is one case.
type problem struct {
	Cap    fraction.Number `json:"cap_w"`
	Clocks []fraction.Number
	Jobs   []struct {
		Weight  float64
		Compute fraction.Number `json:"compute_part"`
		Work    fraction.Number `json:"work_s"`
		Fixed   fraction.Number `json:"p0"`
		Cubic   fraction.Number `json:"p3"`
	}
	Best      []int32         `json:"best_clock_index"`
	BestCost  fraction.Number `json:"best_weighted_s"`
	BestW     fraction.Number `json:"best_w"`
	Bound     fraction.Number `json:"dual_bound"`
	Price     fraction.Number `json:"first_feasible_price"`
	Priced    []int32         `json:"price_clock_index"`
	PriceCost fraction.Number `json:"price_weighted_s"`
	PriceW    fraction.Number `json:"price_w"`
	Loss      float64         `json:"price_loss"`
}

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Cases("power caps", []reference.CaseKind{
		{Name: "caps", Fields: "cap_w clocks jobs first_feasible_price dual_bound", Compare: compare}})
}

// compare solves a case by a price, by its dual and by enumeration.
func compare(v *reference.Case) {
	c, ok := reference.Decode[problem](v)
	if !ok {
		return
	}
	jobs, n := options(&c), len(c.Jobs)
	near := func(what string, got float64, want fraction.Number) { v.Near(what, got, float64(want), 1e-9) }
	if len(c.Best) != n || len(c.Priced) != n || n == 0 || len(c.Clocks) == 0 {
		v.Errorf("best and priced clocks of %d jobs are expected", n)
		return
	}
	capW, at := float64(c.Cap), make([]int32, n)
	price, ok := new(powercap.Solver).Price(jobs, capW, at)
	if !ok || !slices.Equal(at, c.Priced) {
		v.Errorf("clocks by a price %v (%v), there %v", at, ok, c.Priced)
	}
	near("the price", price, c.Price)
	near("the cost by a price", cost(jobs, at), c.PriceCost)
	near("the watts by a price", powercap.Total(jobs, at), c.PriceW)
	bound := powercap.Bound(jobs, capW, price)
	near("the dual bound", bound, c.Bound)
	least, watts := best(jobs, capW)
	near("the least cost", least, c.BestCost)
	near("its watts", watts, c.BestW)
	near("the cost of the best clocks there", cost(jobs, c.Best), c.BestCost)
	if priced := cost(jobs, at); !(bound <= least*(1+1e-9) && least <= priced*(1+1e-9)) {
		v.Errorf("the bound %v, the least cost %v and the cost by a price %v do not ascend", bound, least, priced)
	} else if loss := priced/least - 1; math.Abs(loss-c.Loss) > 6e-6 {
		v.Errorf("the price loses %v, there %v", loss, c.Loss)
	}
}

// options has what each clock of each job costs and draws.
func options(c *problem) (jobs []powercap.Options) {
	for _, j := range c.Jobs {
		var o powercap.Options
		for _, clock := range c.Clocks {
			x := float64(clock)
			o.Cost = append(o.Cost, j.Weight*float64(j.Work)*(float64(j.Compute)/x+1-float64(j.Compute)))
			o.Watts = append(o.Watts, float64(j.Fixed)+float64(j.Cubic)*x*x*x)
		}
		jobs = append(jobs, o)
	}
	return jobs
}

// cost adds up what clocks cost; NaN where a job has no such clock.
func cost(jobs []powercap.Options, at []int32) (sum float64) {
	for j, k := range at {
		if k < 0 || int(k) >= len(jobs[j].Cost) {
			return math.NaN()
		}
		sum += jobs[j].Cost[k]
	}
	return sum
}

// best tries all clocks: the least cost under a cap, of equals with the least watts.
func best(jobs []powercap.Options, capW float64) (least, watts float64) {
	least, watts = math.Inf(1), math.Inf(1)
	var try func(j int, cost, w float64)
	try = func(j int, cost, w float64) {
		switch {
		case w > capW*(1+1e-12) || cost > least*(1+1e-12):
		case j < len(jobs):
			for k := range jobs[j].Cost {
				try(j+1, cost+jobs[j].Cost[k], w+jobs[j].Watts[k])
			}
		case cost < least*(1-1e-12) || w < watts:
			least, watts = cost, w
		}
	}
	try(0, 0, 0)
	return least, watts
}
