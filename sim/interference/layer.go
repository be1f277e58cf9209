package interference

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
)

// Layer is the stack.Layer of interference, and a stack.Inquirer: a law may have questions about
// peers. It belongs to one run.
type Layer struct {
	rule  *Rule
	law   law
	below sim.SpeedModel
	meter meter // what has the telemetry below; nil = nothing does
	set   *models.Set
	top   *cluster.Topology
	named naming // nil = the law uses no names
	names map[string]int32
	timed bool
	query sim.Query     // of the model below, valid until the next
	told  sim.Telemetry // scratch of times
	me    sharer        // who is asked about
	all   []sharer      // peers of a query
	on    []sharer      // those on one GPU
	at    []int32       // of each peer: how many of its GPUs are passed
}

// meter is a model that has the times of a step.
type meter interface {
	Telemetry(*sim.Query, *sim.Telemetry) bool
}

// NewLayer makes the layer of a rule. set, which may be nil, has the names that models are also
// known by; top is the cluster where GPUs may be cut into instances, nil = they are not.
func NewLayer(r *Rule, set *models.Set, top *cluster.Topology) *Layer {
	if _, own := r.law.(*instances); own {
		top = nil // the law reads instances itself
	}
	l := &Layer{rule: r, law: r.law, set: set, top: top, names: map[string]int32{}}
	l.named, _ = r.law.(naming)
	_, l.timed = r.law.(timing)
	return l
}

// Over takes the model below, of which a law may ask how long jobs compute and communicate.
func (l *Layer) Over(below sim.SpeedModel) {
	l.below = below
	if l.meter, _ = below.(meter); sim.AsProgressive(below) != nil {
		l.meter = sim.AsProgressive(below)
	}
}

// leastKeep bounds what a law answers, so that no job stands still because of it.
const leastKeep = 1e-6

// Ask is about the job on whole GPUs, alone.
func (l *Layer) Ask(q *sim.Query) { q.ShareMilli, q.Instance, q.Peers = 1000, 0, nil }

// Answer multiplies the speed by what the job keeps of it beside others.
func (l *Layer) Answer(q *sim.Query, s *sim.Speed) float64 {
	keep := l.keep(q, *s)
	s.Rate *= keep
	return keep
}

// keep is the part of the speed within that a job keeps.
func (l *Layer) keep(q *sim.Query, s sim.Speed) float64 {
	l.me = l.sharer(q.Job, q.GPUs, &q.Knobs)
	if l.timed && len(q.Peers) > 0 {
		l.me.compute, l.me.exchange = l.timesAlone(q, s)
		l.me.stage = l.staged(l.me.compute, l.me.exchange)
	}
	l.gather(q)
	keep := max(leastKeep, min(1, l.least(&l.me))) * l.inInstance(q.Job, q.GPUs, &q.Knobs)
	if need, has := q.Job.GPUMiB, q.GPUMiB; has > 0 && has < need {
		keep /= 1 + float64(l.rule.spill*(1-float64(has)/float64(need)))
	}
	return keep
}

// lookup finds a model's profile.
func (l *Layer) lookup(model string) (*models.Profile, error) {
	if l.set == nil {
		return models.Lookup(model)
	}
	return l.set.Lookup(model)
}

// name is what a naming law calls a model: by its name, by that without a batch size, or by the
// catalogue's.
func (l *Layer) name(model string) int32 {
	if l.named == nil {
		return -1
	}
	id, ok := l.names[model]
	if !ok {
		id = l.named.name(model)
		if p, err := l.lookup(model); err == nil && id < 0 {
			id = l.named.name(p.Name)
		}
		l.names[model] = id
	}
	return id
}
