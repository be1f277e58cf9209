package operate

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/service"
)

// Operator runs replicas and lends the machines that they leave. Build it with NewFixed, NewLeast,
// NewLifecycle or NewNone.
type Operator struct {
	config
	scale scale
	down  sim.Time
	pods  *pods // nil = replicas that are not needed are stopped
	// seizes takes GPUs of training one by one, on any machine; nil = machines are taken.
	seizes *seizer
	// agent states the numbers of replicas; nil = scale does.
	agent *agent

	began  bool
	lacks  bool // a replica found no place
	calm   []calm
	wake   plan.Alarm
	ground ground
	taker  taker

	// Of one instant.
	want, have []int
	stops      []sim.JobID
	starts     []sim.Decision
	gpus       []cluster.GPU
	victims    []sim.JobID
	returns    []returning
}

// calm is how a service has needed fewer replicas than it has.
type calm struct {
	since sim.Time // 0 = it needs what it has, or it has just begun
	most  int      // needed since then
	begun bool
}

// NewNone makes an operator that starts no replica.
func NewNone(s *param.Set) (sim.Operator, error) {
	o := &Operator{scale: scale{by: none}}
	o.lends = s.Enum("lend", "none", "all") == "all"
	return o, s.Err()
}

// NewFixed makes an operator with as many replicas at all times.
func NewFixed(s *param.Set) (sim.Operator, error) {
	o := &Operator{scale: scale{by: number}}
	o.scale.number = s.Int("replicas", 0, 0, 1<<20)
	o.readPlaces(s)
	return o, s.Err()
}

// NewLeast makes an operator with the least replicas for the target.
func NewLeast(s *param.Set) (sim.Operator, error) {
	o := &Operator{}
	o.scale.read(s)
	o.down = sim.Seconds(s.Float("down_s", 300, 0, 1e9))
	o.readPlaces(s)
	return o, s.Err()
}

// NewLifecycle makes an operator that keeps replicas which are not needed until jobs need their GPUs.
func NewLifecycle(s *param.Set) (sim.Operator, error) {
	o := &Operator{pods: &pods{}}
	o.scale.read(s)
	o.pods.read(s)
	o.readPlaces(s)
	return o, s.Err()
}

// Knows is what the settings need.
func (o *Operator) Knows() know.Set {
	k := o.config.knows() | o.scale.knows()
	if o.notice > 0 {
		k |= know.Series
	}
	if o.seizes != nil {
		k |= know.Speed
	}
	if o.agent != nil && o.agent.knows {
		k |= know.Series
	}
	return k
}

// Decide runs the replicas and lends machines.
func (o *Operator) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if !o.began {
		o.begin(v)
		out = o.withhold(out)
	} else {
		o.pods.log(v)
		if !o.concerned(v) {
			return out
		}
		o.ground.open(v)
	}
	if o.agent != nil {
		o.agent.look(v)
	}
	o.taker.open()
	o.stops, o.starts = o.stops[:0], o.starts[:0]
	o.gpus = nil // decisions of the last instant may be read still
	o.count(v)
	for i := range o.want {
		o.shrink(v, i)
	}
	o.lacks = false
	for i := range o.want {
		o.grow(v, i)
	}
	for i := range o.want {
		o.lacks = !o.claim(v, i) || o.lacks
	}
	return o.write(v, out)
}

// begin is the first call: all machines are lent.
func (o *Operator) begin(v *sim.View) {
	o.began = true
	n := v.Services().Len()
	o.calm, o.want, o.have = make([]calm, n), make([]int, n), make([]int, n)
	o.ground.begin(v)
	if o.seizes != nil {
		o.ground.own = nil // jobs and replicas may run on all
	}
	o.taker.draws = o.draws()
	o.pods.begin(v)
	o.pods.log(v)
}

// withhold takes all machines at the beginning, before any job is there, unless they are lent.
func (o *Operator) withhold(out []sim.Decision) []sim.Decision {
	if o.lends {
		return out
	}
	for _, m := range o.ground.own {
		o.ground.held[m] = true
		out = append(out, sim.Decision{Kind: sim.Cordon, Machine: m})
	}
	return out
}

// concerned reports whether what happened may change what an operator does.
func (o *Operator) concerned(v *sim.View) bool {
	if o.lacks || o.pods.sleeps(v.Now()) {
		return true
	}
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Load, sim.Fail, sim.Repair, sim.Ready:
			return true
		case sim.Timer:
			if ev.Key < 0 {
				return true
			}
		}
	}
	return false
}

// count takes stock of replicas, and states how many there should be.
func (o *Operator) count(v *sim.View) {
	clear(o.ground.replicas)
	for i := range o.want {
		first, end := v.Services().Replicas(i)
		o.have[i] = 0
		for id := first; id < end; id++ {
			if v.Run(id).State() != sim.Running {
				o.pods.gone(v, id)
				continue
			}
			o.have[i]++
			for _, g := range v.Run(id).Held() {
				o.ground.replicas[v.Topology().Machine(g)]++
			}
		}
		if o.agent != nil {
			o.want[i] = o.agent.of[i].wanted
		} else {
			o.want[i] = o.calmed(v, i, o.scale.now(v, i))
		}
	}
}

// calmed is the number of replicas needed, or that the last down_s needed where it has more.
func (o *Operator) calmed(v *sim.View, i, n int) int {
	c := &o.calm[i]
	if n >= o.have[i] || o.down == 0 {
		*c = calm{}
		return n
	}
	if !c.begun {
		*c = calm{since: v.Now(), most: n, begun: true}
	}
	c.most = max(c.most, n)
	if v.Now()-c.since < o.down {
		return o.have[i]
	}
	most := c.most
	*c = calm{since: v.Now(), most: n, begun: n < most}
	return most
}

