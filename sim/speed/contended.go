package speed

import (
	"errors"
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/links"
	"tarry/sim/models"
	"tarry/sim/network"
)

// Contended is Collective with links shared between jobs. A job on several machines crosses the
// uplink of each of them, one on several racks also the links between those (package links); a job's
// share of its tightest link scales the bandwidth between its machines and between its racks. Where
// jobs take turns it scales the speed that the job has alone instead: a longer iteration at a
// narrower bandwidth would leave the links busy for more time than they have. Shares are rounded
// down to sixty-fourths (at least one, but for ShareLevel), which bounds the number of distinct
// speeds.
//
// A start or a stop affects the jobs that share a link with it, and in turn the jobs that share one
// with them; no other job is asked again.
type Contended struct {
	c       *Collective
	cfg     Contention
	graph   *links.Graph
	jobs    []flow        // by JobID
	onLink  [][]sim.JobID // link -> jobs that cross it
	dirty   []int32       // links whose jobs changed
	isDirty []bool
	touched []sim.JobID
	spare   []crossing // memory of jobs that have stopped
	asked   crossing   // scratch: the links of a job that is not placed
	phases  phases

	// scratch of one settling
	group    []sim.JobID
	queue    []int32
	local    []int32 // link -> index in the group, -1 = none
	capacity []float64
	flows    []network.Flow
	rates    []float64
	sharing  network.Sharing
}

// crossing is the links that a job crosses and the load of each; without loads each is 1.
type crossing struct {
	links []int32
	loads []float64
}

// flow is one placed job.
type flow struct {
	placed, told bool
	seen         bool
	share        int32
	solo         int32 // the share that it has alone
	level        int8
	demand       float64
	weight       float64
	turn         float64 // with phases: the part of its speed alone that it has
	crossing
	phase
}

// NewContended gives the model; see NewCollective.
func NewContended(t *cluster.Topology, f network.Fabric, set *models.Set, other string, cfg Contention,
	ts Types) (*Contended, error) {
	err := cfg.validate()
	if err == nil {
		f.Links[network.InRack].GBps *= 1 - cfg.Rack
		f.Links[network.AcrossRack].GBps *= 1 - cfg.Network
		f.Spines.GBps *= 1 - cfg.Network
		f.Spines.CoreGBps *= 1 - cfg.Network
	}
	c, err2 := NewCollective(t, f, set, other, ts)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	m := &Contended{c: c, cfg: cfg, graph: links.New(t, &f)}
	n := len(m.graph.Capacity)
	m.onLink, m.isDirty, m.local = make([][]sim.JobID, n), make([]bool, n), make([]int32, n)
	for i := range m.local {
		m.local[i] = -1
	}
	return m, nil
}

// Lacks is as Collective has it.
func (m *Contended) Lacks(j *sim.Job) error { return m.c.Lacks(j) }

// Speed prices an iteration with the job's present share of its links, on whichever GPUs it is asked
// about; a job that is not placed has them to itself, whatever runs there. A prediction thus depends
// on the job and the shape alone, and policies that profile jobs keep it.
func (m *Contended) Speed(q *sim.Query) (sim.Speed, error) {
	if len(q.GPUs) <= 1 {
		return m.c.Speed(q)
	}
	id, err := m.c.model(q.Job)
	if err != nil {
		return sim.Speed{}, err
	}
	m.settle()
	f := m.placed(q.ID)
	if !m.cfg.turns() {
		share := m.soloShare(f, q)
		if f != nil {
			share = f.share
		}
		it := m.c.iteration(costKey{id, share, layoutOf(m.c.topo, q.GPUs)})
		return rate(q, it.ComputeFrac(), m.c.clocks.slowest(q.GPUs)), nil
	}
	alone, busy, _ := m.alone(q, id, m.soloShare(f, q))
	turn := m.turn(f, busy)
	if turn < 1 {
		alone.Rate *= turn
		if turn > 0 { // a job that stands still has the fraction that it has alone
			alone.ComputeFrac *= turn
		}
	}
	return alone, nil
}

// turn is the part of the speed alone that a job has where jobs take turns; f is nil where it is not
// placed. busy is above 1 where its GPUs are faster than the links.
func (m *Contended) turn(f *flow, busy float64) float64 {
	switch {
	case f != nil && m.cfg.Phase && len(f.links) > 0:
		return f.turn
	case f != nil:
		return float64(f.share) / whole
	case busy <= 1:
		return 1
	case m.cfg.Phase:
		return 1 / busy
	}
	return float64(part(1, busy)) / whole
}

// placed gives the entry of a job; nil where it has none.
func (m *Contended) placed(id sim.JobID) *flow {
	if id < 0 || int(id) >= len(m.jobs) || !m.jobs[id].placed {
		return nil
	}
	return &m.jobs[id]
}

// soloShare is the part of the bandwidth of its level that a job has alone: less than all where a
// path is narrower. f is its entry where it is placed.
func (m *Contended) soloShare(f *flow, q *sim.Query) int32 {
	switch {
	case f != nil:
		return f.solo
	case m.graph.Paths() == 0:
		return whole
	}
	m.asked = m.cross(m.asked, q.ID, q.GPUs, q.Path)
	return m.narrowest(&m.asked)
}

// cross finds the links of an allocation, in the memory of c.
func (m *Contended) cross(c crossing, id sim.JobID, gpus []cluster.GPU, path uint64) crossing {
	c.links, c.loads = m.graph.Cross(c.links[:0], c.loads[:0], gpus, int32(id), path)
	return c
}

