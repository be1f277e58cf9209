package ppo

import (
	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/policy"
)

// minibatch is the graph of a loss over a fixed number of rows, and its inputs. Inputs that a loss
// does not have are nil.
type minibatch struct {
	rows    int
	machine *nn.Machine

	actor    *policy.Likelihood
	logRatio nn.Node
	observe  func(row int, obs []float64, mask []bool) // the critic's input

	weight                  nn.Node
	weights                 []float64 // 1/rows in use, 0 for padding
	oldLogProbs, advantages []float64
	returns, oldValues      []float64
	ratioLow, ratioHigh     []float64 // bounds of the ratio
	valueLow, valueHigh     []float64 // bounds of the change of the value
}

// What can be read from a minibatch's machine, in this order.
const (
	watchPolicy = iota
	watchValue
	watchEntropy
	watchLogRatio
)

// newMinibatch has the inputs that every loss has: weights of rows, and the logarithm of the ratio
// of new to old probabilities of actions.
func newMinibatch(t *nn.Tape, p *Policy, rows int) *minibatch {
	m := &minibatch{rows: rows}
	m.weight = m.input(t, "weight", &m.weights)
	m.actor = p.Likelihood(t)
	m.logRatio = t.Sub(m.actor.LogProb, m.input(t, "old_logp", &m.oldLogProbs))
	return m
}

// input adds a number per row to the graph, to be filled in through data.
func (m *minibatch) input(t *nn.Tape, name string, data *[]float64) nn.Node {
	node, values := t.Vector(name)
	*data = values
	return node
}

// mean is the mean of a number per row over the rows in use.
func (m *minibatch) mean(t *nn.Tape, x nn.Node) nn.Node { return t.Sum(t.Mul(m.weight, x)) }

// critic adds the critic to the graph: its values of the observations, and the returns that they
// should be.
func (m *minibatch) critic(t *nn.Tape, p *Policy) (values, returns nn.Node) {
	var out nn.Node
	out, m.observe = p.Critic.Graph(t)
	values = t.Reshape(out, m.rows, 0)
	return values, m.input(t, "return", &m.returns)
}

// watch lets the parts of the loss be read after a run.
func (m *minibatch) watch(t *nn.Tape, policyLoss, valueLoss, entropy nn.Node) {
	t.Watch(policyLoss)
	t.Watch(valueLoss)
	t.Watch(entropy)
	t.Watch(m.logRatio)
}

// load copies rows of a rollout into the inputs. Rows that are left over repeat the first one with
// weight 0.
func (m *minibatch) load(r *rollout, index []int, clipCoef float64) {
	for k := range m.rows {
		row, w := index[0], 0.0
		if k < len(index) {
			row, w = index[k], 1/float64(len(index))
		}
		m.weights[k] = w
		m.actor.Fill(k, r.ObsOf(row), r.MaskOf(row), r.RawOf(row))
		m.observe(k, r.ObsOf(row), r.MaskOf(row))
		m.oldLogProbs[k], m.returns[k] = r.logProbs[row], r.Returns[row]
		if m.advantages != nil {
			m.advantages[k] = r.Advantages[row]
			m.ratioLow[k], m.ratioHigh[k] = 1-clipCoef, 1+clipCoef
		}
		if m.oldValues != nil {
			m.oldValues[k], m.valueLow[k], m.valueHigh[k] = r.Values[row], -clipCoef, clipCoef
		}
	}
}

// diverged is the error of a loss or a gradient that is not finite.
func (m *minibatch) diverged(params []*nn.Param, loss float64) error {
	return learn.Diverged(params, loss, " (policy %g, value %g, entropy %g)",
		m.machine.Watched(watchPolicy), m.machine.Watched(watchValue), m.machine.Watched(watchEntropy))
}
