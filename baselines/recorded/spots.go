package recorded

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
	"tarry/sim/recorded"
)

// spot is a number of GPUs on a machine.
type spot struct {
	machine int32
	gpus    int32
}

// names finds machines by the names of a trace.
type names struct {
	// stated are the machines of a cluster with names, nil = it has none; a node with GPUs of several
	// types is several machines.
	stated map[string][]int32
	// seen numbers the names that came up where the cluster has none.
	seen map[string]int32
}

// machines gives the machines of a name; none where the cluster has no such machine.
func (n *names) machines(t *cluster.Topology, name string) []int32 {
	if n.seen == nil {
		n.seen = map[string]int32{}
		for m := range t.Machines() {
			if own := t.Name(m); own != "" {
				if n.stated == nil {
					n.stated = map[string][]int32{}
				}
				n.stated[own] = append(n.stated[own], int32(m))
			}
		}
	}
	if n.stated != nil {
		return n.stated[name]
	}
	m, ok := n.seen[name]
	if !ok {
		if len(n.seen) == t.Machines() {
			return nil
		}
		m = int32(len(n.seen))
		n.seen[name] = m
	}
	return []int32{m}
}

// task reads the record of a job.
func (p *Policy) task(v *sim.View, j sim.JobID, job *sim.Job) task {
	t := task{at: job.Submit + sim.Time(job.Record.Wait)}
	places := job.Record.Places()
	if len(places) == 0 {
		return t
	}
	d, top := p.line.Note(v, j), v.Topology()
	t.loose = divide(places, int(d.GPUs))
	room := 0
	for _, one := range places {
		m := fitting(top, p.names.machines(top, one.Name), one.GPUs, d)
		if m < 0 {
			t.away = true
			break
		}
		n := carries(top, int(m), d)
		t.away = t.away || !t.loose && n < one.GPUs
		room += n
		t.spots = append(t.spots, spot{m, int32(one.GPUs)})
	}
	if t.away = t.away || room < int(d.GPUs); t.away {
		t.spots = nil
	}
	return t
}

// divide sets the GPUs of each place where the trace does not state them: as evenly as they go. It
// reports whether it did.
func divide(places []recorded.Place, gpus int) bool {
	sum, stated := 0, true
	for _, one := range places {
		sum += one.GPUs
		stated = stated && one.GPUs > 0
	}
	if stated && sum == gpus {
		return false
	}
	for i := range places {
		places[i].GPUs = (gpus + len(places) - 1 - i) / len(places)
	}
	return true
}

// fitting gives the first of some machines that can hold so many GPUs of a job, else the first of
// its type; -1 where there is none.
func fitting(t *cluster.Topology, machines []int32, gpus int, d *plan.Demand) int32 {
	found := int32(-1)
	for _, m := range machines {
		switch n := carries(t, int(m), d); {
		case n >= gpus:
			return m
		case n > 0 && found < 0:
			found = m
		}
	}
	return found
}

// carries is how many GPUs of a job an empty machine can hold.
func carries(t *cluster.Topology, m int, d *plan.Demand) int {
	if d.Type != "" && t.Type(m) != d.Type {
		return 0
	}
	lo, hi := t.MachineGPUs(m)
	n := int(hi - lo)
	if cpu := t.CPUMilli(m); cpu > 0 && d.CPUMilli > 0 {
		n = min(n, int(cpu/int64(d.CPUMilli)))
	}
	if mem := t.MemMiB(m); mem > 0 && d.MemMiB > 0 {
		n = min(n, int(mem/int64(d.MemMiB)))
	}
	return n
}

// gpus gives the GPUs on which a job starts now.
func (p *Policy) gpus(v *sim.View, j sim.JobID, t *task) ([]cluster.GPU, bool) {
	d := p.line.Note(v, j)
	if t.spots == nil {
		return p.place.Place(v, d)
	}
	n := len(p.arena)
	ok := false
	switch {
	case d.ShareMilli < 1000:
		return p.shared(v, int(t.spots[0].machine), d)
	case p.exact(v, t.spots):
		ok = true
	case t.loose:
		p.arena = p.arena[:n]
		ok = p.greedy(v, t.spots, int(d.GPUs))
	}
	gpus := p.arena[n:len(p.arena):len(p.arena)]
	slices.Sort(gpus)
	if !ok || !p.place.Take(v, gpus, d) {
		p.arena = p.arena[:n]
		return nil, false
	}
	return gpus, true
}

// exact appends the GPUs of each machine; false where one has too few that are free.
func (p *Policy) exact(v *sim.View, spots []spot) bool {
	f := v.Free()
	for _, s := range spots {
		if f.InMachine(int(s.machine)) < int(s.gpus) {
			return false
		}
		p.arena = f.FromMachine(p.arena, int(s.machine), int(s.gpus), p.rule)
	}
	return true
}

// greedy appends free GPUs of the machines in their order, and leaves one for each machine to come.
func (p *Policy) greedy(v *sim.View, spots []spot, gpus int) bool {
	f := v.Free()
	for i, s := range spots {
		n := min(f.InMachine(int(s.machine)), gpus-(len(spots)-1-i))
		if n < 1 {
			return false
		}
		p.arena = f.FromMachine(p.arena, int(s.machine), n, p.rule)
		gpus -= n
	}
	return gpus == 0
}

// shared gives the fullest GPU of a machine with room for a share.
func (p *Policy) shared(v *sim.View, m int, d *plan.Demand) ([]cluster.GPU, bool) {
	lo, hi := v.Topology().MachineGPUs(m)
	best, most := cluster.GPU(-1), -1
	for g := lo; g < hi; g++ {
		if used := v.Share(g); v.Up(g) && used > most && p.takes(v, g, d) {
			best, most = g, used
		}
	}
	if best < 0 {
		return nil, false
	}
	n := len(p.arena)
	p.arena = append(p.arena, best)
	gpus := p.arena[n:len(p.arena):len(p.arena)]
	return gpus, p.place.Take(v, gpus, d)
}

// takes reports whether a GPU has room for a share.
func (p *Policy) takes(v *sim.View, g cluster.GPU, d *plan.Demand) bool {
	one := [1]cluster.GPU{g}
	if !p.place.Take(v, one[:], d) {
		return false
	}
	p.place.Give(v, one[:], d)
	return true
}
