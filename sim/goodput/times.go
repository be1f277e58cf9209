package goodput

import "tarry/internal/fixmath"

// Params are the parameters of the speed of one job on one type of GPU, in seconds; BetaC in
// seconds per sample. Gamma is 1 or more.
type Params struct {
	// AlphaC and BetaC are the time of a gradient: what does not depend on the samples, and each
	// sample.
	AlphaC, BetaC float64
	// AlphaN and BetaN are the time to synchronise two replicas on different machines, and what
	// each further one adds.
	AlphaN, BetaN float64
	// AlphaR and BetaR are the same where all are on one machine.
	AlphaR, BetaR float64
	// Gamma is how far synchronising overlaps with computing: 1 = not at all.
	Gamma float64
}

// tiny stands for what takes no time, and for the replicas beyond two where there are none.
const tiny = 1e-8

// StepTimes are the seconds of one step of local samples on each of replicas GPUs on nodes
// machines: computing the gradient, synchronising it, and both, as far as they overlap. Counts are
// 1 or more.
func (p *Params) StepTimes(nodes, replicas, local int) (grad, net, optim float64) {
	grad = p.AlphaC + float64(p.BetaC*float64(local))
	net = p.Net(nodes, replicas)
	return grad, net, p.overlap(grad, net)
}

// Net is the seconds that replicas GPUs on nodes machines take to synchronise.
func (p *Params) Net(nodes, replicas int) float64 {
	alpha, beta := tiny, float64(tiny)
	switch {
	case nodes > 1:
		alpha, beta = p.AlphaN, p.BetaN
	case replicas > 1:
		alpha, beta = p.AlphaR, p.BetaR
	}
	return alpha + float64(beta*Beyond(replicas))
}

// Beyond is how many replicas there are beyond two, as the model counts them: at least 1e-8.
func Beyond(replicas int) float64 { return max(float64(replicas-2), tiny) }

// overlap is the time of a step that computes and synchronises.
func (p *Params) overlap(grad, net float64) float64 {
	return fixmath.Pow(fixmath.Pow(grad, p.Gamma)+fixmath.Pow(net, p.Gamma), 1/p.Gamma)
}

// Throughput is the samples per second of replicas GPUs on nodes machines with local samples each
// and accum further steps in an update, 0 or more.
func (p *Params) Throughput(nodes, replicas, local, accum int) float64 {
	grad, _, optim := p.StepTimes(nodes, replicas, local)
	return float64(batch(replicas, local, accum)) / (float64(float64(accum)*grad) + optim)
}

// batch is the samples of an update.
func batch(replicas, local, accum int) int { return replicas * local * (accum + 1) }
