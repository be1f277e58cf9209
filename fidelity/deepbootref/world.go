package deepbootref

import (
	"fmt"
	"slices"

	"tarry/sim/speed/polluxsim"
)

// interval is the seconds between two decisions about training.
const interval = 60

// policy decides about training jobs at whole intervals.
type policy interface {
	// decide gives the nodes of each job's GPUs: nil = it is not mentioned.
	decide(w *world, jobs []int) ([][]int, error)
}

// world is a run of the simulator.
type world struct {
	table       *polluxsim.Table
	policy      policy
	afe, aryl   bool
	nodes, gpus int // gpus of a node
	jobs        []*job
	clock, last int
	alloc       [][]int
	wakes       map[float64]bool // seconds at which something is known to happen
	pods        map[string][]*pod
}

// run plays until all jobs have ended.
func (w *world) run() error {
	w.alloc, w.wakes, w.pods = make([][]int, len(w.jobs)), map[float64]bool{}, map[string][]*pod{}
	for _, j := range w.jobs {
		w.wakes[float64(j.submit)] = j.duration > 0 // of several of one second the last counts
	}
	const forever = 1e8
	for slices.ContainsFunc(w.jobs, func(j *job) bool { return j.end < 0 }) {
		if w.clock++; w.clock > forever {
			return fmt.Errorf("it has not ended after %d s", w.clock)
		}
		w.age()
		if !w.event() {
			continue
		}
		if err := w.step(w.clock - w.last); err != nil {
			return fmt.Errorf("at %d s: %w", w.clock, err)
		}
		w.last = w.clock
	}
	return nil
}

// step lets jobs run for the seconds since the last step, then decides.
func (w *world) step(seconds int) error {
	for _, j := range w.jobs {
		if j.end >= 0 && j.end <= float64(w.clock) {
			j.state = finished
		}
		var err error
		switch {
		case len(j.placement) == 0:
			if !w.reuse(j) {
				j.now += seconds
			}
		case j.service:
			w.serve(j, seconds)
		default:
			err = j.train(w.table, seconds)
		}
		if err != nil {
			return err
		}
	}
	var valid []int
	for i, j := range w.jobs {
		if w.valid(j) {
			valid = append(valid, i)
		} else {
			w.alloc[i] = nil
		}
	}
	if len(valid) == 0 {
		return nil
	}
	decide := w.seize
	if w.clock%interval == 0 {
		decide = w.policy.decide
	}
	alloc, err := decide(w, valid)
	if err != nil {
		return err
	}
	w.apply(alloc)
	return nil
}

// valid reports whether a job stands before the schedulers: it is in the system, or its pod lives.
func (w *world) valid(j *job) bool {
	if j.submit <= w.clock && j.end < 0 {
		return true
	}
	return j.service && !j.reuses && w.podOf(j) != nil
}

// apply changes placements.
func (w *world) apply(alloc [][]int) {
	if w.aryl {
		w.clear(alloc)
	}
	for i, a := range alloc {
		j := w.jobs[i]
		if p := w.podOf(j); j.service && p != nil && p.state == sleeping && a != nil && len(a) == 0 {
			w.drop(j)
		}
	}
	for i, j := range w.jobs {
		if slices.Equal(alloc[i], w.alloc[i]) {
			continue
		}
		w.move(j, lengths(alloc[i]))
		if j.ends >= 0 {
			if _, ok := w.wakes[j.ends]; !ok {
				w.wakes[j.ends] = true
			}
		}
	}
	w.alloc = alloc
	for i, j := range w.jobs {
		if j.service && j.end < 0 && len(alloc[i]) > 0 && w.podOf(j) == nil {
			w.pods[j.app] = append(w.pods[j.app], &pod{of: j.id, state: busy, live: shield, end: never})
			j.pod = j.id
		}
	}
}

// lengths are the lengths of runs of equal nodes.
func lengths(nodes []int) (out []int) {
	for i, n := range nodes {
		if i == 0 || n != nodes[i-1] {
			out = append(out, 0)
		}
		out[len(out)-1]++
	}
	return out
}

// move gives a job another placement.
func (w *world) move(j *job, to []int) {
	if !j.service {
		j.moves = append(j.moves, move{w.clock, j.placement, to})
	}
	was := j.placement
	j.placement = to
	switch {
	case len(to) == 0:
		j.local = 0
	case !j.service:
		j.tune()
		j.rescale = j.pause(was, to, w.afe)
		j.restarts++
	case j.began < 0:
		j.rescale = serviceStarts()[j.model]
		j.began = float64(w.clock)
		j.ends = j.began + j.duration + float64(j.rescale)
	}
}

// clear takes the GPUs of training on nodes where services are.
func (w *world) clear(alloc [][]int) {
	taken := make([]bool, w.nodes)
	for i, a := range alloc {
		if w.jobs[i].service && len(a) > 0 {
			taken[a[0]] = true
		}
	}
	for i, a := range alloc {
		if !w.jobs[i].service && a != nil {
			alloc[i] = slices.DeleteFunc(slices.Clone(a), func(n int) bool { return taken[n] })
		}
	}
}
