package lyraref

import (
	"fmt"
	"math"
	"slices"

	"tarry/baselines/lyra/extra"
	"tarry/fidelity/reference"
)

// within is by how much seconds may differ, relative.
const within = 1e-9

// instance is jobs that run, and free GPUs for extra workers.
type instance struct {
	Free int `json:"free_gpus"`
	Jobs []struct {
		Per   int `json:"gpus_per_worker"`
		Least int `json:"wmin"`
		Most  int `json:"wmax"`
		Work  float64
		Kind  string
		Beta  float64
	}
	Optimum, Greedy struct {
		Saved *float64 `json:"saved_s"`
		GPUs  *int
		Extra []int `json:"extra_workers"`
	}
}

func compareExtra(c *reference.Case) {
	x, ok := reference.Decode[instance](c)
	if !ok {
		return
	}
	jobs, err := x.jobs()
	if err != nil {
		c.Errorf("%v", err)
		return
	}
	var e extra.Chooser
	saved, gpus := e.Choose(x.Free, jobs, false)
	c.Near("the seconds saved", saved, *x.Optimum.Saved, within)
	if gpus != *x.Optimum.GPUs {
		c.Errorf("%d GPUs, there %d", gpus, *x.Optimum.GPUs)
	}
	x.sums(c, "the choice here", jobs, x.workers(jobs))
	x.sums(c, "the optimum there", jobs, x.Optimum.Extra)
	x.all(c, jobs)
	saved, _ = e.Choose(x.Free, jobs, true)
	c.Near("the seconds that workers one by one save", saved, *x.Greedy.Saved, within)
	if got := x.workers(jobs); !slices.Equal(got, x.Greedy.Extra) {
		c.Errorf("one by one jobs get %v workers, there %v", got, x.Greedy.Extra)
	}
}

// jobs gives the jobs as the policy has them.
func (x *instance) jobs() (jobs []extra.Job, err error) {
	if x.Optimum.Saved == nil || x.Optimum.GPUs == nil || x.Greedy.Saved == nil || len(x.Optimum.Extra) != len(x.Jobs) {
		return nil, fmt.Errorf("the answers lack saved_s, gpus or extra_workers")
	}
	for i, j := range x.Jobs {
		if j.Per < 1 || j.Least < 1 || j.Most < j.Least || j.Per*j.Most > 1e6 {
			return nil, fmt.Errorf("job %d has %d to %d workers of %d GPUs", i, j.Least, j.Most, j.Per)
		}
		e := extra.Job{Left: j.Work, Base: j.Least * j.Per, Most: j.Most * j.Per, Unit: j.Per,
			Speed: make([]float64, j.Most*j.Per+1)}
		for w := 1; w <= j.Most; w++ {
			switch n := float64(w); j.Kind {
			case "linear":
				e.Speed[w*j.Per] = n
			case "amdahl":
				e.Speed[w*j.Per] = n / (1 + float64(j.Beta*(n-1)))
			default:
				return nil, fmt.Errorf("job %d is %q, expected linear or amdahl", i, j.Kind)
			}
		}
		jobs = append(jobs, e)
	}
	return jobs, nil
}

// workers is what jobs have been given.
func (x *instance) workers(jobs []extra.Job) (out []int) {
	for i := range jobs {
		out = append(out, jobs[i].Extra/jobs[i].Unit)
	}
	return out
}

// saves is the seconds that extra workers save, and their GPUs.
func saves(jobs []extra.Job, workers []int) (saved float64, gpus int) {
	for i, k := range workers {
		j := &jobs[i]
		saved += j.Left/j.Speed[j.Base] - j.Left/j.Speed[j.Base+k*j.Unit]
		gpus += k * j.Unit
	}
	return saved, gpus
}

// sums compares what a choice saves and uses with the optimum.
func (x *instance) sums(c *reference.Case, what string, jobs []extra.Job, workers []int) {
	for i, k := range workers {
		if k < 0 || jobs[i].Base+k*jobs[i].Unit > jobs[i].Most {
			c.Errorf("%s has %d workers for job %d", what, k, i)
			return
		}
	}
	saved, gpus := saves(jobs, workers)
	if off := math.Abs(saved - *x.Optimum.Saved); off > within*max(1, saved) || gpus != *x.Optimum.GPUs || gpus > x.Free {
		c.Errorf("%s saves %v s with %d of %d GPUs, the answer is %v with %d", what, saved, gpus, x.Free,
			*x.Optimum.Saved, *x.Optimum.GPUs)
	}
}

// all compares the optimum with the best of all choices.
func (x *instance) all(c *reference.Case, jobs []extra.Job) {
	most, fewest := 0.0, 0
	workers := make([]int, len(jobs))
	for again := true; again; again = following(jobs, workers) {
		saved, gpus := saves(jobs, workers)
		if gpus > x.Free {
			continue
		}
		if near := within * max(1, most); saved > most+near || saved > most-near && gpus < fewest {
			most, fewest = saved, gpus
		}
	}
	c.Near("the seconds that the best of all choices saves", most, *x.Optimum.Saved, within)
	if fewest != *x.Optimum.GPUs {
		c.Errorf("the best of all choices has %d GPUs, there %d", fewest, *x.Optimum.GPUs)
	}
}

// following takes the next of all choices; false after the last.
func following(jobs []extra.Job, workers []int) bool {
	for i := range jobs {
		if workers[i]++; jobs[i].Base+workers[i]*jobs[i].Unit <= jobs[i].Most {
			return true
		}
		workers[i] = 0
	}
	return false
}
