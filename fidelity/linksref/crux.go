package linksref

import (
	"cmp"
	"fmt"
	"slices"

	"tarry/baselines/crux"
	"tarry/fidelity/reference"
	"tarry/sim/network/phased"
	"tarry/sim/rng"
)

// cutCase is jobs by priority, edges to jobs of lower priority on a common link, and cuts in levels.
type cutCase struct {
	Intensity []float64
	Levels    int
	Edges     []struct {
		From   int `json:"from_"`
		To     int
		Weight float64
	}
	Best  float64 `json:"best_cut"`
	Worst float64 `json:"worst_order"`
}

// compareCut compares the best cut of many orders with the best of all, and one of few with the
// worst of all.
func compareCut(v *reference.Case) {
	c, ok := reference.Decode[cutCase](v)
	if !ok {
		return
	}
	var cutter crux.Cutter
	cutter.Open(len(c.Intensity))
	for _, e := range c.Edges {
		cutter.Join(e.From, e.To, e.Weight)
	}
	draws := rng.Source{Seed: 1}.Stream("cut").Rand
	if _, got := cutter.Levels(nil, c.Levels, 1, draws); got < c.Worst-1e-9 {
		v.Errorf("one order cuts %v, there at least %v", got, c.Worst)
	}
	levels, got := cutter.Levels(nil, c.Levels, 2000, draws)
	v.Near("the best cut", got, c.Best, 1e-9)
	sum := 0.0
	for _, e := range c.Edges {
		if levels[e.From] > levels[e.To] || levels[e.To] >= int32(c.Levels) {
			v.Errorf("levels %v of %d, with an edge from %d to %d", levels, c.Levels, e.From, e.To)
		}
		if levels[e.From] < levels[e.To] {
			sum += e.Weight
		}
	}
	v.Near("what the levels cut", sum, got, 1e-9)
}

// pairJob is a job on a link.
type pairJob struct {
	GPUs            float64
	Compute, Volume number
	Release         number `json:"release_at"`
}

func (j *pairJob) pattern() crux.Pattern {
	return crux.Pattern{ComputeS: float64(j.Compute), TransferS: float64(j.Volume), ReleaseFrac: float64(j.Release)}
}

// pairOrder is a pair with one job first.
type pairOrder struct {
	Mean []number `json:"mean_iteration"`
	Part []number `json:"link_part"`
}

// pairCase is two jobs on one link.
type pairCase struct {
	Reference, Other pairJob
	Intensity        []number
	K                *number   `json:"correction_of_other"`
	RefFirst         pairOrder `json:"ref_first"`
	OtherFirst       pairOrder `json:"other_first"`
	RefUse           number    `json:"ref_first_use"`
	OtherUse         number    `json:"other_first_use"`
	Better           string
}

// comparePair compares both orders of two jobs, the correction factor, and which order k x
// intensity chooses.
func comparePair(v *reference.Case) {
	c, ok := reference.Decode[pairCase](v)
	if !ok {
		return
	}
	ref, other := c.Reference.pattern(), c.Other.pattern()
	for _, order := range []struct {
		name string
		want pairOrder
		r, o float64
		use  number
	}{{"the reference first", c.RefFirst, ref.Alone(), crux.Behind(ref, other), c.RefUse},
		{"the other first", c.OtherFirst, crux.Behind(other, ref), other.Alone(), c.OtherUse}} {
		use := (c.Reference.GPUs*ref.ComputeS/order.r + c.Other.GPUs*other.ComputeS/order.o) /
			(c.Reference.GPUs + c.Other.GPUs)
		v.Near(order.name+": the reference's iteration", order.r, float64(order.want.Mean[0]), 1e-9)
		v.Near(order.name+": the other's iteration", order.o, float64(order.want.Mean[1]), 1e-9)
		v.Near(order.name+": the reference's part", ref.TransferS/order.r, float64(order.want.Part[0]), 1e-9)
		v.Near(order.name+": the other's part", other.TransferS/order.o, float64(order.want.Part[1]), 1e-9)
		v.Near(order.name+": the use of GPUs", use, float64(order.use), 1e-9)
	}
	intensity := [2]float64{crux.Intensity(c.Reference.GPUs, ref), crux.Intensity(c.Other.GPUs, other)}
	for i := range intensity {
		v.Near(fmt.Sprint("intensity ", i), intensity[i], float64(c.Intensity[i]), 1e-9)
	}
	k, decided := crux.Correction(ref, other)
	if decided != (c.K != nil) {
		v.Errorf("k is %v (%v), there %v", k, decided, c.K)
	}
	if !decided || c.K == nil {
		return
	}
	v.Near("k", k, float64(*c.K), 1e-9)
	if got := k*intensity[1] > intensity[0]; c.Better != "equal" && got != (c.Better == "other_first") {
		v.Errorf("priorities %v and %v, there %s", intensity[0], k*intensity[1], c.Better)
	}
}

