package sac

import (
	"tarry/agents/nn"
	"tarry/internal/fixmath"
)

// critics are the two networks of action values and the loss of both for a fixed number of
// transitions, with the inputs to fill.
type critics struct {
	net     [2]*nn.MLP
	target  [2]*nn.MLP
	in      []float64 // observation and action, row by row
	y       []float64 // what the values should have been
	machine *nn.Machine
	one     []float64
}

// What can be read from the critics' machine: the values that the first one gives.
const watchQ = 0

// newCritics builds the graph: the mean over the minibatch of (Q1-y)^2 + (Q2-y)^2 (Haarnoja et
// al., equation 5, for both critics).
func newCritics(cfg *Config, net, target [2]*nn.MLP) (*critics, error) {
	c := &critics{net: net, target: target, one: make([]float64, 1)}
	t := nn.NewTape(cfg.Batch)
	var in, y nn.Node
	in, c.in = t.Matrix("in", cfg.Batch, net[0].In())
	y, c.y = t.Vector("y")
	var loss [2]nn.Node
	for k, n := range net {
		q := t.Reshape(n.GraphOn(t, in), cfg.Batch, 0)
		if k == watchQ {
			t.Watch(q)
		}
		loss[k] = t.Square(t.Sub(q, y))
	}
	m, err := t.Compile(t.Scale(t.Sum(t.Add(loss[0], loss[1])), 1/float64(cfg.Batch)))
	c.machine = m
	return c, err
}

// row is where the observation and the action of a row go.
func (c *critics) row(k int) []float64 {
	n := c.net[0].In()
	return c.in[k*n : (k+1)*n]
}

// least is the smaller value that the target critics give an observation with an action (Fujimoto
// et al., arXiv:1802.09477).
func (c *critics) least(in []float64) float64 {
	c.target[0].Forward(c.one, in, nil)
	a := c.one[0]
	c.target[1].Forward(c.one, in, nil)
	return min(a, c.one[0])
}

// params are the weights of both critics, targets the weights of their targets.
func (c *critics) params() []*nn.Param {
	return append(c.net[0].Params(), c.net[1].Params()...)
}

func (c *critics) targets() []*nn.Param {
	return append(c.target[0].Params(), c.target[1].Params()...)
}

// actorLoss is the loss of the actor for a fixed number of observations.
type actorLoss struct {
	machine *nn.Machine
	obs     []float64 // row by row
	noise   []float64 // standard normal
	alpha   []float64 // the temperature, in each row
}

// What can be read from the actor's machine: the log-density of each action.
const watchLogp = 0

// newActorLoss builds the graph: the mean over the minibatch of alpha log pi(a|s) - min(Q1,Q2)(s,a)
// with a = tanh(mean + deviation * noise) (Haarnoja et al., equation 9). The critics' weights are
// constants in it.
func newActorLoss(cfg *Config, p *Policy, critic [2]*nn.MLP) (*actorLoss, error) {
	l := &actorLoss{}
	t := nn.NewTape(cfg.Batch)
	t.Freeze(append(critic[0].Params(), critic[1].Params()...))
	var obs, action, logp, alpha nn.Node
	obs, l.obs = t.Matrix("obs", cfg.Batch, p.obs)
	action, logp, l.noise = p.actor.Graph(t, obs)
	alpha, l.alpha = t.Vector("alpha")
	width := p.obs + len(p.raw)
	in := t.Add(t.Place("observations", obs, 0, width), t.Place("actions", action, p.obs, width))
	q := t.Min(t.Reshape(critic[0].GraphOn(t, in), cfg.Batch, 0), t.Reshape(critic[1].GraphOn(t, in), cfg.Batch, 0))
	t.Watch(logp)
	m, err := t.Compile(t.Scale(t.Sum(t.Sub(t.Mul(alpha, logp), q)), 1/float64(cfg.Batch)))
	l.machine = m
	return l, err
}

// temperatureLoss is -alpha (mean log-density + target) with alpha = exp(logAlpha), and its slope
// in logAlpha (Haarnoja et al., equation 18): alpha rises while the entropy is below the target.
func temperatureLoss(logAlpha, meanLogp, target float64) (loss, slope float64) {
	loss = -fixmath.Exp(logAlpha) * (meanLogp + target)
	return loss, loss
}
