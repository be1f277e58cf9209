package speed

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
)

// Contention states what jobs do to one another's links.
type Contention struct {
	// Rack and Network are the parts of the machines' and of the racks' uplinks that
	// other traffic takes, in [0, 1); 0 = none.
	Rack, Network float64
	// Duty lets a job ask only for the part of the time that it communicates when alone, as if jobs
	// took perfect turns: each transfer has the whole link, and a job that gets less than it asks
	// waits for its turn, with all of its iteration. Zero: a job that crosses a link asks for all
	// of it.
	Duty bool
}

func (c Contention) validate() error {
	var errs []error
	for _, v := range [...]struct {
		at   string
		part float64
	}{{"rack", c.Rack}, {"network", c.Network}} {
		if !(v.part >= 0 && v.part < 1) {
			errs = append(errs, fmt.Errorf("background congestion at level %s is %v, expected 0 <= part < 1", v.at,
				v.part))
		}
	}
	return errors.Join(errs...)
}

// Contended is Collective with uplinks shared between jobs. A job on several machines crosses the
// uplink of each of them, one on several racks also the uplink of each rack; the links are divided
// max-min fairly between the jobs (network.MaxMin), and a job's share of its tightest link scales
// the bandwidth between its machines and between its racks. With Contention.Duty it scales the
// speed that the job has alone instead: a longer iteration at a narrower bandwidth would leave the
// links busy for more time than they have. Shares are rounded down to sixty-fourths (at least one),
// which bounds the number of distinct speeds.
//
// A start or a stop affects the jobs that share a link with it, and in turn the jobs that share one
// with them; no other job is asked again.
type Contended struct {
	c       *Collective
	cfg     Contention
	jobs    []flow        // by JobID
	onLink  [][]sim.JobID // link -> jobs that cross it
	dirty   []int32       // links whose jobs changed
	isDirty []bool
	touched []sim.JobID

	// scratch of one settling
	group    []sim.JobID
	queue    []int32
	local    []int32 // link -> index in the group, -1 = none
	links    [][]int32
	capacity []float64
	demand   []float64
	rates    []float64
	sharing  network.Sharing
	spare    [][]int32 // memory of jobs that have stopped
}

// flow is one placed job.
type flow struct {
	placed, told bool
	seen         bool
	share        int32
	demand       float64
	links        []int32
}

// NewContended gives the model; see NewCollective.
func NewContended(t *cluster.Topology, f network.Fabric, set *models.Set, other string, cfg Contention,
	ts Types) (*Contended, error) {
	err := cfg.validate()
	if err == nil {
		f.Links[network.InRack].GBps *= 1 - cfg.Rack
		f.Links[network.AcrossRack].GBps *= 1 - cfg.Network
	}
	c, err2 := NewCollective(t, f, set, other, ts)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	n := t.Machines() + t.Racks()
	m := &Contended{c: c, cfg: cfg, onLink: make([][]sim.JobID, n), isDirty: make([]bool, n), local: make([]int32, n)}
	for i := range m.local {
		m.local[i] = -1
	}
	return m, nil
}

// Lacks is as Collective has it.
func (m *Contended) Lacks(j *sim.Job) error { return m.c.Lacks(j) }

// Speed prices an iteration with the job's present share of its links; a job that is not placed has
// them to itself.
func (m *Contended) Speed(q *sim.Query) (sim.Speed, error) {
	if len(q.GPUs) <= 1 {
		return m.c.Speed(q)
	}
	id, err := m.c.model(q.Job)
	if err != nil {
		return sim.Speed{}, err
	}
	m.settle()
	share := int32(whole)
	if int(q.ID) < len(m.jobs) && q.ID >= 0 && m.jobs[q.ID].placed {
		share = m.jobs[q.ID].share
	}
	if !m.cfg.Duty {
		it := m.c.iteration(costKey{id, share, layoutOf(m.c.topo, q.GPUs)})
		return rate(q, it.ComputeFrac(), m.c.clocks.slowest(q.GPUs)), nil
	}
	alone, busy := m.alone(q, id)
	if share == whole && busy > 1 { // not placed, and its GPUs are faster than the links
		share = part(1, busy)
	}
	if share < whole {
		turn := float64(share) / whole
		alone.Rate, alone.ComputeFrac = alone.Rate*turn, alone.ComputeFrac*turn
	}
	return alone, nil
}

