package tiresias

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// latest is the largest instant that ranks exactly inside a queue: 8.9 years.
const latest = 1<<48 - 1

// Key ranks jobs, smaller first: by queue, then inside a queue
//
//   - 2D-LAS, and the last queue of 2D-Gittins: by first start, those never started last;
//   - 2D-Gittins: by descending index, with the queue's upper bound as quantum unless one is
//     stated.
//
// The fraction stays below one half, so queues never mix; ties go by (submit, id).
func (p *Policy) Key(v *sim.View, j sim.JobID) float64 {
	q := p.queues.jobs[j].Queue
	if d, ok := p.horizon(j); ok {
		return float64(q) + inside(p.index.near(p.queues.attained(v, j), d, &p.marks[j]), d)
	}
	return float64(q) + float64(float64(min(v.Run(j).Started(), latest))/(1<<49))
}

// horizon is the quantum of a job's index; false where it has none.
func (p *Policy) horizon(j sim.JobID) (sim.Time, bool) {
	switch {
	case !p.cfg.gittins || !p.cfg.indexed && p.queues.last(j) || len(p.index.sample) == 0:
		return 0, false
	case p.cfg.quantum > 0:
		return p.cfg.quantum, true
	case !p.queues.last(j):
		return p.queues.Bounds[p.queues.jobs[j].Queue], true
	}
	return sim.Never, true
}

// inside is the place inside a queue by an index with a quantum.
func inside(index float64, d sim.Time) float64 { return 0.5 / (1 + float64(index*float64(d))) }

// bound bounds the key of a running job: it moves with the index, which moves with the service that
// the job attains, and else with its queue, at an event.
func (p *Policy) bound(v *sim.View, j sim.JobID, key float64, tight uint8) (most float64, _ int32, until sim.Time) {
	d, ok := p.horizon(j)
	gpus := sim.Time(len(v.Run(j).Held()))
	if !ok || gpus == 0 {
		return key, 0, sim.Never
	}
	a := p.queues.attained(v, j)
	ahead := max(gpus*sim.Second, max(min(d, 1<<50), a)>>min(2+tight, 40))
	most = float64(p.queues.jobs[j].Queue) + inside(p.index.least(a, a+ahead, d), d)
	return max(key, most+float64(most*1e-12)), 0, v.Now() + ahead/gpus
}

// placements are the values of place, the default first.
var placements = []string{"consolidate", "lowest", "emptiest", "skew", "skew-waits"}

// Put places a job as place states. With skew a model above PACKLIMIT is put on as few machines as
// the finest level that holds it allows, or waits for them, others on leftovers, so that large free
// pieces stay whole.
func (p *Policy) Put(v *sim.View, to *plan.Placer, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	switch p.cfg.place {
	case "lowest":
		return to.Lowest(v, d)
	case "emptiest":
		return to.Emptiest(v, d)
	case "skew", "skew-waits":
		switch {
		case !p.consolidate(v, j):
			return to.Fragments(v, d)
		case p.cfg.place == "skew":
			return to.Place(v, d)
		}
	}
	return to.Consolidate(v, d)
}

func (p *Policy) consolidate(v *sim.View, j sim.JobID) bool {
	if p.consolidated[j] == 0 {
		p.consolidated[j] = -1
		if p.skew(v, j) > p.cfg.pack {
			p.consolidated[j] = 1
		}
	}
	return p.consolidated[j] > 0
}

func (p *Policy) skew(v *sim.View, j sim.JobID) float64 {
	if skew, ok := skewOf(v.Job(j).Model()); ok {
		return skew
	}
	return p.cfg.unknown
}

// refit looks at the running jobs and takes the PACKLIMIT that fits what was seen, if it is time.
func (p *Policy) refit(v *sim.View) {
	if !p.fit.look(v, p.skew) {
		return
	}
	if limit, ok := p.fit.limit(); ok && limit != p.cfg.pack {
		p.cfg.pack = limit
		clear(p.consolidated)
	}
}
