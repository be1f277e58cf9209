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
	if p.cfg.gittins && (p.cfg.indexed || !p.queues.last(j)) && len(p.index.sample) > 0 {
		d := sim.Never
		if p.cfg.quantum > 0 {
			d = p.cfg.quantum
		} else if !p.queues.last(j) {
			d = p.queues.Bounds[q]
		}
		g := float64(p.index.near(p.queues.attained(v, j), d, &p.marks[j]) * float64(d))
		return float64(q) + 0.5/(1+g)
	}
	return float64(q) + float64(float64(min(v.Run(j).Started(), latest))/(1<<49))
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