// shrink stops replicas that are not needed, or lets them keep their GPUs for a while.
func (o *Operator) shrink(v *sim.View, i int) {
	first, end := v.Services().Replicas(i)
	o.victims = o.victims[:0]
	for id := first; id < end; id++ {
		if v.Run(id).State() == sim.Running {
			o.victims = append(o.victims, id)
		}
	}
	if o.pods != nil {
		o.victims = o.pods.settle(v, o.victims, o.want[i], o.lends || len(o.ground.own) == 0)
		o.have[i] = o.pods.active
		for _, id := range o.victims {
			o.stop(v, id)
		}
		return
	}
	for ; o.have[i] > o.want[i]; o.have[i]-- {
		at := o.least(v)
		o.stop(v, o.victims[at])
		o.victims = slices.Delete(o.victims, at, at+1)
	}
}

// stop stops a replica.
func (o *Operator) stop(v *sim.View, id sim.JobID) {
	o.stops = append(o.stops, id)
	o.ground.leave(v, id, v.Run(id).Held())
}

// least is the place of the replica to stop: on the machine with the fewest, with spreads the most; of
// equals the last.
func (o *Operator) least(v *sim.View) (at int) {
	best := int32(-1)
	for k, id := range o.victims {
		n := o.ground.replicas[v.Topology().Machine(v.Run(id).Held()[0])]
		if best < 0 || n == best || (n < best) != o.spreads {
			at, best = k, n
		}
	}
	return at
}

// grow starts replicas where there is room.
func (o *Operator) grow(v *sim.View, i int) {
	first, end := v.Services().Replicas(i)
	spec := v.Services().Spec(i)
	for id := first; id < end && o.have[i] < o.want[i]; id++ {
		if v.Run(id).State() != sim.Waiting || o.starting(id) {
			continue
		}
		gpus := o.find(v, spec)
		if gpus == nil {
			return
		}
		o.ground.settle(v, spec, gpus)
		from := len(o.gpus)
		o.gpus = append(o.gpus, gpus...)
		o.starts = append(o.starts, sim.Decision{Kind: sim.Start, Job: id, GPUs: o.gpus[from:len(o.gpus):len(o.gpus)]})
		o.have[i]++
	}
}

// find gives GPUs for a replica, nil = there are none.
func (o *Operator) find(v *sim.View, spec *service.Spec) []cluster.GPU {
	if o.seizes != nil {
		return o.seizes.find(v, &o.ground, &o.taker, spec)
	}
	return o.ground.find(v, spec, o.spreads)
}

// starting reports whether a replica starts by the decisions so far.
func (o *Operator) starting(id sim.JobID) bool {
	return slices.ContainsFunc(o.starts, func(d sim.Decision) bool { return d.Job == id })
}

// claim takes machines of jobs for replicas that found no place; it reports whether all have one.
func (o *Operator) claim(v *sim.View, i int) bool {
	for o.have[i] < o.want[i] {
		had := o.have[i]
		if o.pods != nil {
			if id := o.pods.oldest(v.Now()); id != sim.NoJob {
				o.stop(v, id)
				o.grow(v, i)
				continue
			}
		}
		if !o.free(v, i, o.want[i]-had) {
			return false
		}
		if o.grow(v, i); o.have[i] == had {
			return false
		}
	}
	return true
}

// free takes GPUs of jobs for replicas of a service; false where none can be freed.
func (o *Operator) free(v *sim.View, i, n int) bool {
	if o.seizes != nil {
		return o.seizes.claim(v, &o.ground, &o.taker, v.Services().Spec(i))
	}
	return o.taker.claim(v, &o.ground, o.rule, v.Services().Spec(i), n)
}

// write gives the decisions: jobs leave before replicas come.
func (o *Operator) write(v *sim.View, out []sim.Decision) []sim.Decision {
	out = o.taker.write(out)
	for _, id := range o.stops {
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: id})
	}
	out = append(out, o.starts...)
	if o.lends {
		for _, m := range o.ground.own {
			if o.ground.held[m] && o.ground.replicas[m] == 0 {
				o.ground.held[m] = false
				out = append(out, sim.Decision{Kind: sim.Uncordon, Machine: m})
			}
		}
	}
	if o.notice > 0 {
		out = o.announce(v, out)
	}
	return o.wake.Set(v.Now(), o.next(v), out)
}

// next is when the operator looks again.
func (o *Operator) next(v *sim.View) sim.Time {
	now, at := v.Now(), sim.Never
	for i, c := range o.calm {
		if c.begun {
			at = min(at, max(now+1, c.since+o.down))
		}
		if o.agent == nil {
			at = min(at, o.scale.again(v, i))
		}
	}
	if o.agent != nil {
		at = min(at, o.agent.next())
	}
	if o.scale.ahead > 0 {
		at = min(at, next(v, o.scale.ahead))
	}
	if o.notice > 0 {
		at = min(at, next(v, o.scale.ahead+o.notice))
	}
	return min(at, o.pods.next(now))
}

// Clone gives an independent copy. It is taken between decisions.
func (o *Operator) Clone() sim.Policy {
	c := *o
	c.pods, c.agent = o.pods.clone(), o.agent.clone()
	c.calm, c.ground, c.taker = slices.Clone(o.calm), o.ground.clone(), taker{draws: o.taker.draws.Clone()}
	if o.seizes != nil {
		c.seizes = &seizer{}
	}
	c.want, c.have = slices.Clone(o.want), slices.Clone(o.have)
	c.stops, c.starts, c.gpus, c.victims, c.returns = nil, nil, nil, nil, nil
	return &c
}
