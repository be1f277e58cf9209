package deepshare

import (
	"fmt"
	"slices"

	"tarry/sim"
)

// placed is a running job; without machines it is not placed.
type placed struct {
	machines []int32
	shape    int32
	told     float64 // the ratio that was last reported
	least    float64 // of all since it is there
	dirty    bool
}

// placed is a job that runs, nil for another.
func (m *Model) placed(id sim.JobID) *placed {
	if id < 0 || int(id) >= len(m.jobs) || len(m.jobs[id].machines) == 0 {
		return nil
	}
	return &m.jobs[id]
}

// Place adds a running job.
func (m *Model) Place(q *sim.Query) error {
	if q.ID < 0 {
		return fmt.Errorf("job %q has id %d, expected an index >= 0", q.Job.ID, q.ID)
	}
	for len(m.jobs) <= int(q.ID) {
		m.jobs = append(m.jobs, placed{})
	}
	m.Remove(q.ID)
	p := &m.jobs[q.ID]
	p.machines = m.machines(p.machines[:0], q.GPUs)
	id, err := m.shape(q, len(p.machines))
	if err != nil {
		p.machines = p.machines[:0]
		return err
	}
	p.shape, p.told, p.least = id, 1, 1
	if len(p.machines) > 1 {
		for _, at := range p.machines {
			m.mark(at)
			m.on[at] = append(m.on[at], q.ID)
		}
		p.told, _ = m.ratio(id, q.ID, p.machines)
		p.least = p.told
	}
	return nil
}

// Remove takes a job away; one that is not placed is ignored.
func (m *Model) Remove(id sim.JobID) {
	p := m.placed(id)
	if p == nil {
		return
	}
	if len(p.machines) > 1 {
		for _, at := range p.machines {
			i := slices.Index(m.on[at], id)
			m.on[at] = slices.Delete(m.on[at], i, i+1)
			m.mark(at)
		}
	}
	p.machines = p.machines[:0]
}

// mark notes that the jobs on a machine have other neighbours.
func (m *Model) mark(machine int32) {
	for _, x := range m.on[machine] {
		if !m.jobs[x].dirty {
			m.jobs[x].dirty = true
			m.dirty = append(m.dirty, x)
		}
	}
}

// Touched reports whose ratio changed.
func (m *Model) Touched(dst []sim.JobID) []sim.JobID {
	slices.Sort(m.dirty)
	for _, x := range m.dirty {
		p := &m.jobs[x]
		p.dirty = false
		if len(p.machines) == 0 {
			continue
		}
		now, _ := m.ratio(p.shape, x, p.machines)
		if p.least = min(p.least, now); m.opt.Sticky {
			now = p.least
		}
		if now != p.told {
			p.told = now
			dst = append(dst, x)
		}
	}
	m.dirty = m.dirty[:0]
	return dst
}

// Reset forgets all jobs.
func (m *Model) Reset() {
	for i := range m.jobs {
		m.jobs[i] = placed{machines: m.jobs[i].machines[:0]}
	}
	for i := range m.on {
		m.on[i] = m.on[i][:0]
	}
	m.dirty = m.dirty[:0]
}
