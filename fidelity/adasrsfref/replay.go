package adasrsfref

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// The authors' constants: MB of memory per GPU, and ms of load that a placement books per MB and
// iteration.
const (
	gpuMB   = 32768
	bookMS  = 7.8125
	initial = 1.28 // MB/ms of a transfer until its speed is set, in the same step
	near    = 1e-9 // ms within which ends in continuous time are one instant
	forever = 1e9  // ms after which a replay gives up
)

// link is the time that transfers take: b ms per MB of one alone, eta more for each further one on
// the same node.
type link struct{ b, eta float64 }

// tenGbE is the authors' link.
func tenGbE() link { return link{0.856, 0.235} }

// model is a network of the authors' table.
type model struct {
	sizeMB, forward, backward float64
	memMB                     int
}

// modelOf gives a network by its name.
func modelOf(name string) (model, error) {
	switch name {
	case "vgg16":
		return model{526.4, 36, 54, 4527}, nil
	case "resnet50":
		return model{99.2, 25, 37, 3213}, nil
	case "inception-v3":
		return model{103, 35, 52, 3291}, nil
	case "lstm":
		return model{251.8, 32, 47, 2751}, nil
	}
	return model{}, fmt.Errorf("network %q, expected vgg16, resnet50, inception-v3 or lstm", name)
}

// Job is a job of a replay.
type Job struct {
	// Network is its row of the authors' table.
	Network             string
	Workers, Iterations int
	SubmitMS            float64
}

// Rules are the rules of a replay.
type Rules struct {
	// Kappa is the most workers of a job that takes the least loaded GPUs instead of whole nodes;
	// 0 = first fit.
	Kappa int
	// Most is how many transfers a node carries at most.
	Most int
	// Ada asks AdaDUAL before a second transfer begins beside another; Most is 2 then.
	Ada bool
	// Slip counts the bytes of a running transfer once more whenever a waiting job asks for them.
	Slip bool
	// Steps replays the program's steps of 1 ms and its loops over lists that shrink meanwhile.
	Steps bool
}

// Result is when a job ended after its submission, and node and place there of its GPUs in the
// order of workers.
type Result struct {
	MS   float64
	GPUs [][2]int
}

// job is the state of one.
type job struct {
	Job
	model
	at           int
	work         float64 // ms of compute left, of all workers
	once         float64 // load booked for one transfer
	phase        []int8  // of each worker: 0 forward, 1 backward, 2 done
	ready, iter  int     // workers that are done, iterations that are done
	gpus, nodes  []int
	moving, done bool // a transfer runs; all is done
	sent, speed  float64
	since, ends  float64 // of its transfer: last change, end
	end          float64
}

// gpu is the state of one. resident are its jobs and which of their workers it is.
type gpu struct {
	node, free int
	load, ends float64
	busy       bool
	running    *job
	runs       int
	resident   []*job
	workers    []int
}

// node is the state of one; carried is the count of transfers by which speeds are set.
type node struct {
	load    float64
	moving  []*job
	carried int
	lo, hi  int
}

// replay is one run.
type replay struct {
	Rules
	link
	now     float64
	jobs    []*job
	gpus    []gpu
	nodes   []node
	order   []int // of nodes, kept between placements
	queue   []*job
	running []*job
	arrived int
	left    int
}

// Replay runs jobs, in the order of their numbers, on nodes with gpus each.
func Replay(jobs []Job, nodes, gpus int, rules Rules) ([]Result, error) {
	return replayOver(tenGbE(), jobs, nodes, gpus, rules)
}

// replayOver replays over other links.
func replayOver(by link, jobs []Job, nodes, gpus int, rules Rules) ([]Result, error) {
	r := replay{Rules: rules, link: by, gpus: make([]gpu, nodes*gpus), nodes: make([]node, nodes), left: len(jobs)}
	for n := range r.nodes {
		r.nodes[n].lo, r.nodes[n].hi = n*gpus, (n+1)*gpus
		r.order = append(r.order, n)
	}
	for g := range r.gpus {
		r.gpus[g].node, r.gpus[g].free = g/gpus, gpuMB
	}
	for i, j := range jobs {
		m, err := modelOf(j.Network)
		switch {
		case err != nil:
			return nil, fmt.Errorf("job %d: %w", i, err)
		case j.Workers < 1 || j.Workers > len(r.gpus):
			return nil, fmt.Errorf("job %d: %d workers, expected 1 to %d", i, j.Workers, len(r.gpus))
		case j.Iterations < 1 || !(j.SubmitMS >= 0 && j.SubmitMS < forever):
			return nil, fmt.Errorf("job %d: %d iterations from %v ms on, expected a job", i, j.Iterations, j.SubmitMS)
		}
		r.jobs = append(r.jobs, &job{Job: j, model: m, at: i, phase: make([]int8, j.Workers),
			work: (m.forward + m.backward) * float64(j.Iterations*j.Workers)})
	}
	arrivals := slices.Clone(r.jobs)
	slices.SortStableFunc(arrivals, func(a, b *job) int { return cmp.Compare(a.SubmitMS, b.SubmitMS) })
	if err := r.run(arrivals); err != nil {
		return nil, err
	}
	var out []Result
	for _, j := range r.jobs {
		x := Result{MS: j.end - j.SubmitMS}
		for _, g := range j.gpus {
			x.GPUs = append(x.GPUs, [2]int{g / gpus, g % gpus})
		}
		out = append(out, x)
	}
	return out, nil
}

