package reinforce

import (
	"tarry/agents/nn"
	"tarry/agents/policy"
)

// chunk is how many decisions the graph takes at once. An update has as many as its episodes are
// long, so their gradients are added up.
const chunk = 256

// step is the graph of the loss, and the inputs to fill.
type step struct {
	machine *nn.Machine
	actor   *policy.Likelihood
	p       *policy.Policy
	// Per row: advantage / decisions, 1 / decisions, entropy coefficient / decisions; 0 for padding.
	adv, one, bonus []float64
	sum             [][]float64 // gradients so far
}

// What a step's machine lets be watched, in this order.
const (
	watchPolicy = iota
	watchEntropy
)

// newStep builds the graph: -mean(log pi(a|s) A) - c mean(entropy), whose gradient is that of
// equation 4 of Mao et al. with the advantage held constant.
func newStep(p *policy.Policy) (*step, error) {
	t := nn.NewTape(chunk)
	s := &step{actor: p.Likelihood(t), p: p}
	var adv, one, bonus nn.Node
	adv, s.adv = t.Vector("advantage")
	one, s.one = t.Vector("weight")
	bonus, s.bonus = t.Vector("bonus")
	policy := t.Neg(t.Sum(t.Mul(s.actor.LogProb, adv)))
	t.Watch(policy)
	t.Watch(t.Sum(t.Mul(s.actor.Entropy, one)))
	m, err := t.Compile(t.Sub(policy, t.Sum(t.Mul(s.actor.Entropy, bonus))))
	s.machine = m
	for _, w := range p.Params() {
		s.sum = append(s.sum, make([]float64, len(w.W)))
	}
	return s, err
}

// row is a decision of a track.
type row struct {
	k *track
	i int
}

// gradient computes the loss of all decisions and leaves its gradient in the weights' Grad. scale
// multiplies the advantages.
func (s *step) gradient(tracks []*track, scale, coef float64) (loss, policy, entropy float64, err error) {
	var rows []row
	for _, k := range tracks {
		for i := range k.rows() {
			rows = append(rows, row{k, i})
		}
	}
	for _, g := range s.sum {
		clear(g)
	}
	params := s.p.Params()
	for at := 0; at < len(rows); at += chunk {
		s.fill(rows[at:min(at+chunk, len(rows))], 1/float64(len(rows)), scale, coef)
		part, err := s.machine.Run()
		if err != nil {
			return 0, 0, 0, err
		}
		loss += part
		policy += s.machine.Watched(watchPolicy)
		entropy += s.machine.Watched(watchEntropy)
		for j, w := range params {
			for i, g := range w.Grad {
				s.sum[j][i] += g
			}
		}
	}
	for j, w := range params {
		copy(w.Grad, s.sum[j])
	}
	return loss, policy, entropy, nil
}

// fill copies decisions into the graph's inputs. Rows that are left over repeat the first one with
// weight 0.
func (s *step) fill(rows []row, weight, scale, coef float64) {
	p := s.p
	for j := range chunk {
		r, w := rows[0], 0.0
		if j < len(rows) {
			r, w = rows[j], weight
		}
		var mask []bool
		if n := p.MaskLen(); n > 0 {
			mask = r.k.mask[r.i*n : (r.i+1)*n]
		}
		s.actor.Fill(j, p.Scaled(r.k.obs[r.i*p.Obs:(r.i+1)*p.Obs]), mask, r.k.raw[r.i*p.Action:(r.i+1)*p.Action])
		s.adv[j] = 0
		if w > 0 {
			s.adv[j] = w * scale * (r.k.togo[r.i] - r.k.base[r.i])
		}
		s.one[j], s.bonus[j] = w, w*coef
	}
}
