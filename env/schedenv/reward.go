package schedenv

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/env/schedenv/charge"
	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Reward states what an agent is paid for. Every kind is minus a cost that accrues over simulated
// time, so that it does not depend on how often the agent is asked.
type Reward struct {
	// Kind is one of Rewards.
	Kind string
	// Gamma discounts the cost within a step, per lease of simulated time, from the step's start; 1
	// = not. A learner then discounts the next step by Gamma^Elapsed.
	Gamma float64
	// AverageLeases subtracts the mean reward per time, a moving average over about so many leases
	// of simulated time, times the time elapsed (the average-reward correction); 0 = not.
	AverageLeases float64
	// Energy is what energy costs, with the kind energy.
	Energy charge.Law
}

// account opens the account of energy of a run; nil where it states no watts.
func (c *Config) account() (*charge.Account, error) {
	return charge.Open(c.Power, c.Topology, c.Reward.Energy, c.Lease(), c.Reward.Gamma)
}

// Validate reports every fault.
func (r Reward) Validate() error {
	var errs []string
	if !slices.Contains(kinds(), r.Kind) {
		errs = append(errs, fmt.Sprintf("reward is %q, expected one of %s%s", r.Kind, strings.Join(kinds(), ", "),
			param.Hint(r.Kind, kinds())))
	}
	if !(r.Gamma > 0 && r.Gamma <= 1) {
		errs = append(errs, fmt.Sprintf("gamma is %v, expected a number in (0, 1]", r.Gamma))
	}
	if !(r.AverageLeases >= 0) || math.IsInf(r.AverageLeases, 0) {
		errs = append(errs, fmt.Sprintf("average is %v leases, expected a finite number >= 0", r.AverageLeases))
	}
	if r.Kind == "energy" {
		errs = append(errs, r.Energy.Validate()...)
	}
	if (r.Kind == "relative" || r.bounded()) && r.Gamma != 1 {
		errs = append(errs, fmt.Sprintf("gamma is %v with reward %s, expected 1", r.Gamma, r.Kind))
	}
	if len(errs) > 0 {
		return fmt.Errorf("%s", strings.Join(errs, "; "))
	}
	return nil
}

// bounded reports whether the reward is of bounded slowdowns.
func (r *Reward) bounded() bool { return r.Kind == "bsld" || r.Kind == "gain" }

// shortest bounds a job's ideal time from below in the slowdown reward, as bounded slowdown does.
const shortest = 10 * sim.Second

// meter integrates a cost over simulated time.
type meter struct {
	Reward
	jobs  []sim.Job
	lease float64 // microseconds
	scale float64 // what a unit of cost is divided by, beside the lease
	lnG   float64

	in   int64   // jobs in the system
	rate float64 // cost per time now, for kinds that are not counts
	at   sim.Time
	// Of the present step: when it began, job-microseconds, and the cost of the other kinds.
	from sim.Time
	area int64
	cost float64
	base curve
	// own is the mean bounded slowdown so far, theirs the base policy's at the end, with the kind gain.
	own, theirs float64
	// energy is its account; nil = the run states no watts. spent is of the step that ended last,
	// total of the steps since the first question.
	energy       *charge.Account
	spent, total charge.Spent
	// mean is the average-reward estimate, per lease.
	mean float64
}

func newMeter(c *Config) meter {
	m := meter{Reward: c.Reward, lease: float64(c.Lease())}
	m.scaled(c.Topology)
	if c.Reward.Gamma != 1 {
		m.lnG = math.Log(c.Reward.Gamma)
	}
	return m
}

// scaled sets what costs are divided by: the GPUs of the cluster, but for the makespan.
func (m *meter) scaled(t *cluster.Topology) {
	if m.scale = float64(t.GPUs()); m.Kind == "makespan" {
		m.scale = 1
	}
}

// start sets the meter to a state of a run.
func (m *meter) start(v *sim.View, w *window) {
	m.jobs, m.base, m.energy = w.jobs, w.base, w.energy
	m.energy.Take(v.Now())
	m.at, m.from, m.area, m.cost, m.rate, m.in = v.Now(), v.Now(), 0, 0, 0, 0
	for j := range m.jobs {
		switch v.Run(sim.JobID(j)).State() {
		case sim.Waiting, sim.Running, sim.Draining:
			m.in++
			m.rate += m.weight(sim.JobID(j))
		}
	}
	if m.bounded() {
		m.scale = float64(len(m.jobs))
	}
	m.own, m.theirs = 0, w.slowdown
	m.base.next = 0
	m.base.area(m.from)
}