// narrowest is the part that the tightest of the links leaves to a job alone.
func (m *Contended) narrowest(c *crossing) int32 {
	if len(c.loads) == 0 {
		return whole
	}
	tight := 1.0
	for i, l := range c.links {
		tight = min(tight, m.graph.Capacity[l]/c.loads[i])
	}
	return part(tight, 1)
}

// alone gives the speed of a job that has its links to itself, the part of the time in which it
// keeps the busier of its levels' links busy, above 1 where its GPUs could run ahead of the links,
// and the length of its iteration.
func (m *Contended) alone(q *sim.Query, id, solo int32) (sp sim.Speed, busy, periodNS float64) {
	it := m.c.iteration(costKey{id, solo, layoutOf(m.c.topo, q.GPUs)})
	sp = rate(q, it.ComputeFrac(), m.c.clocks.slowest(q.GPUs))
	batch := 1.0
	if q.Batch > 0 {
		batch = q.Batch
	}
	periodNS = it.ComputeNS * batch * float64(len(q.GPUs)) / sp.Rate
	return sp, max(it.BusyNS[network.InRack], it.BusyNS[network.AcrossRack]) / periodNS, periodNS
}

// part is the share of a job that is given so much of its tightest link, in sixty-fourths.
func part(given, demand float64) int32 {
	return min(whole, max(1, int32(float64(given/demand*whole)+1e-9)))
}

// Place adds a running job.
func (m *Contended) Place(q *sim.Query) error {
	if q.ID < 0 {
		return fmt.Errorf("job %q has id %d, expected an index >= 0", q.Job.ID, q.ID)
	}
	id, err := m.c.model(q.Job)
	if err != nil {
		return err
	}
	for n := len(m.jobs); n <= int(q.ID); n++ {
		if n == cap(m.jobs) {
			m.jobs = append(m.jobs, flow{})
			continue
		}
		m.jobs = m.jobs[:n+1] // with the memory of a run before
		m.jobs[n] = flow{crossing: crossing{m.jobs[n].links[:0], m.jobs[n].loads[:0]}}
	}
	m.Remove(q.ID)
	f := &m.jobs[q.ID]
	f.placed, f.share, f.solo, f.demand, f.weight, f.level = true, whole, whole, 1, 1, 0
	if n := len(m.spare); f.links == nil && n > 0 {
		f.crossing, m.spare = m.spare[n-1], m.spare[:n-1]
	}
	f.crossing = m.cross(f.crossing, q.ID, q.GPUs, q.Path)
	if len(f.links) == 0 {
		return nil
	}
	f.solo = m.narrowest(&f.crossing)
	f.share = f.solo
	if m.cfg.turns() {
		sp, busy, ns := m.alone(q, id, f.solo)
		f.share = whole
		f.demand = busy * float64(f.solo) / whole // while it transfers it has no more of a narrow path
		if m.cfg.Phase {
			m.start(f, q, sp.ComputeFrac, busy, ns)
		}
	}
	if m.cfg.Share == ShareWeight || m.cfg.Share == ShareLevel {
		f.weight = q.LinkWeight
	}
	if m.cfg.Share == ShareLevel {
		f.level = q.LinkLevel
	}
	for _, l := range f.links {
		m.onLink[l] = append(m.onLink[l], q.ID)
		m.mark(l)
	}
	return nil
}

// Remove takes a job away; one that is not placed is ignored.
func (m *Contended) Remove(id sim.JobID) {
	if id < 0 || int(id) >= len(m.jobs) || !m.jobs[id].placed {
		return
	}
	f := &m.jobs[id]
	f.placed = false
	for _, l := range f.links {
		i := slices.Index(m.onLink[l], id)
		m.onLink[l] = slices.Delete(m.onLink[l], i, i+1)
		m.mark(l)
	}
	if cap(f.links) > 0 {
		m.spare = append(m.spare, f.crossing)
		f.crossing = crossing{}
	}
}

// Touched settles the shares and reports whose moved.
func (m *Contended) Touched(dst []sim.JobID) []sim.JobID {
	m.settle()
	slices.Sort(m.touched)
	for _, id := range m.touched {
		if m.jobs[id].placed {
			dst = append(dst, id)
		}
		m.jobs[id].told = false
	}
	m.touched = m.touched[:0]
	return dst
}

// Reset forgets all jobs.
func (m *Contended) Reset() {
	m.jobs = m.jobs[:0]
	for l := range m.onLink {
		m.onLink[l] = m.onLink[l][:0]
		m.isDirty[l] = false
	}
	m.dirty, m.touched = m.dirty[:0], m.touched[:0]
	p := &m.phases
	p.now, p.keep, p.groups, p.inTurns, p.open = 0, sim.NoJob, 0, 0, 0
}

func (m *Contended) mark(l int32) {
	if !m.isDirty[l] {
		m.isDirty[l] = true
		m.dirty = append(m.dirty, l)
	}
}

// settle divides the links of every group of jobs that a change can reach.
func (m *Contended) settle() {
	for _, l := range m.dirty {
		if m.isDirty[l] {
			m.gather(l)
			m.divide()
		}
	}
	m.dirty = m.dirty[:0]
}

// gather collects the jobs and links connected with a link, and unmarks them.
func (m *Contended) gather(first int32) {
	m.group = m.group[:0]
	m.queue = append(m.queue[:0], first)
	m.local[first] = 0
	for i := 0; i < len(m.queue); i++ {
		l := m.queue[i]
		m.isDirty[l] = false
		for _, id := range m.onLink[l] {
			f := &m.jobs[id]
			if f.seen {
				continue
			}
			f.seen = true
			m.group = append(m.group, id)
			for _, k := range f.links {
				if m.local[k] < 0 {
					m.local[k] = int32(len(m.queue))
					m.queue = append(m.queue, k)
				}
			}
		}
	}
	slices.Sort(m.group)
}
