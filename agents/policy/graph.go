package policy

import "tarry/agents/nn"

// Likelihood is the actor in the graph of a loss, for a fixed number of rows.
type Likelihood struct {
	// LogProb is the log-probability of each row's raw action, Entropy the entropy of each row's
	// distribution; vectors.
	LogProb, Entropy nn.Node

	p          *Policy
	feed       func(row int, obs []float64, mask []bool)
	action     []float64    // a one per chosen choice, or the raw continuous action
	penalty    []float64    // 0 or nn.MaskedLogit, per choice
	correction []float64    // of the squash, per row
	rankings   *nn.Rankings // of orders
	start      []float64    // scores of what orders start from
}

// Likelihood adds the actor to a tape.
func (p *Policy) Likelihood(t *nn.Tape) *Likelihood {
	l := &Likelihood{p: p}
	var out, action nn.Node
	out, l.feed = p.Actor.Graph(t)
	if p.ranking != nil {
		l.rankLikelihood(t, out)
		return l
	}
	action, l.action = t.Matrix("action", t.Batch(), p.Logits())
	if p.Continuous() {
		l.gaussian(t, out, action)
		return l
	}
	if p.Masked { // detail additional 4: invalid actions are masked
		var penalty nn.Node
		penalty, l.penalty = t.Matrix("mask", t.Batch(), p.Logits())
		out = t.Add(out, penalty)
	}
	for c, at := 0, 0; c < len(p.Sizes); c++ { // detail multidiscrete 1: components are independent
		logits, a := out, action
		if len(p.Sizes) > 1 {
			pick := t.Columns(at, p.Sizes[c], p.Logits())
			logits, a = t.MatMul(out, pick), t.MatMul(action, pick)
		}
		at += p.Sizes[c]
		logs := t.LogSoftmax(logits)
		lp, e := t.SumRows(t.Mul(a, logs)), t.Neg(t.SumRows(t.Mul(t.Exp(logs), logs)))
		if c > 0 {
			lp, e = t.Add(l.LogProb, lp), t.Add(l.Entropy, e)
		}
		l.LogProb, l.Entropy = lp, e
	}
	return l
}

// gaussian is the case of continuous actions.
func (l *Likelihood) gaussian(t *nn.Tape, out, action nn.Node) {
	// detail continuous 1: a normal distribution; detail continuous 3: of independent components
	std := l.p.logStds(t)
	l.LogProb = t.GaussianLogProb(action, out, std)
	if l.p.squash { // the same for any weights, but the likelihood is then the action's own
		var correction nn.Node
		correction, l.correction = t.Vector("correction")
		l.LogProb = t.Sub(l.LogProb, correction)
	}
	l.Entropy = t.GaussianEntropy(std)
}

// logStds is the row of LogStds in a graph.
func (p *Policy) logStds(t *nn.Tape) nn.Node {
	std, width := t.Param(p.LogStd), p.LogStd.Cols
	if width == p.Action {
		return std
	}
	tile, data := t.Matrix("log_std/tile", width, p.Action) // the same for every class
	for i := range p.Action {
		data[i%width*p.Action+i] = 1
	}
	return t.MatMul(std, tile)
}

// Fill sets a row of the graph's inputs: a scaled observation, its mask (nil = none) and the
// raw action.
func (l *Likelihood) Fill(row int, obs []float64, mask []bool, raw []float64) {
	cols := l.p.Logits()
	l.feed(row, l.p.actorPart(obs), mask)
	if l.rankings != nil {
		l.fillRanking(row, obs, raw)
		return
	}
	at := row * cols
	for j, ok := range mask {
		l.penalty[at+j] = 0
		if !ok {
			l.penalty[at+j] = nn.MaskedLogit
		}
	}
	if l.correction != nil {
		l.correction[row] = nn.SquashCorrection(raw)
	}
	if l.p.Continuous() {
		copy(l.action[at:at+cols], raw)
		return
	}
	clear(l.action[at : at+cols])
	for c, v := range raw {
		l.action[at+int(v)] = 1
		at += l.p.Sizes[c]
	}
}
