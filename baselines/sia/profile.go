package sia

import (
	"tarry/baselines/fit"
	"tarry/sim"
	"tarry/sim/goodput"
)

// sizes is how many batches a job is measured with on one GPU of each type before it starts.
const sizes = 6

// enough is how many measurements of a type are kept: beyond that only GPUs on which the job was
// not measured add to them.
const enough = 48

// bootstrap measures a job on one GPU of each type, with batches at equal ratios from the least to
// the most that a GPU takes.
func (p *Policy) bootstrap(v *sim.View, m *member) {
	lo, hi := max(m.limits.MinLocal, 1), min(m.limits.MaxLocal, m.limits.Max)
	for t := range m.of {
		if !p.accepts(v, m.id, t) {
			continue
		}
		for i := range sizes {
			local := lo
			if i > 0 {
				local = between(lo, hi, i)
			}
			k := sim.Knobs{Batch: float64(local) / float64(m.batch), AccumSteps: 1}
			if told, ok := v.TelemetryAt(m.id, sim.Placement{GPUs: p.types[t].first[:], Knobs: k, Alone: true}); ok {
				m.of[t].see(1, 1, &told)
			}
		}
		m.of[t].fit()
	}
	m.stale = true
}

// between is the i-th of sizes numbers at equal ratios from lo to hi, the first being number 0.
func between(lo, hi, i int) int {
	best, ratio := lo, float64(hi)/float64(lo)
	for n, want := lo, i; n <= hi; n++ { // (n/lo)^(sizes-1) <= (hi/lo)^i without a root
		if power(float64(n)/float64(lo), sizes-1) > power(ratio, want)*(1+1e-12) {
			break
		}
		best = n
	}
	return best
}

func power(x float64, n int) float64 {
	y := 1.0
	for range n {
		y *= x
	}
	return y
}

// observe measures a job that runs, and reports whether it could.
func (p *Policy) observe(v *sim.View, m *member) bool {
	told, ok := v.Run(m.id).Telemetry()
	held := v.Run(m.id).Held()
	c := p.held(v.Topology(), held)
	if !ok || len(held) == 0 {
		return false
	}
	if noise := (goodput.Noise{Sqr: told.GradSqr, Var: told.GradVar}); noise != m.noise {
		m.noise, m.stale = noise, true
	}
	if c < 0 || p.configs[c].Type < 0 {
		return false
	}
	x := &m.of[p.configs[c].Type]
	if x.see(nodes(v.Topology(), held), len(held), &told) {
		x.fit()
		m.stale = true
	}
	return true
}

// see keeps a measurement of a job on some GPUs, and reports whether it is a new one.
func (x *profile) see(nodes, replicas int, told *sim.Telemetry) bool {
	o := fit.Observation{Nodes: nodes, Replicas: replicas, Local: int(told.LocalBatch), StepS: told.StepS,
		SyncS: told.SyncS}
	if o.Local < 1 || !(o.SyncS >= 0 && o.SyncS < o.StepS) {
		return false
	}
	same := 0
	for i := range x.obs {
		b := &x.obs[i]
		if b.Nodes == o.Nodes && b.Replicas == o.Replicas {
			same++
			if b.Local == o.Local {
				new := *b != o
				*b = o
				return new
			}
		}
	}
	if same > 0 && len(x.obs) >= enough {
		return false
	}
	x.obs = append(x.obs, o)
	return true
}

// fit estimates the parameters of a type.
func (x *profile) fit() {
	params, _, err := fit.Throughput(x.obs, goodput.Params{})
	if x.known = err == nil; x.known {
		x.params = params
	}
}
