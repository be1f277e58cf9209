package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"tarry/internal/fixmath"
)

// Level is the coverage of every interval here.
const Level = 0.95

// Interval is an estimate with its confidence interval.
type Interval struct {
	// Point is the statistic of the data, Lo and Hi the bounds; NaN when there are too
	// few values.
	Point, Lo, Hi float64
	// N is the number of values (pairs, windows) used.
	N int
	// Warnings state why to doubt the numbers.
	Warnings []error
}

// Scale is what the errors of a statistic are taken to be symmetric on.
type Scale int

// The scales. Plain is the zero value.
const (
	Plain Scale = iota // the statistic itself: means, differences
	Log                // its logarithm: ratios of positive numbers
	Share              // of windows, in [0, 1]: the bounds are of a proportion, see share
	// the logarithm of a mean of numbers that are never below 0, such as times: the error is taken
	// relative to it
	Amount
)

// Few is the number of values below which pictures show each of them beside its interval. No
// interval of so few holds 95 % of numbers as skewed as a log-normal of deviation 1: Amounts holds
// 0.88 to 0.94, Student 0.82 to 0.90 (coverage_test.go).
const Few = 10

func none(point float64, n int) Interval {
	return Interval{Point: point, Lo: math.NaN(), Hi: math.NaN(), N: n}
}

// reach is how far a statistic may be from the truth as far as one source of chance goes: half the
// width of an interval.
type reach float64

// student is Student's, of a variance with its degrees of freedom.
func student(variance, freedom float64) reach {
	return reach(quantile(freedom) * math.Sqrt(variance))
}

func quantile(freedom float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(0.5 + Level/2)
}

// jackknife is Student's, by the statistic's values without each observation in turn (Tukey, "Bias
// and confidence in not-quite large samples", Annals of Mathematical Statistics 29, 1958). Of a
// mean it is Student's interval.
func jackknife(without []float64) reach {
	n := float64(len(without))
	return student(float64((n-1)*(n-1)/n)*Variance(without), n-1)
}

// plus is the reach of independent sources together: the root of the sum of squares, each with its
// own quantile of Student's. It is exact when one source is all, and never short of 95 % by much.
func plus(all []reach) reach {
	sum := 0.0
	for _, r := range all {
		sum += float64(r * r)
	}
	return reach(math.Sqrt(sum))
}

// between sets the bounds of a statistic that reaches so far on a scale.
func (i *Interval) between(scale Scale, r reach) {
	switch scale {
	case Share:
		i.share(r)
	case Amount:
		if i.Point > 0 {
			i.between(Log, r/reach(i.Point))
		} else { // zeros alone
			i.between(Plain, r)
		}
	case Log:
		factor := fixmath.Exp(float64(r))
		i.Lo, i.Hi = i.Point/factor, float64(i.Point*factor)
	default:
		i.Lo, i.Hi = i.Point-float64(r), i.Point+float64(r)
	}
}

// share sets the bounds of a proportion: by Clopper and Pearson ("The use of confidence or
// fiducial limits", Biometrika 26, 1934) of as many observations as reach so far, at most N; Korn
// and Graubard, "Confidence intervals for proportions with small expected number of positive counts
// estimated from survey data", Survey Methodology 24, 1998. Shares without spread, such as 0 and 1,
// are of N observations. We differ: one observation is added to theirs, so that the bounds of
// independent observations are Clopper and Pearson's own.
func (i *Interval) share(r reach) {
	n, p := float64(i.N), i.Point
	if r > 0 {
		t := quantile(n-1) / float64(r)
		n = min(n, 1+float64(float64(p*(1-p))*float64(t*t)))
	}
	i.Lo, i.Hi = 0, 1
	if k := float64(p * n); k > 0 {
		i.Lo = distuv.Beta{Alpha: k, Beta: n - k + 1}.Quantile((1 - Level) / 2)
	}
	if k := float64(p * n); k < n {
		i.Hi = distuv.Beta{Alpha: k + 1, Beta: n - k}.Quantile(0.5 + Level/2)
	}
}

// Student is Student's interval of the mean. Values that are not finite are dropped with a warning.
func Student(x []float64) Interval { return interval(Plain, x) }

// interval is the interval of a mean on a scale.
func interval(scale Scale, x []float64) Interval {
	x, warnings := Finite(x)
	iv := none(Mean(x), len(x))
	iv.Warnings = warnings
	if iv.few() {
		return iv
	}
	iv.between(scale, student(Variance(x)/float64(len(x)), float64(len(x)-1)))
	return iv
}

// Amounts is the interval of the mean of numbers that are never below 0: Student's on the logarithm
// of the mean (Amount). Where the values are close together it is Student's; where a few are
// large, its upper end is further off than its lower. Values that are not finite are dropped with a
// warning.
func Amounts(x []float64) Interval { return interval(Amount, x) }

// few reports, with a warning, that there is no interval.
func (i *Interval) few() bool {
	switch i.N {
	case 0:
		i.Warnings = append(i.Warnings, fmt.Errorf("no values"))
	case 1:
		i.Warnings = append(i.Warnings, fmt.Errorf("one value has no interval"))
	}
	return i.N < 2
}
