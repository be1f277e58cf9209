package lucid

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
)

// twin is the scheduler of Lucid's simulator without its profiler, second by second: every second
// it ends jobs, adds the jobs that have come, looks at its forecast if that is due, and goes once
// through the queue. What shares runs at full speed, so that ends are whole seconds.
type twin struct {
	machines, size, memory int
	step                   int
	few, smooth            float64
	free                   []int
	wait, run              []*twinJob
	level, came            float64
	share                  bool
	seen                   map[string]int
}

type twinJob struct {
	id, gpus, submit, duration, memory, score int
	start, end                                int
	on                                        []int // GPUs held of each machine; shared ones are its mate's
	mate                                      *twinJob
}

func (j *twinJob) priority() int { return j.duration * j.gpus }

func (k *twin) simulate(jobs []*twinJob) {
	k.free = slices.Repeat([]int{k.size}, k.machines)
	next, left := 0, len(jobs)
	for now := 0; left > 0; now++ {
		for _, j := range slices.Clone(k.run) {
			if now == j.start+j.duration {
				k.finish(j, now)
				left--
			}
		}
		if now > 0 && now%k.step == 0 {
			k.level += float64(k.smooth * (k.came - k.level))
			k.came = 0
			k.share = 5*k.level > k.few
		}
		for ; next < len(jobs) && jobs[next].submit == now; next++ {
			k.wait = append(k.wait, jobs[next])
			k.came++
		}
		k.pass(now)
	}
}

func (k *twin) finish(j *twinJob, now int) {
	j.end = now
	if m := j.mate; m != nil {
		m.mate, j.mate = nil, nil
	} else {
		for i, n := range j.on {
			k.free[i] += n
		}
	}
	k.run = slices.DeleteFunc(k.run, func(x *twinJob) bool { return x == j })
}

func (k *twin) pass(now int) {
	order := slices.Clone(k.wait)
	slices.SortStableFunc(order, func(a, b *twinJob) int { return cmp.Compare(a.priority(), b.priority()) })
	for _, j := range order {
		if r := k.mate(j); k.share && r != nil {
			j.on, j.mate, r.mate = r.on, r, j
			k.seen["shared"]++
			if slices.ContainsFunc(k.free, func(n int) bool { return n >= j.gpus }) {
				k.seen["shared beside an idle GPU"]++
			}
		} else if on := k.place(j.gpus); on != nil {
			j.on = on
			for i, n := range on {
				k.free[i] -= n
			}
		} else if k.share {
			continue
		} else {
			return
		}
		j.start = now
		k.run = append(k.run, j)
		k.wait = slices.DeleteFunc(k.wait, func(x *twinJob) bool { return x == j })
	}
}

func (k *twin) mate(j *twinJob) *twinJob {
	for _, r := range k.run {
		if j.gpus <= 8 && r.mate == nil && r.gpus == j.gpus && r.memory+j.memory < k.memory && r.score+j.score <= 2 &&
			j.priority() <= 2*r.priority() {
			return r
		}
	}
	return nil
}

func (k *twin) place(gpus int) []int {
	on := make([]int, k.machines)
	if gpus > k.size {
		for i := range on {
			if gpus >= k.size && k.free[i] == k.size {
				on[i] = k.size
				gpus -= k.size
			}
		}
		if gpus >= k.size {
			return nil
		}
	}
	best := -1
	for i, f := range k.free {
		if gpus > 0 && on[i] == 0 && f >= gpus && (best < 0 || f < k.free[best]) {
			best = i
		}
	}
	if gpus > 0 {
		if best < 0 {
			return nil
		}
		on[best] = gpus
	}
	return on
}

// On drawn workloads that crowd three machines the policy starts and ends every job when the twin
// does.
func TestTwin(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 15))
		var jobs []*twinJob
		at := 0
		for i := range 5 + r.IntN(40) {
			at += r.IntN(30)
			jobs = append(jobs, &twinJob{id: i, gpus: []int{1, 1, 2, 4, 4, 6, 8}[r.IntN(7)], submit: at, duration: 1 +
				r.IntN(400), memory: 10 + r.IntN(70), score: r.IntN(3)})
		}
		few := []float64{0, 0.5, 2}[seed%3]
		k := twin{machines: 3, size: 4, memory: 100, step: 50, few: few, smooth: 0.25, seen: seen}
		k.simulate(jobs)
		for i, got := range lives(t, jobs, fmt.Sprintf("profiler=off,scores=usage,busy=0.3/0.6,step_s=50,"+
			"smooth=0.25,few=%v", few)) {
			if want := fmt.Sprintf("%ds to %ds", jobs[i].start, jobs[i].end); got != want {
				t.Fatalf("seed %d, job %d: %s, the twin has %s", seed, i, got, want)
			}
		}
	}
	for what, n := range map[string]int{"shared": 1000, "shared beside an idle GPU": 200} {
		if seen[what] < n {
			t.Errorf("only %d of %q: the cases are too easy", seen[what], what)
		}
	}
}

// lives runs the policy and states from when to when each job ran.
func lives(t *testing.T, in []*twinJob, settings string) (out []string) {
	t.Helper()
	var jobs []sim.Job
	for _, j := range in {
		jobs = append(jobs, sim.Job{ID: fmt.Sprintf("%03d", j.id), GPUs: int32(j.gpus), Submit: sim.Time(j.submit) *
			sim.Second, Work: sim.Time(j.gpus*j.duration) * sim.Second,
			GPUMiB: int32(j.memory), GPUUtilFrac: []float64{0.2, 0.5, 0.9}[j.score]})
	}
	w, err := sim.NewWorkload("twin", jobs)
	if err != nil {
		t.Fatal(err)
	}
	spec := cluster.Uniform(1, 3, 4, 1)
	spec.Racks[0][0].GPUMiB = 100
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: beside{}, Check: true},
		policy(t, settings)())
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Jobs {
		r := e.Record(sim.JobID(i))
		out = append(out, fmt.Sprintf("%v to %v", r.Start, r.End))
	}
	return out
}
