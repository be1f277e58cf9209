package simtest

import (
	"fmt"
	"math"
	"strconv"

	"tarry/sim"
)

// listed is the model of a script's line "epochs": counting speeds with a factor for each epoch.
type listed struct {
	Counting
	size   float64 // microseconds of work
	factor []float64
}

// parseEpochs reads the work of an epoch in seconds, and factors.
func parseEpochs(words []string) (*listed, error) {
	m := &listed{}
	for i, w := range words {
		x, err := strconv.ParseFloat(w, 64)
		switch {
		case err != nil || !(x > 0) || math.IsInf(x, 1):
			return nil, fmt.Errorf("epochs has %q, expected numbers > 0", w)
		case i == 0:
			m.size = x * 1e6
		default:
			m.factor = append(m.factor, x)
		}
	}
	return m, nil
}

// epoch is the one in which a job is.
func (m *listed) epoch(q *sim.Query) int {
	k := 0
	for k+1 < len(m.factor) && q.Done >= float64(k+1)*m.size {
		k++
	}
	return k
}

// Speed implements sim.SpeedModel.
func (m *listed) Speed(q *sim.Query) (sim.Speed, error) {
	s, err := m.Counting.Speed(q)
	s.Rate *= m.factor[m.epoch(q)]
	return s, err
}

// Mark implements sim.Progressive, as do the others.
func (m *listed) Mark(q *sim.Query) float64 {
	if k := m.epoch(q); k+1 < len(m.factor) {
		return float64(k+1) * m.size
	}
	return math.Inf(1)
}
func (m *listed) Telemetry(*sim.Query, *sim.Telemetry) bool { return false }
func (m *listed) Batches(*sim.Job) sim.BatchLimits          { return sim.BatchLimits{} }
