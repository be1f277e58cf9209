package law

import "math"

// Tally is how well laws foretold run times: sums over jobs, each with the law that was stated
// before it ended. The zero value has none.
type Tally struct {
	// Jobs is how many were counted.
	Jobs int
	// LogRun and LogRun2 are sums of the natural log of run time in seconds and of its square,
	// Error and Error2 the sums of log(run time / median), Spread the sum of the laws' Sigma.
	LogRun, LogRun2, Error, Error2, Spread float64
	// Below50, Below90 and Within80 count jobs that ended by the median, by the 90 % quantile, and
	// between the quantiles of 10 and 90 %.
	Below50, Below90, Within80 int
}

// same is the difference of logarithms, from rounding to microseconds, up to which a run time
// equals a quantile.
const same = 1e-5

// Add takes in a job whose run time was run seconds, > 0.
func (t *Tally) Add(l Law, run float64) {
	y := math.Log(run)
	off := y - l.LogMedian
	t.Jobs++
	t.LogRun += y
	t.LogRun2 += float64(y * y)
	t.Error += off
	t.Error2 += float64(off * off)
	t.Spread += l.Sigma()
	most := l.Quantile(0.9) * (1 + same)
	if off <= same {
		t.Below50++
	}
	if run <= most {
		t.Below90++
	}
	if run <= most && run >= l.Quantile(0.1)*(1-same) {
		t.Within80++
	}
}

// R2 is the part of the variance of log run time that medians explain; below 0 where one constant
// would do better, 0 where all run times are the same, NaN without jobs.
func (t *Tally) R2() float64 {
	n := float64(t.Jobs)
	total := t.LogRun2/n - float64(t.LogRun/n*(t.LogRun/n))
	if total <= 0 {
		return 0
	}
	return 1 - t.Error2/n/total
}

// SD is the standard deviation of log(run time / median); NaN without jobs.
func (t *Tally) SD() float64 { return deviation(t.Error, t.Error2, t.Jobs) }

// LogRunSD is the standard deviation of log run time; NaN without jobs.
func (t *Tally) LogRunSD() float64 { return deviation(t.LogRun, t.LogRun2, t.Jobs) }

// Part is a count over the jobs; NaN without jobs.
func (t *Tally) Part(count int) float64 { return float64(count) / float64(t.Jobs) }

// Mean is a sum over the jobs; NaN without jobs.
func (t *Tally) Mean(sum float64) float64 { return sum / float64(t.Jobs) }

// deviation is the standard deviation of n numbers with this sum and sum of squares.
func deviation(sum, squares float64, n int) float64 {
	mean := sum / float64(n)
	v := squares/float64(n) - float64(mean*mean)
	if v < 0 { // of rounding
		return 0
	}
	return math.Sqrt(v)
}