// run plays one instant after the other.
func (r *replay) run(arrivals []*job) error {
	for {
		r.ended()
		if !r.Steps {
			r.alone()
		}
		if r.release(); r.left == 0 {
			return nil
		}
		for ; r.arrived < len(arrivals) && arrivals[r.arrived].SubmitMS <= r.now; r.arrived++ {
			r.queue = append(r.queue, arrivals[r.arrived])
		}
		r.place()
		if r.Steps {
			r.alone()
		}
		r.transfer()
		r.compute()
		if r.Steps {
			r.now++
		} else {
			r.now = r.next(arrivals)
		}
		if !(r.now < forever) {
			return fmt.Errorf("%d jobs never end", r.left)
		}
	}
}

// next is the next instant at which something happens.
func (r *replay) next(arrivals []*job) float64 {
	at := math.Inf(1)
	if r.arrived < len(arrivals) {
		at = arrivals[r.arrived].SubmitMS
	}
	for g := range r.gpus {
		if r.gpus[g].busy {
			at = min(at, r.gpus[g].ends)
		}
	}
	for _, j := range r.running {
		if j.moving {
			at = min(at, j.ends)
		}
	}
	return at
}

// over reports whether an end has come.
func (r *replay) over(end float64) bool { return end <= r.now || !r.Steps && end <= r.now+near }

// ended ends tasks and transfers, node by node.
func (r *replay) ended() {
	for _, i := range r.order {
		n := &r.nodes[i]
		for g := n.lo; g < n.hi; g++ {
			if x := &r.gpus[g]; x.busy && r.over(x.ends) {
				x.busy = false
				x.running.step(x, x.runs)
			}
		}
		for _, j := range n.moving {
			if j.moving && r.over(j.ends) {
				r.sync(j)
			}
		}
		n.moving = slices.DeleteFunc(n.moving, func(j *job) bool { return !j.moving })
	}
}

// step ends a task of a worker.
func (j *job) step(x *gpu, worker int) {
	took := j.forward
	if j.phase[worker] == 1 {
		took = j.backward
		j.ready++
	}
	j.phase[worker]++
	x.load -= took
	j.work -= took
}

// sync ends an iteration.
func (r *replay) sync(j *job) {
	j.moving, j.ready = false, 0
	clear(j.phase)
	for _, g := range j.gpus {
		r.gpus[g].load -= j.once
	}
	if j.iter++; j.iter == j.Iterations {
		j.done, j.end = true, r.now
	}
}

// alone ends iterations of jobs on one node, which transfer nothing.
func (r *replay) alone() {
	for _, j := range r.running {
		if !j.done && j.ready == j.Workers && len(j.nodes) == 1 {
			r.sync(j)
		}
	}
}

// release gives back the memory of jobs that are done. The program's loop passes over the job behind
// each of these until its next step.
func (r *replay) release() {
	for i := 0; i < len(r.running); i++ {
		j := r.running[i]
		if !j.done {
			continue
		}
		for _, g := range j.gpus {
			r.gpus[g].free += j.memMB
		}
		r.running = slices.Delete(r.running, i, i+1)
		if r.left--; !r.Steps {
			i--
		}
	}
}

// compute gives each idle GPU the ready worker of the job with least compute left.
func (r *replay) compute() {
	for g := range r.gpus {
		x := &r.gpus[g]
		if x.busy {
			continue
		}
		best := -1
		for i, j := range x.resident {
			if !j.done && j.phase[x.workers[i]] < 2 && (best < 0 || j.work < x.resident[best].work) {
				best = i
			}
		}
		if best < 0 {
			continue
		}
		j := x.resident[best]
		x.busy, x.running, x.runs, x.ends = true, j, x.workers[best], r.now+j.forward
		if j.phase[x.runs] == 1 {
			x.ends = r.now + j.backward
		}
	}
}
