package network

// Period is what one iteration of a job does to the links that it crosses, when the job has them to
// itself: it computes for ComputeS; when the part ReleaseFrac of that is done, it keeps its tightest
// link busy for TransferS; the next iteration begins when both are done.
type Period struct {
	ComputeS, TransferS float64
	// ReleaseFrac is in 0..1.
	ReleaseFrac float64
}

// SoloS is the length of an iteration alone.
func (p Period) SoloS() float64 {
	return max(p.ComputeS, p.ReleaseFrac*p.ComputeS+p.TransferS)
}

// PeriodOf is the period of an iteration that takes soloS in all: the transfer begins as late as
// that allows, since the parts of an exchange that compute hides come before it.
func PeriodOf(computeS, transferS, soloS float64) Period {
	p := Period{ComputeS: computeS, TransferS: min(transferS, soloS)}
	if computeS > 0 {
		p.ReleaseFrac = min(1, max(0, (soloS-p.TransferS)/computeS))
	}
	return p
}
