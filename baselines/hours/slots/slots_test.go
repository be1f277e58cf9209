package slots

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/internal/effort"
)

// drawn is a small day of hours.
func drawn(r *rand.Rand, n int) *Day {
	d := &Day{Nodes: 2, PerNode: 4, NodeW: float64(200 + r.IntN(300)), SwitchWh: float64(100 * r.IntN(5)),
		Off: r.IntN(2) == 0, Preempt: r.IntN(2) == 0, On: r.IntN(3)}
	for range 4 + r.IntN(4) {
		d.Slots = append(d.Slots, Slot{Price: float64(r.IntN(25) - 2), Len: hour})
	}
	for range n {
		left := 1 + r.IntN(3)
		ready := r.IntN(len(d.Slots) - left + 1)
		g := 1 << r.IntN(3)
		d.Jobs = append(d.Jobs, Job{GPUs: g, Watts: float64(g * 150), Left: int64(left) * hour, Ready: ready,
			Due: ready + left + r.IntN(len(d.Slots)-left-ready+1), Starts: max(0, ready+1+r.IntN(9)-5)})
		if k := &d.Jobs[len(d.Jobs)-1]; k.Starts <= ready {
			k.Starts = 0
		}
	}
	return d
}

// all calls see with every set of slots for each job, kept to the day or not.
func all(d *Day, plan Plan, see func()) {
	i := len(plan)
	if i == len(d.Jobs) {
		see()
		return
	}
	for set := range 1 << len(d.Slots) {
		var in []int
		for t := range d.Slots {
			if set>>t&1 == 1 {
				in = append(in, t)
			}
		}
		if int64(len(in))*hour == d.Jobs[i].Left {
			all(d, append(plan, in), see)
		}
	}
}

// The solver finds the least cost of all plans, with pauses and without, nodes on or off, at prices
// below 0 too; its plan has that cost, and none is found where there is none. The planner's plan
// keeps to the day, or leaves a job late, and costs at least as much.
func TestOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for k := range effort.Of(t, 150, 1500) {
		d := drawn(r, 1+r.IntN(3))
		best := math.Inf(1)
		plan := make(Plan, 0, len(d.Jobs))
		all(d, plan, func() {
			if cost, ok := d.Cost(plan[:len(d.Jobs)]); ok {
				best = min(best, cost)
			}
		})
		var s Solver
		ok, done := s.Solve(d, 1e5)
		if !done || ok == math.IsInf(best, 1) {
			t.Fatalf("day %d: solved %v %v, the least cost is %v", k, ok, done, best)
		}
		if !ok {
			continue
		}
		found++
		if cost, kept := d.Cost(s.Plan()); !kept || !near(cost, best) || !near(s.Cost(), best) {
			t.Fatalf("day %d: plan %v costs %v (%v, stated %v), least %v", k, s.Plan(), cost, kept, s.Cost(), best)
		}
		if plan, inTime, cost := planned(d, 3); inTime {
			if c, kept := d.Cost(plan); !kept || !near(c, cost) || c < best-1e-6 {
				t.Fatalf("day %d: planned %v costs %v (%v, stated %v), least %v", k, plan, c, kept, cost, best)
			}
		}
	}
	if found == 0 {
		t.Error("no day has a plan")
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// planned is the planner's plan by due.
func planned(d *Day, passes int) (plan Plan, inTime bool, cost float64) {
	var p Planner
	inTime = p.Plan(d, passes)
	for i := range d.Jobs {
		plan = append(plan, p.Slots(nil, i))
	}
	return plan, inTime, p.Cost()
}

// How far the planner is above the optimum, on days whose jobs it has in time.
func TestGap(t *testing.T) {
	for _, preempt := range []bool{false, true} {
		for _, off := range []bool{false, true} {
			r := rand.New(rand.NewPCG(3, 4))
			sum, least, worst, n, late := 0.0, 0.0, 0.0, 0, 0
			for range 300 {
				d := drawn(r, 3+r.IntN(3))
				d.Off, d.Preempt = off, preempt
				for t := range d.Slots {
					d.Slots[t].Price += 3
				}
				var s Solver
				if ok, _ := s.Solve(d, 1e5); !ok {
					continue
				}
				_, inTime, cost := planned(d, 3)
				if !inTime {
					late++
					continue
				}
				n++
				sum += cost
				least += s.Cost()
				worst = max(worst, cost/s.Cost()-1)
			}
			t.Logf("pauses %v, off %v: %d days, %.2f %% above the optimum, at most %.1f %%; late %d", preempt, off, n,
				100*(sum/least-1), 100*worst, late)
			if sum/least > 1.02 {
				t.Errorf("pauses %v, off %v: %v times the optimum, expected at most 1.02", preempt, off, sum/least)
			}
		}
	}
}