// alone gives the speed of a job that has its links to itself, and the part of the time in which it
// keeps the busier of its levels' links busy: above 1 where its GPUs could run ahead of the links.
func (m *Contended) alone(q *sim.Query, id int32) (sim.Speed, float64) {
	it := m.c.iteration(costKey{id, whole, layoutOf(m.c.topo, q.GPUs)})
	sp := rate(q, it.ComputeFrac(), m.c.clocks.slowest(q.GPUs))
	batch := 1.0
	if q.Batch > 0 {
		batch = q.Batch
	}
	period := it.ComputeNS * batch * float64(len(q.GPUs)) / sp.Rate
	return sp, max(it.BusyNS[network.InRack], it.BusyNS[network.AcrossRack]) / period
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
		m.jobs[n] = flow{links: m.jobs[n].links[:0]}
	}
	m.Remove(q.ID)
	f := &m.jobs[q.ID]
	f.placed, f.share, f.demand = true, whole, 1
	if n := len(m.spare); f.links == nil && n > 0 {
		f.links, m.spare = m.spare[n-1], m.spare[:n-1]
	}
	f.links = m.cross(f.links[:0], q.GPUs)
	if len(f.links) == 0 {
		return nil
	}
	if m.cfg.Duty {
		_, f.demand = m.alone(q, id)
	}
	for _, l := range f.links {
		m.onLink[l] = append(m.onLink[l], q.ID)
		m.mark(l)
	}
	return nil
}

// cross lists the uplinks that an allocation crosses: machines', then racks'.
func (m *Contended) cross(dst []int32, gpus []cluster.GPU) []int32 {
	t := m.c.topo
	last, rack, racks := -1, -1, 0
	for _, g := range gpus {
		if mach := t.Machine(g); mach != last {
			last = mach
			dst = append(dst, int32(mach))
			if r := t.Rack(mach); r != rack {
				rack = r
				racks++
			}
		}
	}
	if len(dst) < 2 {
		return dst[:0]
	}
	if racks < 2 {
		return dst
	}
	rack = -1
	for _, mach := range dst {
		if r := t.Rack(int(mach)); r != rack {
			rack = r
			dst = append(dst, int32(t.Machines()+r))
		}
	}
	return dst
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
		m.spare = append(m.spare, f.links[:0])
		f.links = nil
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

// LinkUtil is the part of the uplinks' capacity, machines' and racks' together, that jobs are given
// at present, 0..1. Background congestion is not counted: it has narrowed the links before.
func (m *Contended) LinkUtil() float64 {
	sum := 0.0
	for _, on := range m.onLink {
		used := 0.0
		for _, id := range on {
			f := &m.jobs[id]
			used += float64(f.share) / whole * f.demand
		}
		sum += math.Min(1, used)
	}
	return sum / float64(len(m.onLink))
}

// Reset forgets all jobs.
func (m *Contended) Reset() {
	m.jobs = m.jobs[:0]
	for l := range m.onLink {
		m.onLink[l] = m.onLink[l][:0]
		m.isDirty[l] = false
	}
	m.dirty, m.touched = m.dirty[:0], m.touched[:0]
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

// divide gives the gathered jobs their shares.
func (m *Contended) divide() {
	n := len(m.group)
	for len(m.links) < n {
		m.links = append(m.links, nil)
	}
	m.capacity, m.demand, m.rates = m.capacity[:0], m.demand[:0], m.rates[:0]
	for range m.queue {
		m.capacity = append(m.capacity, 1)
	}
	for i, id := range m.group {
		f := &m.jobs[id]
		f.seen = false
		m.links[i] = m.links[i][:0]
		for _, l := range f.links {
			m.links[i] = append(m.links[i], m.local[l])
		}
		m.demand = append(m.demand, f.demand)
		m.rates = append(m.rates, 0)
	}
	for _, l := range m.queue {
		m.local[l] = -1
	}
	m.sharing.MaxMin(m.rates, m.capacity, m.demand, m.links[:n])
	for i, id := range m.group {
		f := &m.jobs[id]
		share := int32(whole)
		if f.demand > 0 {
			share = part(m.rates[i], f.demand)
		}
		if share != f.share {
			f.share = share
			if !f.told {
				f.told = true
				m.touched = append(m.touched, id)
			}
		}
	}
}
