package predict

import (
	"math"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/law"
)

// cover gives, by quantile, the part of the jobs that ran no longer than the law which was stated at
// their submit puts there, and the widest gap between the two.
func cover(of sim.Predictor, jobs []sim.Job, quantiles []float64) (part []float64, gap float64) {
	p, part := of.Clone(), make([]float64, len(quantiles))
	next, ends := 0, endings(jobs)
	for i := range jobs {
		for next < len(ends) && ends[next].at <= jobs[i].Submit {
			k := ends[next].job
			p.Ended(sim.JobID(k), hidden(&jobs[k]), jobs[k].RunTime())
			next++
		}
		l := p.Predict(sim.JobID(i), hidden(&jobs[i]))
		for k, q := range quantiles {
			if jobs[i].RunTime().Seconds() <= l.Quantile(q) {
				part[k] += 1 / float64(len(jobs))
			}
		}
	}
	for k, q := range quantiles {
		gap = math.Max(gap, math.Abs(part[k]-q))
	}
	return part, gap
}

// Every predictor's law covers at each quantile the part of the jobs to come that it states. Laws
// of half or twice the spread do not.
func TestLawsCoverWhatEnds(t *testing.T) {
	const most = 0.04
	quantiles := []float64{0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95}
	past, future := asking(3000, 0.7, 1), asking(3000, 0.7, 2)
	t.Logf("%-36s %.2f", "quantile", quantiles)
	for _, e := range all() {
		for _, kind := range []string{"empirical", "lognormal", "empirical,errors=alike"} {
			spec, limit := e.Name+":law="+kind, most
			if strings.Contains(kind, "alike") { // laws of fewer errors each
				limit += 0.01
			}
			p := parse(t, spec)
			p.Fit(past)
			part, gap := cover(p, future, quantiles)
			t.Logf("%-36s %.2f, off by at most %.3f", spec, part, gap)
			if gap > limit {
				t.Errorf("%s covers %.3f at the quantiles %.2f: off by %.3f, expected at most %v", spec, part, quantiles,
					gap, limit)
			}
			spread := p.Predict(0, &future[0]).Sigma()
			for _, by := range []float64{0.5, 2} {
				if _, gap := cover(shaped{p, law.LogNormal(by * spread)}, future, quantiles); gap < 2*most {
					t.Errorf("%s with %v times the spread is off by %.3f, expected more than %v", spec, by, gap, 2*most)
				}
			}
		}
	}
}

// shaped states the medians of a predictor with one shape for all.
type shaped struct {
	Predictor
	shape *law.Shape
}

func (s shaped) Clone() sim.Predictor { return shaped{s.Predictor.Clone().(Predictor), s.shape} }

func (s shaped) Predict(id sim.JobID, j *sim.Job) law.Law {
	return law.Law{LogMedian: s.Predictor.Predict(id, j).LogMedian, Shape: s.shape}
}
