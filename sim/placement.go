package sim

import (
	"slices"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// Placement is an allocation about which a policy asks: what a job would run at there. With GPUs
// alone it is the plain question: the job on these GPUs, with the knobs that it has, beside the
// jobs that are there now.
type Placement struct {
	// GPUs are the allocation, ascending.
	GPUs []cluster.GPU
	// Knobs are set as by a Decision: a zero field is as the job has it now, or would start with.
	Knobs Knobs
	// Fresh asks as of a Start at this instant: a zero field of Knobs is the job's own, whatever it
	// has now.
	Fresh bool
	// Alone leaves the other jobs on these GPUs out, whatever runs there now.
	Alone bool
	// Idle leaves all other jobs of the cluster out, those on shared links too. It includes Fresh
	// and Alone. The answer stays the same during a run, unless the model is progressive. Where the
	// network has several paths and Knobs.Path is empty, speed.Contended draws the same paths for all
	// jobs, whose slowest link may be another than on the job's own.
	Idle bool
	// Mate is one job that holds GPUs beside the jobs that are left; none where its GPUs are empty.
	// A zero field of its Knobs is the mate's own; its Job is not read. Where the mate joins jobs
	// that are there (not Alone) the asking job must run, and keeps at most the share that the mate
	// leaves; a mate without a share takes an equal part of each GPU, as plan.Join gives it.
	Mate Peer
}

// Predict is the speed that the job would have on a placement, beside the jobs that run now, as if
// none moved. Jobs that hold its GPUs count as they would once it has started. Whether jobs on its
// links do is the speed model's: speed.Contended gives a job that does not run its links to itself,
// which is more than it has once started beside others, and one that runs the share that it has now,
// wherever it is asked about. View.Links has the jobs on each link. It needs know.Speed, else it
// gives the zero Speed; so it does when the model has no answer.
func (v *View) Predict(j JobID, p Placement) Speed {
	if v.knows&know.Speed == 0 {
		return Speed{}
	}
	q := v.ask(j, &p)
	if q == nil {
		return Speed{}
	}
	s, err := v.e.answer(q)
	if err != nil {
		return Speed{}
	}
	return s
}

// TelemetryAt is what a job would measure of itself on a placement, as far as it is. It needs
// know.Progress and know.Speed, else ok is false; so it is where the model has no answer.
func (v *View) TelemetryAt(j JobID, p Placement) (t Telemetry, ok bool) {
	if v.knows&know.Progress == 0 || v.knows&know.Speed == 0 {
		return Telemetry{}, false
	}
	q := v.ask(j, &p)
	if q == nil {
		return Telemetry{}, false
	}
	return v.measure(q)
}

// ask is the query of a placement; nil where a mate is to join a job that does not run.
func (v *View) ask(j JobID, p *Placement) *Query {
	e := v.e
	r := e.of(j)
	runs := r.state == Running
	fresh, alone, mate := p.Fresh || p.Idle, p.Alone || p.Idle, len(p.Mate.GPUs) > 0
	if mate && !alone && !runs {
		return nil
	}
	q := e.query(j, r, p.GPUs)
	if fresh || !runs {
		q.Knobs = e.job(j).knobs()
	}
	if fresh {
		q.Now = e.now
	}
	q.Knobs = q.With(&p.Knobs)
	switch {
	case alone:
		q.Peers = nil
	case q.ShareMilli < 1000 && q.Peers == nil:
		q.Peers = e.beside(j, p.GPUs)
	}
	if p.Idle && e.coupled != nil {
		q.ID = NoJob // no model counts links as shared for it
	}
	if mate {
		v.join(q, &p.Mate, alone)
	}
	return q
}

// join adds a mate to the peers of a query. Where it joins others their shares make room.
func (v *View) join(q *Query, mate *Peer, alone bool) {
	e, set := v.e, mate.Knobs
	if e.peers = e.peers[:0]; !alone {
		if set.ShareMilli == 0 {
			set.ShareMilli = 1000 / v.most(mate.GPUs, mate.GPUs, mate.ID)
			q.ShareMilli = min(q.ShareMilli, 1000/v.most(q.GPUs, mate.GPUs, mate.ID))
		} else {
			q.ShareMilli = min(q.ShareMilli, max(1, 1000-set.ShareMilli))
		}
		e.peers = slices.DeleteFunc(e.beside(q.ID, q.GPUs), func(p Peer) bool { return p.ID == mate.ID })
	}
	at, _ := slices.BinarySearchFunc(e.peers, mate.ID, func(p Peer, id JobID) int { return int(p.ID - id) })
	job := e.job(mate.ID)
	e.peers = slices.Insert(e.peers, at, Peer{Job: job, ID: mate.ID, GPUs: mate.GPUs, Knobs: job.knobs().With(&set)})
	q.Peers = e.peers
}

// most is the largest number of jobs on one of these GPUs, once mate also holds the GPUs of with.
func (v *View) most(gpus, with []cluster.GPU, mate JobID) int32 {
	n := 1
	for _, g := range gpus {
		here := v.Sharers(g)
		if _, joins := slices.BinarySearch(with, g); joins && !slices.Contains(v.e.of(mate).gpus, g) {
			here++
		}
		n = max(n, here)
	}
	return int32(n)
}

// query fills in what a speed model may look at. There is one Query, valid until the next call.
func (e *Engine) query(id JobID, r *run, gpus []cluster.GPU) *Query {
	q := &e.question
	q.Job, q.ID, q.GPUs, q.Knobs, q.Peers = e.asked(id), id, gpus, e.knobs(r), nil
	q.Done, q.Now = e.done(id, r, e.leftNow(r)), max(e.now, r.settled)
	if e.mates.many > 0 || r.share < 1000 {
		q.Peers = e.beside(id, gpus)
	}
	return q
}

// beside gives the peers of a job on GPUs.
func (e *Engine) beside(id JobID, gpus []cluster.GPU) []Peer {
	e.sharing = e.neighbours(e.sharing[:0], id, gpus)
	e.peers = e.peers[:0]
	for _, x := range e.sharing {
		r := e.of(x)
		e.peers = append(e.peers, Peer{Job: e.asked(x), ID: x, GPUs: r.gpus, Knobs: e.knobs(r)})
	}
	return e.peers
}

func (e *Engine) neighbours(dst []JobID, id JobID, gpus []cluster.GPU) []JobID {
	for _, g := range gpus {
		n := e.mates.of(int(g))
		if x := e.owner[g]; n == 0 && x != NoJob && x != id && !slices.Contains(dst, x) { // id may be about to join
			dst = append(dst, x)
		}
		for ; n != 0; n = e.mates.nodes[n-1].next {
			if x := e.mates.nodes[n-1].job; x != id && !slices.Contains(dst, x) {
				dst = append(dst, x)
			}
		}
	}
	slices.Sort(dst)
	return dst
}
