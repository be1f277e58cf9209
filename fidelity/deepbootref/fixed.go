package deepbootref

import (
	"errors"
	"slices"
)

// left is the iterations from the end of the present epoch to the end of the last, 1 in the last.
func (j *job) left() float64 {
	last := j.profile.Epochs() - 1
	if last <= j.epoch {
		return 1
	}
	return j.profile.Iterations(j.batch, last) - j.profile.Iterations(j.batch, j.epoch)
}

// stepOf is the seconds of an update of a job's own batch on GPUs, node by node.
func (w *world) stepOf(j *job, gpus int) (float64, error) {
	var ring []int
	for n := gpus; n > 0; n -= 4 {
		ring = append(ring, min(n, 4))
	}
	local, accum := j.limits.SplitTwice(j.batch, gpus)
	step, sync, err := w.table.Lookup(j.model, ring, local)
	return step + float64((step-sync)*float64(accum)), err
}

// most is the first node with most free GPUs.
func most(free []int) int { return slices.Index(free, slices.Max(free)) }

// fill gives a job GPUs from the nodes with most free ones until it has need.
func fill(list, free []int, need int) ([]int, error) {
	for len(list) < need {
		n := most(free)
		take := min(free[n], need-len(list))
		if take <= 0 {
			return nil, errors.New("no GPU is free that a job was promised")
		}
		list = append(list, slices.Repeat([]int{n}, take)...)
		free[n] -= take
	}
	return list, nil
}

// tiresias has two queues by the GPU time of requests.
type tiresias struct {
	queues   [2][]int
	runs     map[int]bool
	seen     map[int]int // second of the last look
	executed map[int]int
	met      map[int]bool
}

// demoted is the GPU-seconds at which a job goes to the second queue.
const demoted = 3600 * 16

func (t *tiresias) decide(w *world, jobs []int) ([][]int, error) {
	train, tasks, asleep := w.split(jobs)
	out := make([][]int, len(w.jobs))
	for _, i := range append(slices.Clone(train), tasks...) {
		out[i] = w.alloc[i]
	}
	t.look(w, train)
	room := w.nodes*w.gpus - len(tasks)
	for _, q := range t.queues {
		for _, i := range q {
			if t.runs[i] = w.jobs[i].target <= room; t.runs[i] {
				room -= w.jobs[i].target
			} else {
				out[i] = nil
			}
		}
	}
	free := w.free(out, jobs...)
	for _, q := range t.queues {
		for _, i := range q {
			if !t.runs[i] || len(out[i]) > 0 {
				continue
			}
			var err error
			if out[i], err = fill(nil, free, w.jobs[i].target); err != nil {
				return nil, err
			}
		}
	}
	w.keepAsleep(out, asleep, free)
	return out, nil
}

// look brings the queues up to date.
func (t *tiresias) look(w *world, train []int) {
	for q := range t.queues {
		t.queues[q] = slices.DeleteFunc(t.queues[q], func(i int) bool { return !slices.Contains(train, i) })
	}
	for _, i := range train {
		if !t.met[i] {
			t.met[i] = true
			t.queues[0] = append(t.queues[0], i)
		}
	}
	for _, i := range train {
		passed := w.clock - t.seen[i]
		t.seen[i] = w.clock
		if !t.runs[i] {
			continue
		}
		t.executed[i] += passed
		if at := slices.Index(t.queues[0], i); at >= 0 && t.executed[i]*w.jobs[i].target >= demoted {
			t.queues[0] = slices.Delete(t.queues[0], at, at+1)
			t.queues[1] = append(t.queues[1], i)
		}
	}
}

// optimus gives GPUs one by one to the job whose remaining time falls most.
type optimus struct{}

func (optimus) decide(w *world, jobs []int) ([][]int, error) {
	train, tasks, asleep := w.split(jobs)
	if len(train) == 0 {
		return slices.Clone(w.alloc), nil
	}
	counts, err := w.gains(train, w.nodes*w.gpus-len(tasks))
	if err != nil {
		return nil, err
	}
	for _, i := range tasks {
		counts[i] = 1
	}
	out := make([][]int, len(w.jobs))
	for _, i := range append(slices.Clone(train), tasks...) {
		if w.alloc[i] != nil && len(w.alloc[i]) == counts[i] {
			out[i] = w.alloc[i]
		}
	}
	for _, i := range tasks {
		if out[i] == nil {
			if out[i], err = fill(nil, w.free(out, jobs...), 1); err != nil {
				return nil, err
			}
		}
	}
	free := w.free(out, jobs...)
	order := slices.Clone(train)
	slices.SortStableFunc(order, func(a, b int) int { return counts[a] - counts[b] })
	for _, i := range order {
		if counts[i] > 0 && len(out[i]) == 0 {
			if out[i], err = fill(nil, free, counts[i]); err != nil {
				return nil, err
			}
		}
	}
	w.evict(out, train, tasks, free)
	w.keepAsleep(out, asleep, free)
	return out, nil
}

// evict takes the GPUs of training on nodes of the second half where services were.
func (w *world) evict(out [][]int, train, tasks, free []int) {
	taken := make([]bool, w.nodes)
	for _, i := range tasks {
		for _, n := range w.alloc[i] {
			taken[n] = taken[n] || n >= w.nodes/2
		}
	}
	for _, i := range train {
		if out[i] == nil {
			continue
		}
		rest := []int{}
		for _, n := range out[i] {
			if taken[n] {
				free[n]++
			} else {
				rest = append(rest, n)
			}
		}
		out[i] = rest
	}
}

// gains hands out GPUs by the time that one more saves.
func (w *world) gains(train []int, room int) (counts []int, err error) {
	counts = make([]int, len(w.jobs))
	saves := make([]float64, len(w.jobs))
	gain := func(i int) {
		j := w.jobs[i]
		limit := j.batch / j.limits.MinLocal
		if j.model == "ncf" {
			limit = 1
		}
		if saves[i] = 0; counts[i]+1 > limit || room < 1 || err != nil {
			return
		}
		var now, more float64
		if now, err = w.stepOf(j, counts[i]); err == nil {
			more, err = w.stepOf(j, counts[i]+1)
		}
		saves[i] = (now - more) * j.left()
	}
	for _, i := range train {
		if room >= 1 {
			counts[i] = 1
			room--
			gain(i)
		}
	}
	for room > 0 && err == nil {
		best := train[0]
		for _, i := range train {
			if saves[i] > saves[best] {
				best = i
			}
		}
		if !(saves[best] > 0) {
			break
		}
		counts[best]++
		gain(best)
		room--
	}
	return counts, err
}
