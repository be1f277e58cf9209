package crux

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
)

type pathCase struct {
	Name           string
	Leaves, Spines int
	Jobs           []struct {
		GPUs            float64
		Compute, Volume frac
		Leaves          [2]int
	}
	Intensity []frac
	Greedy    []int   `json:"greedy_path"`
	Use       float64 `json:"greedy_use"`
	Periodic  bool
	BestPath  []int   `json:"best_path_same_priorities"`
	BestUse   float64 `json:"best_use"`
}

// TestReferencePaths: jobs take the file's spines, and their use of GPUs under strict priorities is
// the file's.
func TestReferencePaths(t *testing.T) {
	for _, c := range read[pathCase](t, "paths.json") {
		runs := make([]priced, len(c.Jobs))
		order := make([]int, len(c.Jobs))
		for i, j := range c.Jobs {
			p := Pattern{ComputeS: j.Compute.float(t), TransferS: j.Volume.float(t), ReleaseFrac: 1}
			runs[i] = priced{Pattern: p, gpus: j.GPUs, intensity: Intensity(j.GPUs, p)}
			order[i] = i
			if !near(runs[i].intensity, c.Intensity[i].float(t)) {
				t.Errorf("%s: intensity %v of job %d, expected %v", c.Name, runs[i].intensity, i, c.Intensity[i])
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(runs[b].intensity, runs[a].intensity) })
		links := func(job, spine int) []int32 {
			l := c.Jobs[job].Leaves
			return []int32{int32(l[0]*c.Spines + spine), int32(l[1]*c.Spines + spine)}
		}
		load, got := make(Congestion, c.Leaves*c.Spines), make([]int, len(c.Jobs))
		for _, i := range order {
			paths := make([][]int32, c.Spines)
			for s := range paths {
				paths[s] = links(i, s)
			}
			got[i] = load.Least(paths)
			load.Add(paths[got[i]], runs[i].TransferS)
		}
		if !slices.Equal(got, c.Greedy) {
			t.Errorf("%s: spines %v, expected %v", c.Name, got, c.Greedy)
		}
		for _, x := range []struct {
			path []int
			use  float64
		}{{got, c.Use}, {c.BestPath, c.BestUse}} {
			for k, i := range order {
				runs[i].rank, runs[i].links = k, links(i, x.path[i])
			}
			use, periodic := gpuUse(runs)
			tolerance := 1e-9
			if !periodic || !c.Periodic { // the file has a long run's mean where it saw no period
				tolerance = 0.01
			}
			if math.Abs(use-x.use) > tolerance || c.Periodic && !periodic {
				t.Errorf("%s: use %v with spines %v (periodic %v), expected %v (%v)", c.Name, use, x.path, periodic, x.use,
					c.Periodic)
			}
		}
	}
}

// priced is a job of gpuUse.
type priced struct {
	Pattern
	gpus, intensity float64
	rank            int // 0 = first
	links           []int32
}

// gpuUse plays jobs whose times are multiples of a power of two, so that sums are exact: a transfer
// runs where no job of higher priority transfers on one of its links. It gives the part of the time
// in which GPUs compute, over a period, or over many events where the state does not recur.
func gpuUse(jobs []priced) (use float64, periodic bool) {
	n := len(jobs)
	compute, transfer := make([]float64, n), make([]float64, n) // what is left
	order := make([]int, n)
	for i := range jobs {
		compute[i], transfer[i], order[i] = jobs[i].ComputeS, jobs[i].TransferS, i
	}
	slices.SortFunc(order, func(a, b int) int { return jobs[a].rank - jobs[b].rank })
	type point struct{ at, busy float64 }
	seen := map[string]point{}
	now, busy, all, middle := 0.0, 0.0, 0.0, point{}
	for i := range jobs {
		all += jobs[i].gpus
	}
	const events = 200000
	for event := range events {
		key := fmt.Sprint(compute, transfer)
		if was, ok := seen[key]; ok {
			return (busy - was.busy) / (now - was.at) / all, true
		}
		if event < events/10 {
			seen[key] = point{now, busy}
		}
		if event == events/2 {
			middle = point{now, busy}
		}
		taken, sends := map[int32]bool{}, make([]bool, n)
		for _, i := range order {
			released := compute[i] <= jobs[i].ComputeS*(1-jobs[i].ReleaseFrac)
			if !released || transfer[i] == 0 || slices.ContainsFunc(jobs[i].links, func(l int32) bool { return taken[l] }) {
				continue
			}
			sends[i] = true
			for _, l := range jobs[i].links {
				taken[l] = true
			}
		}
		step := math.Inf(1)
		for i := range jobs {
			if compute[i] > 0 {
				step = min(step, compute[i])
				if until := compute[i] - jobs[i].ComputeS*(1-jobs[i].ReleaseFrac); until > 0 {
					step = min(step, until)
				}
			}
			if sends[i] {
				step = min(step, transfer[i])
			}
		}
		now += step
		for i := range jobs {
			if compute[i] > 0 {
				compute[i] -= step
				busy += step * jobs[i].gpus
			}
			if sends[i] {
				transfer[i] -= step
			}
			if compute[i] == 0 && transfer[i] == 0 {
				compute[i], transfer[i] = jobs[i].ComputeS, jobs[i].TransferS
			}
		}
	}
	return (busy - middle.busy) / (now - middle.at) / all, false
}
