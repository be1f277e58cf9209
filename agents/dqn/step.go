package dqn

import (
	"tarry/agents/nn"
	"tarry/agents/replay"
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

	next             []float64 // what the transitions led to, one after the other
	nextMask         []bool    // nil without masks
	reward, discount []float64
	// values of the actions there, by the network that chooses and by the network that judges
	chosen, judged []float64

	// Of demonstrated transitions; nil without Config.Demo.
	rival  []float64 // a one at the action whose value and margin together are largest
	margin []float64 // of that action, 0 for the demonstrated one
	weight []float64 // 0 for transitions that are not demonstrated
	demo   Demo
}

// What can be read from a step's machine: the value of each action taken, and by how much the
// margin of each demonstrated action is missed, times the weight.
const (
	watchQ = iota
	watchMargin
)

// newStep builds the graph: the mean over the minibatch of (Q(s,a) - y)^2, or of Huber's loss of
// the difference; with demonstrations, the mean loss of their margins is added.
func newStep(p *Policy, cfg *Config) (*step, error) {
	t := nn.NewTape(cfg.Batch)
	s := &step{rows: cfg.Batch, actions: len(p.q)}
	room := func(n int) []float64 { return make([]float64, n*s.rows) }
	s.next, s.reward, s.discount = room(p.obs), room(1), room(1)
	s.chosen, s.judged = room(s.actions), room(s.actions)
	if p.masked {
		s.nextMask = make([]bool, s.rows*s.actions)
	}
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
	if cfg.Demo != nil {
		loss = t.Add(loss, s.graphMargin(t, out, q, *cfg.Demo))
	}
	m, err := t.Compile(t.Scale(t.Sum(loss), 1/float64(s.rows)))
	s.machine = m
	return s, err
}

// graphMargin adds the loss of margins (Hester et al., arXiv:1704.03732, equation 2), row by row:
//
//	max over legal a of [Q(s,a) + margin(a)] - Q(s,demonstrated), margin(a) = 0 for the demonstrated action
//
// Where the maximum is comes from outside (demonstrate): its slope is the slope of the term at
// which it lies.
func (s *step) graphMargin(t *nn.Tape, out, q nn.Node, demo Demo) nn.Node {
	s.demo = demo
	var rival, margin, weight nn.Node
	rival, s.rival = t.Matrix("rival", s.rows, s.actions)
	margin, s.margin = t.Vector("margin")
	weight, s.weight = t.Vector("demonstrated")
	loss := t.Mul(weight, t.Add(t.Sub(t.SumRows(t.Mul(rival, out)), q), margin))
	t.Watch(loss)
	return loss
}

// demonstrate sets the margin of a row: none if the transition was not demonstrated.
func (s *step) demonstrate(row int, tr *replay.Transition, p *Policy, demonstrated bool) {
	if s.weight == nil {
		return
	}
	at := row * s.actions
	clear(s.rival[at : at+s.actions])
	s.margin[row], s.weight[row] = 0, 0
	if !demonstrated || s.demo.Weight == 0 {
		return
	}
	own := int(tr.Action[0])
	p.net.Forward(p.q, tr.Obs, tr.Mask)
	k := rival(p.q, tr.Mask, own, s.demo.Margin)
	s.rival[at+k], s.weight[row] = 1, s.demo.Weight
	if k != own {
		s.margin[row] = s.demo.Margin
	}
}

// rival is the legal action of the largest value, where the values of all but own are raised by the
// margin; own if it is level with the best. It changes q.
func rival(q []float64, mask []bool, own int, margin float64) int {
	for i := range q {
		if i != own {
			q[i] += margin
		}
	}
	if k := argmax(q, mask); q[k] > q[own] {
		return k
	}
	return own
}

// fill sets a row to a transition and the target of its action's value.
func (s *step) fill(row int, tr *replay.Transition, target float64) {
	s.feed(row, tr.Obs, tr.Mask)
	at := row * s.actions
	clear(s.taken[at : at+s.actions])
	s.taken[at+int(tr.Action[0])] = 1
	s.target[row] = target
}

// follow keeps what the transition of a row led to.
func (s *step) follow(row int, tr *replay.Transition) {
	s.reward[row], s.discount[row] = tr.Reward, tr.Discount
	copy(s.next[row*len(tr.Next):], tr.Next)
	if s.nextMask != nil {
		copy(s.nextMask[row*s.actions:], tr.NextMask)
	}
}

// bootstrap sets the targets: the reward, and the value of what the transition led to. Forbidden
// actions are neither chosen nor counted. Double: the network chooses, the target network judges
// (van Hasselt et al., equation 4).
func (s *step) bootstrap(online, target *Policy, double bool) {
	target.net.ForwardRows(s.judged, s.next, s.nextMask, s.rows)
	chosen := s.judged
	if double {
		chosen = s.chosen
		online.net.ForwardRows(chosen, s.next, s.nextMask, s.rows)
	}
	for row := range s.rows {
		from, to := row*s.actions, (row+1)*s.actions
		value := 0.0
		if s.discount[row] != 0 { // else the problem ended, or the future counts for nothing
			var mask []bool
			if s.nextMask != nil {
				mask = s.nextMask[from:to]
			}
			value = s.judged[from+argmax(chosen[from:to], mask)]
		}
		s.target[row] = s.reward[row] + float64(s.discount[row]*value)
	}
}
