package deepbootref

import (
	"cmp"
	"math"
	"slices"

	"tarry/baselines/deepboot/ats"
)

// split lists the training jobs, the tasks with a GPU of their own to come or held, and the tasks whose pods
// sleep and hold a GPU, of jobs in an order.
func (w *world) split(jobs []int) (train, tasks, asleep []int) {
	for _, i := range jobs {
		j := w.jobs[i]
		p := w.podOf(j)
		switch sleeps := j.service && p != nil && p.state == sleeping; {
		case !j.service:
			train = append(train, i)
		case !sleeps:
			tasks = append(tasks, i)
		case w.alloc[i] != nil:
			asleep = append(asleep, i)
		}
	}
	return train, tasks, asleep
}

// free counts the GPUs of each node that no list has.
func (w *world) free(alloc [][]int, jobs ...int) []int {
	free := make([]int, w.nodes)
	for n := range free {
		free[n] = w.gpus
	}
	for _, i := range jobs {
		for _, n := range alloc[i] {
			free[n]--
		}
	}
	return free
}

// byService orders jobs by the GPU time that they have had, then by submit.
func (w *world) byService(jobs []int) []int {
	out := slices.Clone(jobs)
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := w.jobs[a], w.jobs[b]
		return cmp.Or(cmp.Compare(x.attained, y.attained), cmp.Compare(x.submit, y.submit))
	})
	return out
}

// knapsack shares GPUs among training jobs by a group knapsack over values; which is what the two policies
// differ in.
func (w *world) knapsack(train, tasks, asleep []int, values [][]float64) [][]int {
	out := make([][]int, len(w.jobs))
	for _, i := range tasks {
		out[i] = w.alloc[i]
	}
	room := total(w.free(out, tasks...))
	var k ats.Knapsack
	counts := k.Counts(values, room)
	order := make([]int, len(train))
	for at, i := range train {
		if order[at] = at; w.alloc[i] != nil && len(w.alloc[i]) == counts[at] {
			out[i] = w.alloc[i]
		}
	}
	free := w.free(out, append(slices.Clone(tasks), train...)...)
	slices.SortStableFunc(order, func(a, b int) int { return counts[a] - counts[b] })
	for _, at := range order {
		i := train[at]
		for len(out[i]) < counts[at] {
			need := counts[at] - len(out[i])
			n := ats.Node(free, need)
			take := min(free[n], need)
			out[i] = append(out[i], slices.Repeat([]int{n}, take)...)
			free[n] -= take
		}
	}
	w.keepAsleep(out, asleep, free)
	return out
}

// keepAsleep leaves sleeping pods GPUs that are free.
func (w *world) keepAsleep(out [][]int, asleep, free []int) {
	for _, i := range asleep {
		if a := w.alloc[i]; len(a) > 0 && free[a[0]] > 0 {
			out[i] = a[:1]
			free[a[0]]--
		}
	}
}

// deepBoot is ATS: values are speedups over the fair share.
type deepBoot struct{}

// restart is the seconds that a restart is taken to cost.
const restart = 10

func (deepBoot) decide(w *world, jobs []int) ([][]int, error) {
	train, tasks, asleep := w.split(w.byService(jobs))
	if len(train) == 0 {
		return slices.Clone(w.alloc), nil
	}
	share := 1 / float64(total(w.free(w.alloc, tasks...)))
	fair := math.Ceil(1 / share / float64(len(train)))
	fairNodes := math.Ceil(float64(w.nodes) * share)
	values := make([][]float64, len(train))
	for at, i := range train {
		j := w.jobs[i]
		most := min(max(2*j.most(), 1), 64, j.limits.Max/j.limits.MinLocal)
		if j.model == "ncf" {
			most = 1
		}
		age := float64(w.clock - j.submit)
		factor := max(age-float64(max(j.restarts, 0)*restart), 0) / (age + restart)
		base := j.baseline(int(fairNodes), int(max(fair, fairNodes)))
		for n := 1; n <= most; n++ {
			v := j.speedup((n+w.gpus-1)/w.gpus, n, base, fair)
			if w.alloc[i] == nil || n != len(w.alloc[i]) {
				v *= factor
			}
			values[at] = append(values[at], v)
		}
	}
	return w.knapsack(train, tasks, asleep, values), nil
}

// aryl is their rendering of Lyra: values are seconds saved.
type aryl struct{}

func (aryl) decide(w *world, jobs []int) ([][]int, error) {
	sorted := slices.Clone(jobs)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(w.jobs[a].submit, w.jobs[b].submit) })
	train, tasks, asleep := w.split(sorted)
	if len(train) == 0 {
		return slices.Clone(w.alloc), nil
	}
	left := make([]float64, len(w.jobs))
	for _, i := range train {
		step, err := w.stepOf(w.jobs[i], 1)
		if err != nil {
			return nil, err
		}
		left[i] = step * w.jobs[i].left()
	}
	slices.SortStableFunc(train, func(a, b int) int { return cmp.Compare(left[a], left[b]) })
	values := make([][]float64, len(train))
	for at, i := range train {
		most := w.jobs[i].target
		if w.jobs[i].model == "ncf" {
			most = 1
		}
		if most == 1 {
			values[at] = []float64{left[i]}
			continue
		}
		for n := 1; n <= most; n++ {
			values[at] = append(values[at], left[i]*float64(n)/float64(n+1))
		}
	}
	return w.knapsack(train, tasks, asleep, values), nil
}
