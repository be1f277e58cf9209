package muri

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/stages"
)

// Options set how a profile is read as speeds.
type Options struct {
	// Order is the order in which the jobs of a group take their stages.
	Order stages.Order
	// Model stands in for models that the profile does not have; "" = they are errors.
	Model string
}

// Model is the sim.SpeedModel. It belongs to one run.
type Model struct {
	profile *Profile
	opt     Options
	kinds   map[kind]int16
	stages  []Stage // by number in kinds
	groups  map[[stages.Most]int16]float64
}

// kind is a model on a number of GPUs.
type kind struct {
	model string
	gpus  int
}

// maxKinds bounds how many kinds of jobs a run may have: models times numbers of GPUs.
const maxKinds = math.MaxInt16

// New makes a model. The error states that the stand-in is not in the profile.
func New(p *Profile, opt Options) (*Model, error) {
	if _, ok := p.Of(opt.Model, 1); !ok && opt.Model != "" {
		return nil, fmt.Errorf("%s: no model %q, expected one of %s", p.Dir, opt.Model, strings.Join(p.Models(), ", "))
	}
	return &Model{profile: p, opt: opt, kinds: map[kind]int16{}, groups: map[[stages.Most]int16]float64{}}, nil
}

// Profile is what the model reads.
func (m *Model) Profile() *Profile { return m.profile }

// Lacks is the error of a job whose model was not measured.
func (m *Model) Lacks(j *sim.Job) error {
	_, err := m.kindOf(j, int(j.GPUs))
	return err
}

// kindOf numbers what a job is on a number of GPUs, from 1 on.
func (m *Model) kindOf(j *sim.Job, gpus int) (int16, error) {
	key := kind{j.Model, gpus}
	if k, ok := m.kinds[key]; ok {
		return k, nil
	}
	s, ok := m.profile.Of(j.Model, gpus)
	if !ok {
		s, ok = m.profile.Of(m.opt.Model, gpus)
	}
	switch {
	case !ok:
		return 0, fmt.Errorf("%s: no stages of model %q (job %q), expected one of %s, or the option model= for others%s",
			m.profile.Dir, j.Model, j.ID, strings.Join(m.profile.Models(), ", "), param.Hint(j.Model, m.profile.Models()))
	case len(m.stages) == maxKinds:
		return 0, fmt.Errorf("%s: more than %d kinds of jobs", m.profile.Dir, maxKinds)
	}
	m.stages = append(m.stages, s)
	m.kinds[key] = int16(len(m.stages))
	return int16(len(m.stages)), nil
}

// Speed implements sim.SpeedModel.
func (m *Model) Speed(q *sim.Query) (sim.Speed, error) {
	k, err := m.kindOf(q.Job, len(q.GPUs))
	if err != nil {
		return sim.Speed{}, err
	}
	s := &m.stages[k-1]
	unit, err := m.unit(q.Job)
	if err != nil {
		return sim.Speed{}, err
	}
	iterS := s.IterS
	if len(q.Peers) > 0 {
		if iterS, err = m.beside(q, k); err != nil {
			return sim.Speed{}, err
		}
	}
	knobs := q.Knobs
	knobs.ShareMilli = 0 // stages that overlap are in the iteration already
	return knobs.Scaled(unit/iterS, s.frac()), nil
}

// frac is the part of an iteration in which a job alone does not exchange gradients; it is above 0.
func (s *Stage) frac() float64 { return max(1e-6, 1-s.Times[stages.Exchange]/s.IterS) }

// unit is the work of an iteration, in seconds of one reference GPU.
func (m *Model) unit(j *sim.Job) (float64, error) {
	switch {
	case j.IterS > 0:
		return j.IterS, nil
	case j.Iterations > 0:
		return j.Work.Seconds() / float64(j.Iterations), nil
	}
	k, err := m.kindOf(j, int(j.GPUs))
	if err != nil {
		return 0, err
	}
	return float64(m.stages[k-1].IterS * float64(j.GPUs)), nil
}

// beside is the iteration time of a job of kind k with its neighbours.
func (m *Model) beside(q *sim.Query, k int16) (float64, error) {
	group, sum := [stages.Most]int16{k}, m.stages[k-1].IterS
	turns := len(q.Peers) >= stages.Most
	for i := range q.Peers {
		p := &q.Peers[i]
		x, err := m.kindOf(p.Job, len(p.GPUs))
		if err != nil {
			return 0, err
		}
		sum += m.stages[x-1].IterS
		if turns = turns || !slices.Equal(p.GPUs, q.GPUs); !turns {
			group[i+1] = x
		}
	}
	if turns {
		return sum, nil
	}
	// so that the time has the same bits for each job of the group
	slices.SortFunc(group[:len(q.Peers)+1], func(a, b int16) int { return int(a) - int(b) })
	if t, ok := m.groups[group]; ok {
		return t, nil
	}
	var times [stages.Most]stages.Times
	for i, x := range group[:len(q.Peers)+1] {
		times[i] = m.stages[x-1].Times
	}
	t := stages.GroupS(times[:len(q.Peers)+1], 0, m.opt.Order)
	if !(t > 0) { // none of them has a stage that takes time
		t = sum
	}
	m.groups[group] = t
	return t, nil
}

// Telemetry has the times of an iteration of a job alone, and of its stages.
func (m *Model) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	if len(q.GPUs) == 0 {
		return false
	}
	k, err := m.kindOf(q.Job, len(q.GPUs))
	if err != nil {
		return false
	}
	s := &m.stages[k-1]
	t.StepS, t.SyncS, t.AccumSteps = s.IterS, s.IterS*(1-s.frac()), 1
	t.LoadS, t.ComputeS, t.ExchangeS = s.Times[stages.Load], s.Times[stages.Compute], s.Times[stages.Exchange]
	t.Batch, t.LocalBatch = int32(s.Batch), int32((s.Batch+len(q.GPUs)-1)/len(q.GPUs))
	return true
}
