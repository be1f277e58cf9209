package schedtune

import (
	"math"

	"tarry/baselines/colocate"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// choice is GPUs with the time that a job takes on them for a unit of work, and how full their
// memory then is.
type choice struct {
	gpus []cluster.GPU
	time float64
	full float64
}

func (c *choice) better(o *choice) bool {
	return c.gpus == nil || o.time < c.time || o.time == c.time && o.full > c.full
}

// place chooses GPUs for a job that waits.
func (p *Policy) place(v *sim.View, j sim.JobID) ([]cluster.GPU, bool) {
	d, t := p.queue.Demand(j), v.Topology()
	p.chosen = choice{}
	if d.Type != "" || len(t.Types()) == 1 {
		p.try(v, j, d, d.Type)
		return p.chosen.gpus, p.chosen.gpus != nil
	}
	for _, typ := range t.Types() {
		if typ != "" {
			p.try(v, j, d, typ)
		}
	}
	if p.chosen.gpus == nil {
		p.try(v, j, d, "")
	}
	return p.chosen.gpus, p.chosen.gpus != nil
}

// try looks at the GPUs of one type, "" for all: idle ones, and ones in use.
func (p *Policy) try(v *sim.View, j sim.JobID, d *plan.Demand, typ string) {
	need := p.need[j]
	if gpus, ok := p.board.Idle(v, d, typ, func(g cluster.GPU) bool { return p.holds(v, g, need) }); ok {
		p.consider(v, j, gpus)
	}
	if p.cfg.most < 2 || need == colocate.Unknown && p.cfg.avoid {
		return
	}
	// idle GPUs are alike
	idle, vary := 0.0, v.Variability() != nil || typ == "" && len(v.Topology().Types()) > 1
	gpus, ok := p.board.Pick(v, d, typ, func(g cluster.GPU) (cost, tie float64, ok bool) {
		n := len(v.On(g))
		if n == 0 && !p.holds(v, g, need) || n > 0 && (n >= p.cfg.most || !p.fits(v, g, need)) {
			return 0, 0, false
		}
		p.one[0] = g
		if n > 0 || vary {
			return p.time(v, j, p.one[:], n+1), -p.full(v, g, need), true
		}
		if idle == 0 {
			idle = p.time(v, j, p.one[:], 1)
		}
		return idle, -p.full(v, g, need), true
	})
	if ok {
		p.consider(v, j, gpus)
	}
}

func (p *Policy) consider(v *sim.View, j sim.JobID, gpus []cluster.GPU) {
	c, most := choice{gpus: gpus}, 1
	for _, g := range gpus {
		most = max(most, len(v.On(g))+1)
		c.full += p.full(v, g, p.need[j]) / float64(len(gpus))
	}
	c.time = p.time(v, j, gpus, most)
	if p.chosen.better(&c) {
		p.chosen = c
	}
}

// time is what a job takes for a unit of work on GPUs beside the jobs there, n on each; a very long
// time where no speed is known.
func (p *Policy) time(v *sim.View, j sim.JobID, gpus []cluster.GPU, n int) float64 {
	if r := v.Predict(j, sim.Placement{GPUs: gpus, Knobs: sim.Knobs{ShareMilli: int32(1000 / n)}}).Rate; r > 0 {
		return 1 / r
	}
	return math.MaxFloat64 / 1e9
}

// full is the part of a GPU's memory that is in use with a job of this need; 0 where it is not
// constrained.
func (p *Policy) full(v *sim.View, g cluster.GPU, need int32) float64 {
	c, free := colocate.Capacity(v.Topology(), g), v.GPUMiBFree(g)
	if free == math.MaxInt64 || need == colocate.Unknown {
		return 0
	}
	return float64(c-free+int64(need)) / float64(c)
}