// pathCase is jobs between two leaves each, and a spine of each.
type pathCase struct {
	Leaves, Spines int
	Jobs           []struct {
		GPUs            float64
		Compute, Volume number
		Leaves          [2]int
	}
	Intensity []number
	Greedy    []int   `json:"greedy_path"`
	Use       float64 `json:"greedy_use"`
	Periodic  bool
	BestPath  []int   `json:"best_path_same_priorities"`
	BestUse   float64 `json:"best_use"`
}

// comparePaths compares the spines that jobs take, and their use of GPUs under strict priorities.
func comparePaths(v *reference.Case) {
	c, ok := reference.Decode[pathCase](v)
	if !ok {
		return
	}
	jobs, order := make([]phased.Job, len(c.Jobs)), make([]int, len(c.Jobs))
	for i, j := range c.Jobs {
		jobs[i] = phased.Job{ComputeS: float64(j.Compute), VolumeS: float64(j.Volume), Release: 1}
		order[i] = i
		got := crux.Intensity(j.GPUs, crux.Pattern{ComputeS: jobs[i].ComputeS, TransferS: jobs[i].VolumeS, ReleaseFrac: 1})
		v.Near(fmt.Sprint("intensity ", i), got, float64(c.Intensity[i]), 1e-9)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.Intensity[b], c.Intensity[a]) })
	links := func(job, spine int) []int32 {
		l := c.Jobs[job].Leaves
		return []int32{int32(l[0]*c.Spines + spine), int32(l[1]*c.Spines + spine)}
	}
	load, got := make(crux.Congestion, c.Leaves*c.Spines), make([]int, len(c.Jobs))
	for _, i := range order {
		paths := make([][]int32, c.Spines)
		for s := range paths {
			paths[s] = links(i, s)
		}
		got[i] = load.Least(paths)
		load.Add(paths[got[i]], jobs[i].VolumeS)
	}
	if !slices.Equal(got, c.Greedy) {
		v.Errorf("spines %v, there %v", got, c.Greedy)
	}
	for _, x := range []struct {
		path []int
		use  float64
	}{{got, c.Use}, {c.BestPath, c.BestUse}} {
		for k, i := range order {
			jobs[i].Level, jobs[i].Links = int8(-k), over(links(i, x.path[i])...)
		}
		use, settled := c.use(jobs)
		within := 1e-9
		if !settled || !c.Periodic { // there and here a mean of a long run
			within = .01
		}
		if v.Near(fmt.Sprint("the use of GPUs on spines ", x.path), use, x.use, within); c.Periodic && !settled {
			v.Errorf("not settled")
		}
	}
}

// use is the part of the time in which GPUs compute, and whether the state recurred.
func (c *pathCase) use(jobs []phased.Job) (use float64, settled bool) {
	wide, out, all := make([]float64, c.Leaves*c.Spines), make([]phased.Result, len(jobs)), 0.0
	for l := range wide {
		wide[l] = 1
	}
	g := phased.Group{Exact: true, Events: 240000}
	settled = g.Settle(jobs, wide, out).Settled
	for i, j := range c.Jobs {
		use += j.GPUs * jobs[i].ComputeS / out[i].IterationS
		all += j.GPUs
	}
	return use / all, settled
}