// weight is what a job adds to the rate of cost while it is in the system.
func (m *meter) weight(j sim.JobID) float64 {
	switch job := &m.jobs[j]; m.Kind {
	case "slowdown", "bsld", "gain":
		return m.lease / float64(max(shortest, job.Work/sim.Time(job.GPUs)))
	case "weighted":
		return float64(job.GPUs)
	}
	return 0
}

// short is what a job that ends now lacks to a bounded slowdown of 1: only one that needs less than
// 10 s may lack something.
func (m *meter) short(j sim.JobID) float64 {
	return max(0, 1-float64(m.weight(j)*float64(m.at-m.jobs[j].Submit))/m.lease)
}

// advance books the time up to now, then takes in what happened.
func (m *meter) advance(v *sim.View) {
	m.book(v.Now())
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive:
			m.in++
			m.rate += m.weight(ev.Job)
		case sim.Finish:
			if m.bounded() {
				m.cost += m.short(ev.Job)
			}
			m.leave(ev.Job)
		}
	}
}

// leave takes a job out of the system.
func (m *meter) leave(j sim.JobID) {
	if m.in--; m.in == 0 {
		m.rate = 0 // and so is the rounding of many additions
	} else {
		m.rate -= m.weight(j)
	}
}

// book books the time up to now.
func (m *meter) book(now sim.Time) {
	if m.lnG != 0 {
		m.energy.Settle(now)
	}
	dt := now - m.at
	if dt == 0 {
		return
	}
	m.area += m.in * int64(dt)
	rate := m.rate
	switch {
	case m.Kind == "makespan" && m.in > 0:
		rate = 1
	case m.Kind == "jct" || m.Kind == "relative" || m.Kind == "energy":
		if m.lnG == 0 {
			m.at = now // area has it, exactly
			return
		}
		rate = float64(m.in)
	}
	if m.lnG == 0 {
		m.cost += float64(rate*float64(dt)) / m.lease
	} else {
		a, b := float64(m.at-m.from)/m.lease, float64(now-m.from)/m.lease
		m.cost += float64(rate*(fixmath.Exp(float64(m.lnG*a))-fixmath.Exp(float64(m.lnG*b)))) / -m.lnG
	}
	m.at = now
}

// settle takes in the decisions of an instant: who was rejected, and the speeds that depend on
// them.
func (m *meter) settle(v *sim.View, made []sim.Decision) {
	for i := range made {
		if made[i].Kind == sim.Reject {
			m.leave(made[i].Job)
		}
	}
	if m.Kind != "comm" {
		return
	}
	m.rate = 0
	for _, j := range v.Running() {
		m.rate += float64(float64(len(v.Run(j).Held())) * (1 - v.Run(j).Speed().ComputeFrac))
	}
}

// gain is the reward at the end of an episode with the kind gain; 0 with any other.
func (m *meter) gain() float64 {
	if m.Kind != "gain" {
		return 0
	}
	return (m.theirs - m.own) / max(m.theirs, m.own, 1)
}

// take gives the reward of the step that ends now, its length in leases and the job-microseconds in
// it, and begins the next one.
func (m *meter) take() (reward, elapsed, area float64) {
	elapsed, area = float64(m.at-m.from)/m.lease, float64(m.area)
	cost := m.cost
	switch {
	case m.Kind == "relative":
		before := m.base.area(m.from)
		cost = float64(m.area-(m.base.area(m.at)-before)) / m.lease
	case (m.Kind == "jct" || m.Kind == "energy") && m.lnG == 0:
		cost = area / m.lease
	}
	reward = 0 - cost/m.scale
	if m.Kind == "gain" {
		m.own, reward = m.own-reward, 0
	}
	m.spent = m.energy.Take(m.at)
	m.total.Add(&m.spent)
	if m.Kind == "energy" {
		reward -= m.spent.Charge
	}
	m.from, m.area, m.cost = m.at, 0, 0
	if w := m.AverageLeases; w > 0 {
		plain := reward
		reward -= float64(m.mean * elapsed)
		if elapsed > 0 {
			m.mean += float64((1 - fixmath.Exp(-elapsed/w)) * (plain/elapsed - m.mean))
		}
	}
	return reward, elapsed, area
}
