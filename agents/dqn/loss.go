package dqn

import (
	"tarry/internal/nn"
	"tarry/internal/replay"
)

// step is one minibatch's graph: the loss of the network for a fixed number of transitions, and
// the inputs to fill.
type step struct {
	rows    int
	actions int
	machine *nn.Machine

	feed   func(row int, obs []float64, mask []bool)
	taken  []float64 // a one where the action was taken
	target []float64 // what the action's value should have been
}

// What a step's machine lets be watched: the value of each action taken.
const watchQ = 0

// newStep builds the graph: the mean over the minibatch of (Q(s,a) - y)^2, or of Huber's loss of
// the difference.
func newStep(p *Policy, cfg *Config) (*step, error) {
	t := nn.NewTape(cfg.Batch)
	s := &step{rows: cfg.Batch, actions: len(p.q)}
	var out, taken, target nn.Node
	out, s.feed = p.net.Graph(t)
	taken, s.taken = t.Matrix("taken", s.rows, s.actions)
	target, s.target = t.Vector("target")
	q := t.SumRows(t.Mul(taken, out))
	t.Watch(q)
	miss := t.Sub(q, target)
	loss := t.Square(miss)
	if cfg.Huber {
		loss = t.Huber("bend", miss)
	}
	m, err := t.Compile(t.Scale(t.Sum(loss), 1/float64(s.rows)))
	s.machine = m
	return s, err
}

// fill sets a row to a transition and the target of its action's value.
func (s *step) fill(row int, tr *replay.Transition, target float64) {
	s.feed(row, tr.Obs, tr.Mask)
	at := row * s.actions
	clear(s.taken[at : at+s.actions])
	s.taken[at+int(tr.Action[0])] = 1
	s.target[row] = target
}

// bootstrap is the value of what a transition led to. Forbidden actions are neither chosen nor
// counted. Double: the network chooses, the target network judges (van Hasselt et al., equation 4).
func bootstrap(tr *replay.Transition, online, target *Policy, double bool) float64 {
	if tr.Discount == 0 { // the problem ended, or the future counts for nothing
		return 0
	}
	if !double {
		return target.q[target.best(tr.Next, tr.NextMask)]
	}
	choice := online.best(tr.Next, tr.NextMask)
	target.net.Forward(target.q, tr.Next, tr.NextMask)
	return target.q[choice]
}
