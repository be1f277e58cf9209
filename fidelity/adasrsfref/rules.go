package adasrsfref

import (
	"cmp"
	"slices"
)

// place starts every queued job that fits, by ascending compute of all workers. The program's loop
// passes over the job behind each that it starts until its next step.
func (r *replay) place() {
	slices.SortStableFunc(r.queue, func(a, b *job) int { return cmp.Compare(a.work, b.work) })
	for i := 0; i < len(r.queue); i++ {
		j := r.queue[i]
		gpus := r.pick(j)
		if gpus == nil {
			continue
		}
		r.start(j, gpus)
		if r.queue = slices.Delete(r.queue, i, i+1); !r.Steps {
			i--
		}
	}
}

// pick chooses the GPUs of a job; nil = it does not fit.
func (r *replay) pick(j *job) []int {
	order := r.order
	if j.Workers <= r.Kappa || r.Kappa == 0 {
		order = order[:0:0]
		for n := range r.nodes {
			order = append(order, n)
		}
	} else {
		r.rank()
	}
	byLoad := func(a, b int) int { return cmp.Compare(r.gpus[a].load, r.gpus[b].load) }
	var room []int
	for _, i := range order {
		from := len(room)
		for g := r.nodes[i].lo; g < r.nodes[i].hi; g++ {
			if r.gpus[g].free >= j.memMB {
				room = append(room, g)
			}
		}
		if r.Kappa > 0 {
			slices.SortStableFunc(room[from:], byLoad)
		}
	}
	if len(room) < j.Workers {
		return nil
	}
	if j.Workers <= r.Kappa {
		slices.SortStableFunc(room, byLoad)
	}
	return room[:j.Workers]
}

// rank orders the nodes by the mean load of their GPUs, equals as they were.
func (r *replay) rank() {
	for i := range r.nodes {
		n := &r.nodes[i]
		n.load = 0
		for g := n.lo; g < n.hi; g++ {
			n.load += r.gpus[g].load
		}
		n.load /= float64(n.hi - n.lo)
	}
	slices.SortStableFunc(r.order, func(a, b int) int { return cmp.Compare(r.nodes[a].load, r.nodes[b].load) })
}

// start puts a job on GPUs.
func (r *replay) start(j *job, gpus []int) {
	j.gpus = gpus
	for _, g := range gpus {
		if n := r.gpus[g].node; !slices.Contains(j.nodes, n) {
			j.nodes = append(j.nodes, n)
		}
	}
	if len(j.nodes) > 1 {
		j.once = j.sizeMB * bookMS
	}
	book := (j.forward+j.backward)*float64(j.Iterations) + float64(j.once*float64(j.Iterations))
	for w, g := range gpus {
		x := &r.gpus[g]
		x.load += book
		x.free -= j.memMB
		x.resident, x.workers = append(x.resident, j), append(x.workers, w)
	}
	r.running = append(r.running, j)
}

// transfer begins the transfers that may begin, by least compute left, and sets the speeds of all.
func (r *replay) transfer() {
	var ready []*job
	for _, j := range r.running {
		if !j.done && !j.moving && j.ready == j.Workers && len(j.nodes) > 1 {
			ready = append(ready, j)
		}
	}
	slices.SortStableFunc(ready, func(a, b *job) int { return cmp.Compare(a.work, b.work) })
	for _, j := range ready {
		if !r.admits(j) {
			continue
		}
		j.moving, j.sent, j.speed, j.since = true, 0, initial, r.now
		for _, n := range j.nodes {
			r.nodes[n].moving = append(r.nodes[n].moving, j)
		}
	}
	for i := range r.nodes {
		r.nodes[i].carried = len(r.nodes[i].moving)
	}
	for _, j := range r.running {
		if !j.moving {
			continue
		}
		k := 0
		for _, n := range j.nodes {
			k = max(k, r.nodes[n].carried)
		}
		j.sent += float64((r.now - j.since) * j.speed)
		j.speed = 1 / (float64(float64(k-1)*r.eta) + float64(r.b*float64(k)))
		j.ends, j.since = r.now+(j.sizeMB-j.sent)/j.speed, r.now
	}
}

// admits reports whether a transfer may begin.
func (r *replay) admits(j *job) bool {
	beside, most := r.beside(j)
	if !r.Ada {
		return most < r.Most
	}
	if most > 1 {
		return false
	}
	for _, old := range beside {
		sent := old.sent + float64((r.now-old.since)*old.speed)
		if r.Slip {
			old.sent = sent
		}
		if !dual(old.sizeMB-sent, j.sizeMB, threshold(r.b, r.eta)) {
			return false
		}
	}
	return true
}

// beside gives the transfers that a new one would meet, and the most of a node. The program passes
// over a node that has no more of them than those before it.
func (r *replay) beside(j *job) (met []*job, most int) {
	for _, n := range j.nodes {
		moving := r.nodes[n].moving
		if r.Steps && len(moving) <= most {
			continue
		}
		most = max(most, len(moving))
		for _, old := range moving {
			if !slices.Contains(met, old) {
				met = append(met, old)
			}
		}
	}
	return met, most
}
