package replay

import (
	"tarry/agents/learn"
	"tarry/sim/rng"
)

// Memory is what a learner off the policy learns from: the steps of its environments, the size of
// their rewards, and demonstrations if there are any.
type Memory struct {
	// Buffer has the learner's own steps, Demos the steps of a demonstrator; nil = the run is
	// without demonstrations.
	Buffer *Buffer
	Demos  *Demos
	// Draws is the stream that own transitions are drawn from.
	Draws *rng.Stream

	cfg   MemoryConfig
	envs  *learn.Envs
	scale *Scale // nil = rewards are taken as they are
	demos *rng.Stream
	drawn Transition // of a minibatch, one after the other
}

// MemoryConfig states what is kept and how it is drawn.
type MemoryConfig struct {
	// Shape is the shape of a step, Rows how many of the learner's own are kept, at least 1.
	Shape Shape
	Rows  int
	// NSteps is over how many steps rewards are summed, Batch how many transitions a minibatch has.
	NSteps, Batch int
	// NormReward divides rewards by the running deviation of the discounted return.
	NormReward bool
	// Demonstrated states that there may be demonstrations, Share which part of each minibatch they
	// then are, in (0,1).
	Demonstrated bool
	Share        float64
}

// NewMemory is empty. Its streams are src's "draw" and "demo".
func NewMemory(c MemoryConfig, envs *learn.Envs, src rng.Source) *Memory {
	m := &Memory{Buffer: NewBuffer(c.Shape, envs.N(), c.Rows), Draws: src.Stream("draw"), cfg: c, envs: envs}
	if c.Demonstrated {
		m.Demos, m.demos = NewDemos(c.Shape, envs.N()), src.Stream("demo")
	}
	if c.NormReward {
		m.scale = NewScale(envs.N())
	}
	return m
}

// Sections returns the sections of a checkpoint, except Draws.
func (m *Memory) Sections() []learn.Section {
	s := []learn.Section{learn.Binary("replay", m.Buffer)}
	if m.scale != nil {
		s = append(s, learn.Binary("replay/scale", m.scale))
	}
	if m.Demos != nil {
		s = append(s, learn.Binary("stream/demo", m.demos), learn.Binary("replay/demos", m.Demos))
	}
	return s
}

// Begin resets the environments, once in a run.
func (m *Memory) Begin() error {
	first, err := m.envs.Begin()
	if first {
		m.Buffer.Begin(m.envs.Batch)
	}
	return err
}

// Advance takes the actions of the environments; taken are these actions as they are kept.
func (m *Memory) Advance(taken []float64) error {
	err := m.step()
	if err == nil {
		m.Buffer.Add(taken, m.envs.Batch, m.envs.Discount)
	}
	return err
}

func (m *Memory) step() error {
	err := m.envs.Advance()
	if err == nil && m.scale != nil {
		m.scale.Add(m.envs.Batch, m.envs.Discount)
	}
	return err
}

// Shared is how many transitions of a minibatch are demonstrated: 0 before a demonstrator has
// acted.
func (m *Memory) Shared() int {
	if m.Demos.Held() == 0 {
		return 0
	}
	return Share(m.cfg.Share, m.cfg.Batch)
}

// Minibatch draws transitions uniformly, the first demonstrated ones from the demonstrations, and
// gives each with its row to use. A transition is valid until the next step.
func (m *Memory) Minibatch(demonstrated int, use func(row int, tr *Transition)) {
	scale := m.scale.Value()
	for k := range m.cfg.Batch {
		if k < demonstrated {
			m.drawn = m.Demos.At(m.Demos.Draw(m.demos.Rand), m.cfg.NSteps, scale)
		} else {
			m.drawn = m.Buffer.At(m.Buffer.Draw(m.Draws.Rand), m.cfg.NSteps, scale)
		}
		use(k, &m.drawn)
	}
}
