package predict

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// mix predicts the weighted mean of what several estimators predict, in log seconds. Each learns on
// its own. One that has nothing of its own to state about a job, as request about a job without
// one, is left out of that job's mean.
type mix struct {
	parts   []estimator
	weights []float64
}

// partNames are the estimators that can be mixed.
func partNames() []string {
	return []string{"global", "size", "user-size", "last2", "request", "ridge"}
}

// newPart makes an estimator with the default settings of its predictor; name is of partNames.
func newPart(name string) estimator {
	switch name {
	case "size":
		return newMeans(2, 1000, everyone, bySize)
	case "user-size":
		return newMeans(2, 1000, everyone, bySize, byUser, byUserSize)
	case "last2":
		return newLast()
	case "request":
		return newRequest(false)
	case "ridge":
		return newRidge(2, 1000)
	}
	return newMeans(2, 1000, everyone)
}

// readParts reads the estimators that a predictor puts together.
func readParts(s *param.Set) (parts []estimator) {
	names := s.Texts("of", []string{"ridge", "request"})
	for i, name := range names {
		known := partNames()
		if !slices.Contains(known, name) {
			s.Wrong("of", "names of "+strings.Join(known, ", ")+" joined by +"+param.Hint(name, known))
			continue
		}
		if slices.Contains(names[:i], name) {
			s.Wrong("of", "different names, "+name+" is there twice")
			continue
		}
		parts = append(parts, newPart(name))
	}
	return parts
}

// readWeights reads a weight per part, the same for all unless stated.
func readWeights(s *param.Set, parts int) []float64 {
	out := slices.Repeat([]float64{1}, parts)
	given := s.Floats("weights", nil, 0, 1e6)
	if given == nil {
		return out
	}
	if len(given) != parts {
		s.Wrong("weights", fmt.Sprintf("a number for each name of `of`: %d", parts))
		return out
	}
	if slices.Max(given) == 0 {
		s.Wrong("weights", "one above 0 at least")
		return out
	}
	return given
}

// silent reports that an estimator has nothing of its own to state about a job.
func silent(e estimator, j *sim.Job) bool {
	r, ok := e.(*request)
	return ok && j.Request == 0 && !r.raw
}

func (m *mix) point(j *sim.Job) (float64, bool) {
	if y, ok := m.mean(j, false); ok {
		return y, true
	}
	return m.mean(j, true)
}

// mean is the weighted mean of the parts that have a prediction, silent ones only if asked.
func (m *mix) mean(j *sim.Job, asked bool) (y float64, ok bool) {
	var sum, all float64
	for k, e := range m.parts {
		w := m.weights[k]
		if w == 0 || !asked && silent(e, j) {
			continue
		}
		if x, ok := e.point(j); ok {
			sum += float64(w * x)
			all += w
		}
	}
	if all == 0 {
		return 0, false
	}
	return sum / all, true
}

func (m *mix) add(j *sim.Job, y float64) {
	for _, e := range m.parts {
		e.add(j, y)
	}
}

// each is a mix of what f makes of the parts, with weights of its own.
func (m *mix) each(f func(e estimator) estimator) *mix {
	out := &mix{weights: slices.Clone(m.weights)}
	for _, e := range m.parts {
		out.parts = append(out.parts, f(e))
	}
	return out
}

func (m *mix) empty() estimator { return m.each(estimator.empty) }
func (m *mix) clone() estimator { return m.each(estimator.clone) }

// relearn has all parts learn again if one of them must.
func (m *mix) relearn() estimator {
	for _, e := range m.parts {
		if latest(e) != nil {
			return m.empty()
		}
	}
	return nil
}

// settle settles the parts.
func (m *mix) settle() {
	for _, e := range m.parts {
		settle(e)
	}
}
