package themis

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// classes has what it costs a job to be spread: its speed on n GPUs of several machines of a
// rack, or of several racks, over that on as many GPUs placed at best. Speed models are asked about
// halves, n/2 GPUs on each of two machines or racks, and about more where there are none as large.
type classes struct {
	known map[spread]float64
	gpus  []cluster.GPU
}

// spread is what such a part is kept by.
type spread struct {
	model string
	n     int
	typ   int
	level cluster.Level
}

// slow is the part of its speed that a job keeps at a level, in (0, 1].
func (c *classes) slow(v *sim.View, m *member, typ, n int, level cluster.Level) float64 {
	if level <= cluster.LevelMachine || n < 2 {
		return 1
	}
	at := spread{v.Job(m.job).Model(), n, typ, level}
	part, ok := c.known[at]
	if !ok {
		part = 1
		if c.halves(v.Topology(), typ, n, level); n < len(m.curve) && m.curve[n] > 0 {
			if s := v.Predict(m.job, sim.Placement{GPUs: c.gpus, Alone: true}).Rate / m.curve[n]; s > 0 && s < 1 {
				part = s
			}
		}
		if c.known == nil {
			c.known = map[spread]float64{}
		}
		c.known[at] = part
	}
	return part
}

// halves chooses n GPUs of a type that are together at no finer level if possible, in one rack if
// the level is the rack and one has as many.
func (c *classes) halves(t *cluster.Topology, typ, n int, level cluster.Level) {
	lo, hi := 0, t.Racks()
	for r := 0; level == cluster.LevelRack && r < t.Racks(); r++ {
		if c.fill(t, typ, r, r+1, n, n, level); len(c.gpus) == n {
			lo, hi = r, r+1
			break
		}
	}
	for most := (n + 1) / 2; ; most = min(n, 2*most) {
		if c.fill(t, typ, lo, hi, n, most, level); len(c.gpus) == n || most == n {
			return
		}
	}
}

// fill takes up to n GPUs of racks lo to hi, at most some of each machine, or of each rack where
// the level is coarser.
func (c *classes) fill(t *cluster.Topology, typ, lo, hi, n, most int, level cluster.Level) {
	c.gpus = c.gpus[:0]
	for r := lo; r < hi; r++ {
		first, end := t.RackMachines(r)
		left := most
		for m := first; m < end; m++ {
			if t.Type(m) != t.Types()[typ] {
				continue
			}
			if level == cluster.LevelRack {
				left = most
			}
			for g, stop := t.MachineGPUs(m); g < stop && left > 0 && len(c.gpus) < n; g++ {
				c.gpus = append(c.gpus, g)
				left--
			}
		}
	}
}

// anywhere is a job's speed on the first n GPUs of the cluster, or n where the speed model has no
// answer.
func (c *classes) anywhere(v *sim.View, j sim.JobID, n int) float64 {
	c.gpus = c.gpus[:0]
	for g := range cluster.GPU(n) {
		c.gpus = append(c.gpus, g)
	}
	if s := v.Predict(j, sim.Placement{GPUs: c.gpus, Alone: true}).Rate; s > 0 {
		return s
	}
	return float64(n)
}
