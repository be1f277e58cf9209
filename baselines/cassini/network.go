package cassini

import (
	"math"
	"slices"

	"tarry/baselines/cassini/circle"
	"tarry/sim"
	"tarry/sim/cluster"
)

// network is the jobs and links that are connected with some job, and the circles of the links.
type network struct {
	cfg     *config
	members []member
	links   []link
	on      []int32 // the members of links, one list after the other
	crossed []int32 // the links of members
	index   []int32 // job -> 1 + its member
	linkAt  []int32 // link -> 1 + its place in links
	placed  []int32 // job -> 1 + its slot; -1 = it loses its GPUs
	slots   []slot  // of a candidate
	gpus    [][]cluster.GPU
	slotOn  []int32 // links of slots, one list after the other
	slotEnd []int32
	jobs    []sim.JobID
	// The component: members and links from these on.
	first, firstLink int
	solver
}

// member is a job of the network.
type member struct {
	job      sim.JobID
	from, to int32 // its links in crossed
	soloUS   int64 // an iteration alone
	startUS  int64 // of its transfer in an iteration
	lengthUS int64
	periodUS int64 // an iteration as long as a common perimeter wants it
	tick     int64 // when an iteration of a running job begins, in microseconds; Unset = not known
	aligned  bool  // it was aligned
}

// slack is what a transfer has beyond its length in microseconds, since shifts are rounded to them; an
// iteration has as much for each of eight.
const slack = 2

// link is a link that several members cross.
type link struct {
	id       int32
	from, to int32 // its members in on
	covered  bool  // all of its members cross another link, too
}

// score is the mean score of the links that the places of slots touch, and of those connected with
// them; 1 without any. loops reports that a single shift of each job may not exist.
func (n *network) score(v *sim.View, decisions []sim.Decision, slots []slot, gpus [][]cluster.GPU) (score float64,
	loops bool) {
	n.open(v)
	n.slots, n.gpus, n.slotOn, n.slotEnd = slots, gpus, n.slotOn[:0], n.slotEnd[:0]
	for i := range decisions {
		if decisions[i].Kind == sim.Preempt {
			n.placed[decisions[i].Job] = -1
		}
	}
	for i := range slots {
		n.placed[slots[i].job] = int32(i) + 1
		n.slotOn = v.Links().Crosses(n.slotOn, slots[i].job, gpus[i], 0)
		n.slotEnd = append(n.slotEnd, int32(len(n.slotOn)))
	}
	sum, links := 0.0, 0
	for i := range slots {
		if n.index[slots[i].job] == 0 {
			n.gather(v, slots[i].job)
			r := n.solve()
			loops = loops || r.loops
			sum, links = sum+r.sum, links+r.links
		}
	}
	for i := range decisions {
		n.placed[decisions[i].Job] = 0
	}
	n.close()
	if links == 0 {
		return 1, loops
	}
	return sum / float64(links), loops
}

// open makes room for the jobs and links of a run.
func (n *network) open(v *sim.View) {
	if k := v.NumJobs(); len(n.index) < k {
		n.index = append(n.index, make([]int32, k-len(n.index))...)
		n.placed = append(n.placed, make([]int32, k-len(n.placed))...)
	}
	if k := v.Links().Count(); len(n.linkAt) < k {
		n.linkAt = append(n.linkAt, make([]int32, k-len(n.linkAt))...)
	}
	n.members, n.links, n.on, n.crossed = n.members[:0], n.links[:0], n.on[:0], n.crossed[:0]
	n.slots, n.gpus = nil, nil
}

// close forgets the jobs and links.
func (n *network) close() {
	for i := range n.members {
		n.index[n.members[i].job] = 0
	}
	for i := range n.links {
		n.linkAt[n.links[i].id] = 0
	}
	n.slots, n.gpus = nil, nil
}

// gather makes a component of the network: the jobs and links that are connected with a job.
func (n *network) gather(v *sim.View, seed sim.JobID) {
	n.first, n.firstLink = len(n.members), len(n.links)
	n.member(v, seed)
	for i := n.first; i < len(n.members); i++ {
		for at := n.members[i].from; at < n.members[i].to; at++ {
			if id := n.crossed[at]; n.linkAt[id] == 0 {
				n.link(v, id)
			}
		}
	}
	for l := n.firstLink; l < len(n.links); l++ {
		n.links[l].covered = n.isCovered(int32(l))
	}
}

// member gives the member of a job, a new one at its first mention.
func (n *network) member(v *sim.View, j sim.JobID) int32 {
	if n.index[j] > 0 {
		return n.index[j] - 1
	}
	m := member{job: j, from: int32(len(n.crossed)), tick: circle.Unset}
	gpus, path := v.Run(j).Held(), v.Run(j).Knobs().Path
	if s := n.placed[j]; s > 0 {
		gpus, path = n.gpus[s-1], 0
	}
	n.crossed = v.Links().Crosses(n.crossed, j, gpus, path)
	m.to = int32(len(n.crossed))
	if p, ok := v.Links().Period(j, sim.Placement{GPUs: gpus}); ok {
		begin := p.ReleaseFrac * p.ComputeS * 1e6
		m.startUS = int64(begin)
		m.lengthUS = int64(math.Ceil(begin+p.TransferS*1e6)) - m.startUS + slack
		m.soloUS = max(int64(math.Ceil(p.SoloS()*1e6))+8*slack, m.lengthUS)
	}
	n.members = append(n.members, m)
	n.index[j] = int32(len(n.members))
	return int32(len(n.members)) - 1
}

// link adds a link if several jobs cross it.
func (n *network) link(v *sim.View, id int32) {
	n.jobs = n.jobs[:0]
	for _, j := range v.Links().Jobs(id) {
		if n.placed[j] == 0 && v.Run(j).State() == sim.Running { // not one that writes its checkpoint
			n.jobs = append(n.jobs, j)
		}
	}
	from := int32(0)
	for i, to := range n.slotEnd {
		if n.slots != nil && slices.Contains(n.slotOn[from:to], id) {
			n.jobs = append(n.jobs, n.slots[i].job)
		}
		from = to
	}
	if len(n.jobs) < 2 {
		return
	}
	slices.Sort(n.jobs)
	l := link{id: id, from: int32(len(n.on))}
	for _, j := range n.jobs {
		n.on = append(n.on, n.member(v, j))
	}
	l.to = int32(len(n.on))
	n.links = append(n.links, l)
	n.linkAt[id] = int32(len(n.links))
}

// isCovered reports whether all members of a link cross another link with at least as many: then the
// other link's shifts serve it, too. Of links with the same members the first is not covered.
func (n *network) isCovered(l int32) bool {
	a := n.links[l]
	m := &n.members[n.on[a.from]]
	for _, id := range n.crossed[m.from:m.to] {
		k := n.linkAt[id] - 1
		if k < 0 || k == l {
			continue
		}
		b := n.links[k]
		size, other := a.to-a.from, b.to-b.from
		if other < size || other == size && k > l {
			continue
		}
		with := n.on[b.from:b.to]
		if !slices.ContainsFunc(n.on[a.from:a.to], func(m int32) bool { return !slices.Contains(with, m) }) {
			return true
		}
	}
	return false
}
