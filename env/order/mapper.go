package order

import (
	"tarry/baselines/ranked"
	"tarry/baselines/rltune"
	"tarry/baselines/score"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// mapper is rltune-like with an agent that chooses who goes first.
type mapper struct {
	cfg    *Config
	policy *rltune.Policy
	read   *ranked.Reader
	view   *sim.View // of the present instant

	asked, answered, started bool
	list                     []sim.JobID     // that the agent is shown
	scored                   []rltune.Scored // what it answered, and the jobs that are not shown
	all                      []listed        // scratch
	waiting                  []plan.Wanted   // scratch
	demo                     *rltune.Policy  // nil = no demonstration policy
}

func newMapper(c *Config) *mapper {
	read := ranked.NewReader(c.Rule, c.Lease())
	read.ReadFor(c.Rule.Func, c.gated())
	return &mapper{cfg: c, read: read, policy: rltune.NewPolicy(c.Mapping.Settings, c.Mapping.Rule, c.Mapping.Place)}
}

// Knows is what the observation and the order of the rule need, and the baseline that is
// demonstrated.
func (m *mapper) Knows() know.Set {
	k := m.read.Knows(nil)
	if k&know.Estimate != 0 && m.cfg.Truth() {
		k |= know.Work
	}
	if k |= m.cfg.Declares(m.policy.Knows()); m.demo != nil {
		k |= m.cfg.Declares(m.demo.Knows())
	}
	return k
}

// Begin takes in an instant.
func (m *mapper) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	if m.view, m.asked, m.answered = v, false, false; !m.started {
		m.started = true
		m.read.Start(v)
	}
	m.policy.Begin(v)
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive:
			m.read.Enter(v, ev.Job)
		case sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob {
				m.read.Enter(v, ev.Job)
			}
		}
	}
	asked := 0
	for _, j := range m.policy.Waiting() {
		asked += int(m.policy.Demand(j).GPUs)
	}
	m.read.Begin(v, asked, m.cfg.Rule.Func)
	return out
}

// Ask makes the list, once in an instant.
func (m *mapper) Ask(v *sim.View) bool {
	if m.asked {
		return false
	}
	m.asked = true
	return m.shown()
}

// Observe writes the features of the cluster and of the jobs in the list.
func (m *mapper) Observe(v *sim.View, obs []float64, _ []bool) {
	m.waiting = m.waiting[:0]
	for _, j := range m.policy.Waiting() {
		d := m.policy.Demand(j)
		m.waiting = append(m.waiting, plan.Wanted{GPUs: int(d.GPUs), Type: d.Type, Waiting: 1, Oldest: v.Run(j).Since()})
	}
	m.cfg.observe(v, m.read, m.waiting, m.list, obs)
}

// Answer takes the agent's scores; nil = the rule's order.
func (m *mapper) Answer(v *sim.View, action []float64) {
	if m.answered = action != nil; !m.answered {
		return
	}
	m.scored = m.scored[:0]
	behind, at := -float64(mostScore), 0
	for i := range m.list {
		behind = max(behind, action[i])
	}
	for _, j := range m.policy.Waiting() {
		x := rltune.Scored{Job: j, Score: behind + 1}
		if at < len(m.list) && m.list[at] == j {
			x.Score = action[at]
			at++
		}
		m.scored = append(m.scored, x)
	}
}

// Reads states what Answer reads of an action, so that snapshots leave out the rest: the places that
// have a job.
func (m *mapper) Reads() (head, tail int) { return len(m.list), 0 }

// Finish gives the decisions of the instant.
func (m *mapper) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	if !m.policy.May(v) {
		return out
	}
	if !m.answered {
		m.scored = m.policy.Rank(v, m.scored[:0])
	}
	return m.policy.Map(v, m.scored, out)
}

// Demonstrate writes the scores of the baseline.
func (m *mapper) Demonstrate(v *sim.View, action []float64) {
	clear(action)
	if m.demo == nil {
		return
	}
	for i, j := range m.list {
		action[i] = min(mostScore, max(-mostScore, m.demo.Score(v, j)))
	}
}

// Clone gives an independent copy.
func (m *mapper) Clone() schedenv.Scheduler {
	c := new(mapper)
	c.CopyFrom(m)
	return c
}

// CopyFrom makes m equal to another one, in its own memory.
func (m *mapper) CopyFrom(other schedenv.Scheduler) {
	o, old := other.(*mapper), *m
	*m = *o
	m.list, m.scored, m.all, m.waiting = append(old.list[:0], o.list...), old.scored[:0], old.all, old.waiting
	if m.policy, m.read = old.policy, old.read; m.policy == nil {
		m.policy, m.read = o.policy.Clone().(*rltune.Policy), new(ranked.Reader)
	} else {
		m.policy.CopyFrom(o.policy)
	}
	m.read.CopyFrom(o.read)
	m.view = nil
}

// observe writes the features of the cluster and of the jobs in a list.
func (c *Config) observe(v *sim.View, read *ranked.Reader, waiting []plan.Wanted, list []sim.JobID, obs []float64) {
	n := schedenv.Cluster(v, waiting, c.Lease(), obs)
	now := read.Common()
	if obs[n] = now.Pressure; c.gated() {
		n += 2
		obs[n-1], obs[n] = now.Lull, now.Doubt
	}
	obs = obs[n+1:]
	each := c.rowLen()
	var x score.Inputs
	for i, j := range list {
		row := obs[i*each : (i+1)*each]
		read.Read(v, j, nil, &x)
		row[0] = 1
		for k, in := range x[:score.Pressure] {
			row[1+k] = min(mostInput, max(-mostInput, in))
		}
		for k := range row[rowLen:] {
			row[rowLen+k] = min(mostInput, max(-mostInput, x[int(score.Left)+k]))
		}
	}
	clear(obs[len(list)*each : c.Jobs*each])
}
