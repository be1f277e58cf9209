package ppo

import (
	"math"

	"tarry/agents/nn"
	"tarry/agents/policy"
)

// step is one minibatch's graph: the losses of PPO or of imitation for a fixed number of
// rows, and the inputs to fill.
type step struct {
	rows    int
	machine *nn.Machine

	actor         *policy.Likelihood
	criticFeed    func(row int, obs []float64, mask []bool)
	weight        []float64 // 1/rows in use, 0 for padding
	oldLogp, adv  []float64
	ret, oldValue []float64
	low, high     []float64 // bounds of the ratio
	lowV, highV   []float64 // bounds of the value's change

	p *Policy
}

// What a step's machine lets be watched, in this order.
const (
	watchPolicy = iota
	watchValue
	watchEntropy
	watchLogRatio
)

// newStep builds the graph. With imitate the policy's loss is minus the log-likelihood of
// the actions and values are not clipped.
func newStep(p *Policy, cfg *Config, rows int, imitate bool) (*step, error) {
	t := nn.NewTape(rows)
	s := &step{rows: rows, p: p}
	var weight, adv, old nn.Node
	weight, s.weight = t.Vector("weight")
	s.actor = p.Likelihood(t)
	old, s.oldLogp = t.Vector("old_logp")
	logRatio := t.Sub(s.actor.LogProb, old)

	var policy nn.Node
	if imitate {
		policy = t.Neg(t.Sum(t.Mul(weight, s.actor.LogProb)))
	} else {
		adv, s.adv = t.Vector("advantage")
		policy = t.Neg(t.Sum(t.Mul(weight, s.surrogate(t, logRatio, adv))))
	}
	value := t.Sum(t.Mul(weight, s.valueLoss(t, cfg.ClipValue && !imitate)))
	bonus := t.Sum(t.Mul(weight, s.actor.Entropy))
	t.Watch(policy)
	t.Watch(value)
	t.Watch(bonus)
	t.Watch(logRatio)
	loss := t.Add(policy, t.Scale(value, cfg.ValueCoef))
	if cfg.EntropyCoef > 0 {
		loss = t.Add(loss, t.Scale(bonus, -cfg.EntropyCoef)) // detail 10 of the core list
	}
	m, err := t.Compile(loss)
	s.machine = m
	return s, err
}

// surrogate is the clipped objective, equation 7 of Schulman et al. (arXiv:1707.06347),
// detail 8 of the core list.
func (s *step) surrogate(t *nn.Tape, logRatio, adv nn.Node) nn.Node {
	var low, high nn.Node
	low, s.low = t.Vector("ratio_low")
	high, s.high = t.Vector("ratio_high")
	ratio := t.Exp(logRatio)
	return t.Min(t.Mul(ratio, adv), t.Mul(t.Clamp(ratio, low, high), adv))
}

// valueLoss is half the squared error, the larger of that of the value and of the value
// kept near the old one (detail 9 of the core list).
func (s *step) valueLoss(t *nn.Tape, clip bool) nn.Node {
	var ret, old, low, high, out nn.Node
	out, s.criticFeed = s.p.Critic.Graph(t)
	v := t.Reshape(out, s.rows, 0)
	ret, s.ret = t.Vector("return")
	loss := t.Square(t.Sub(v, ret))
	if clip {
		old, s.oldValue = t.Vector("old_value")
		low, s.lowV = t.Vector("value_low")
		high, s.highV = t.Vector("value_high")
		near := t.Add(old, t.Clamp(t.Sub(v, old), low, high))
		loss = t.Max(loss, t.Square(t.Sub(near, ret)))
	}
	return t.Scale(loss, 0.5)
}

// fill copies rows of a rollout into the graph's inputs. Rows that are left over repeat
// the first one with weight 0.
func (s *step) fill(r *rollout, index []int, clip float64, normAdv bool) {
	mean, std := 0.0, 1.0
	if normAdv && len(index) > 1 { // detail 7 of the core list: per minibatch
		mean, std = moments(r.adv, index)
		std += 1e-8
	}
	for k := range s.rows {
		row, w := index[0], 0.0
		if k < len(index) {
			row, w = index[k], 1/float64(len(index))
		}
		s.weight[k] = w
		s.actor.Fill(k, r.obsOf(row), r.maskOf(row), r.rawOf(row))
		s.criticFeed(k, r.obsOf(row), r.maskOf(row))
		s.oldLogp[k], s.ret[k] = r.logp[row], r.ret[row]
		if s.adv != nil {
			s.adv[k] = (r.adv[row] - mean) / std
			s.low[k], s.high[k] = 1-clip, 1+clip
		}
		if s.oldValue != nil {
			s.oldValue[k], s.lowV[k], s.highV[k] = r.Value[row], -clip, clip
		}
	}
}

// moments are the mean and the sample deviation of the chosen entries.
func moments(x []float64, index []int) (mean, std float64) {
	for _, i := range index {
		mean += x[i]
	}
	mean /= float64(len(index))
	sum := 0.0
	for _, i := range index {
		d := x[i] - mean
		sum += float64(d * d)
	}
	return mean, math.Sqrt(sum / float64(len(index)-1))
}
