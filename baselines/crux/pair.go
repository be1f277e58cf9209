package crux

import "math"

// Pattern is an iteration of a job alone on its GPUs: it computes, and its transfer is released
// when a part of the compute is done. The next iteration begins when both are.
type Pattern struct {
	// ComputeS and TransferS are seconds; >= 0.
	ComputeS, TransferS float64
	// ReleaseFrac is the part of the compute before the transfer; 0..1.
	ReleaseFrac float64
}

// Alone is the length in seconds of an iteration that has its links to itself.
func (p Pattern) Alone() float64 {
	return max(p.ComputeS, float64(p.ReleaseFrac*p.ComputeS)+p.TransferS)
}

// part is the part of time for which the job has the link when an iteration takes so long.
func (p Pattern) part(iterationS float64) float64 {
	if p.TransferS == 0 || math.IsInf(iterationS, 1) {
		return 0
	}
	return p.TransferS / iterationS
}

// closeBy is the part of a period below which two instants are one.
const closeBy = 1e-9

// turns bounds the iterations that Behind follows.
const turns = 2048

// Behind is the mean length in seconds of an iteration of low where the transfers of high go first
// on their common link; +Inf where these leave no time. The start of an iteration of low follows
// from the start of the one before, as a phase of the period of high. That map never falls, so the
// mean is the same from each phase (it is a rotation number); a phase that comes again ends the
// search, else the mean of the last half of the iterations is off by at most 4 periods in turns.
func Behind(high, low Pattern) float64 {
	if high.TransferS == 0 || low.TransferS == 0 {
		return low.Alone()
	}
	l := link{period: high.Alone(), busy: high.TransferS}
	if l.period-l.busy <= closeBy*l.period {
		return math.Inf(1)
	}
	at, now, mark, since := 0.0, 0.0, 0.0, 0.0 // phases, and seconds that have passed
	for n, from := 1, 0; n <= turns; n++ {
		d := l.iteration(at, low)
		now += d
		at = math.Mod(at+d, l.period)
		if off := math.Abs(at - mark); min(off, l.period-off) <= closeBy*closeBy*l.period || n == turns {
			return (now - since) / float64(n-from)
		}
		if n&(n-1) == 0 {
			mark, since, from = at, now, n
		}
	}
	return math.Inf(1) // not reached
}

// link is one with periodic transfers that go first: busy seconds from the begin of each period.
type link struct{ period, busy float64 }

// iteration is the length of an iteration of low that begins at a phase.
func (l link) iteration(at float64, low Pattern) float64 {
	release := float64(low.ReleaseFrac * low.ComputeS)
	return max(low.ComputeS, release+l.wait(math.Mod(at+release, l.period), low.TransferS))
}

// wait is the time in which the link has transferred need seconds beside the first, from a phase on.
func (l link) wait(at, need float64) float64 {
	passed := 0.0
	if at < l.busy {
		passed, at = l.busy-at, l.busy
	}
	slack := closeBy * l.period
	left := l.period - at
	if need <= left+slack {
		return passed + need
	}
	passed, need = passed+left, need-left
	free := l.period - l.busy
	whole := max(0, math.Ceil((need-slack)/free)-1)
	return passed + float64(whole*l.period) + l.busy + need - float64(whole*free)
}

// Correction is k of a job on one link with the reference job: the part of time that the job gains
// on the link by going first, over the part that the reference gains. decided is false, and k 1,
// where neither gains. +Inf = the reference gains nothing.
func Correction(reference, other Pattern) (k float64, decided bool) {
	gain := func(first, second Pattern) float64 {
		return first.part(first.Alone()) - first.part(Behind(second, first))
	}
	const none = 1e-9
	mine, its := gain(other, reference), gain(reference, other)
	switch {
	case mine <= none && its <= none:
		return 1, false
	case its <= none:
		return math.Inf(1), true
	}
	return max(0, mine) / its, true
}

// Intensity is the GPU intensity of a job: GPU seconds of compute in an iteration, over the seconds
// of its transfer.
func Intensity(gpus float64, p Pattern) float64 { return gpus * p.ComputeS / p.TransferS }
