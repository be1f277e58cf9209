package contest

import (
	"math"
	"slices"

	"tarry/sim"
)

// runners are the running jobs by their key, the last in order first, with the index of the
// contestants. They are kept from the first search for a victim on, for a Ranker whose keys
// hold for a while: a search then asks only for the keys that are due, and looks only at jobs that
// come after the blocked one.
type runners struct {
	Class       // Entry.Key is minus the key of the order
	known  bool // it has the running jobs
	minRun sim.Time
}

// forget has the index made anew when it is needed.
func (r *runners) forget() { r.known = false }

// has reports whether a job is in the index.
func (r *runners) has(j sim.JobID) bool {
	i := int(r.pos[j])
	return i < r.n && r.list[i].Job == j
}

// starts notes that a job gets GPUs at this instant, or keeps its own.
func (r *runners) starts(v *sim.View, j sim.JobID) {
	switch {
	case !r.known:
	case r.has(j):
		i := int(r.pos[j])
		r.list[i].until = v.Now() + 1
		r.holds(i, v.Now()+1)
	default:
		r.push(Entry{Job: j, Turn: int32(j), Key: math.Inf(1), until: spared(v.Now(), max(1, r.minRun))})
	}
}

// ends notes that a job loses its GPUs.
func (r *runners) ends(j sim.JobID) {
	if r.known && r.has(j) {
		r.Remove(j)
	}
}

// spared is when a job that got its GPUs at an instant may be evicted.
func spared(since, minRun sim.Time) sim.Time {
	if minRun >= sim.Never-since {
		return sim.Never
	}
	return since + minRun
}

// refresh brings the index up to the instant.
func (r *runners) refresh(p *Policy, v *sim.View) {
	if !r.known || r.minRun != p.evicts.minRun || r.Live+len(p.victims) != len(v.Running()) {
		r.collect(p, v)
		return
	}
	if !r.stale {
		r.below(p, v, 1)
		return
	}
	for i := range r.list[:r.n] {
		if r.list[i].Job != sim.NoJob {
			r.renew(p, v, &r.list[i])
		}
	}
	r.stale = false
	r.build()
	r.buildSoon()
}

// below renews the keys that are due below a node of the trees, and the node.
func (r *runners) below(p *Policy, v *sim.View, node int) {
	if r.soon[node] > v.Now() {
		return
	}
	if size := len(r.list); node >= size {
		r.renew(p, v, &r.list[node-size])
		r.soon[node] = r.list[node-size].until
		return
	}
	r.below(p, v, 2*node)
	r.below(p, v, 2*node+1)
	r.soon[node] = min(r.soon[2*node], r.soon[2*node+1])
	r.tree[node] = r.better(r.tree[2*node], r.tree[2*node+1])
}

// renew asks for the key of a job that is not spared any more.
func (r *runners) renew(p *Policy, v *sim.View, e *Entry) {
	if at := spared(v.Run(e.Job).Since(), r.minRun); at > v.Now() {
		e.Key, e.until = math.Inf(1), at
		return
	}
	key, until := p.ranker.Rank(v, e.Job)
	e.Key, e.until = -key, max(until, v.Now()+1)
}

// collect makes the index of the jobs that run.
func (r *runners) collect(p *Policy, v *sim.View) {
	r.known, r.minRun, r.stale = true, p.evicts.minRun, false
	if len(r.pos) != v.NumJobs() {
		r.pos = make([]int32, v.NumJobs())
	}
	if len(r.list) == 0 {
		r.resize(firstSize)
	}
	r.n, r.in, r.Live = 0, 0, 0
	r.resize(len(r.list))
	r.timed()
	for _, j := range v.Running() {
		if slices.Contains(p.victims, j) {
			continue
		}
		e := Entry{Job: j, Turn: int32(j)}
		r.renew(p, v, &e)
		r.push(e)
	}
}

// later is what a search for a victim has found.
type later struct {
	own, margin float64
	typ         string
	lacks, held int
	sure        int // GPUs that are held by jobs that come later at least; 0 = not known
	last        sim.JobID
	lastKey     float64
}

// after reports whether a key is later in order than the blocked job by more than the margin.
func (l *later) after(key float64) bool { return !(key <= l.own || key <= l.own+l.margin) }

// consider counts the GPUs of a job that comes later, if it may go, and keeps it if it comes last.
func (l *later) consider(p *Policy, v *sim.View, j sim.JobID, key float64) {
	if p.Spared(v, j) || !l.after(key) || !p.Evictable(v, j) {
		return
	}
	n := p.Usable(v, j, l.typ)
	if n == 0 {
		return
	}
	l.held += n
	if key > l.lastKey || key == l.lastKey && j < l.last {
		l.last, l.lastKey = j, key
	}
}

// search considers the last job in order and then, unless it is known already that there are GPUs
// enough, all others that come later; once there are, only jobs that come after the last so far.
func (r *runners) search(p *Policy, v *sim.View, l *later) {
	size, first := len(r.list), r.tree[1]
	if first < 0 || !l.after(-r.list[first].Key) {
		return
	}
	l.consider(p, v, r.list[first].Job, -r.list[first].Key)
	if l.last != sim.NoJob && max(l.held, l.sure) >= l.lacks {
		l.held = max(l.held, l.sure)
		return // no job comes after it
	}
	for i := 1; i > 0; i++ {
		if w := r.tree[i]; w >= 0 && l.after(-r.list[w].Key) && (l.held < l.lacks || -r.list[w].Key >= l.lastKey) {
			if i < size {
				i = 2*i - 1
				continue
			}
			if w != first {
				l.consider(p, v, r.list[w].Job, -r.list[w].Key)
			}
		}
		for i&1 == 1 {
			i >>= 1
		}
		if i == 0 {
			return
		}
	}
}
