package learn

import (
	"errors"
	"math"

	"tarry/agents/nn"
)

// window is how many episodes Return and Length are averaged over.
const window = 100

// Tally keeps the last 100 episodes. The zero value is empty.
type Tally struct {
	// Count is how many episodes ended since the start.
	Count            int
	returns, lengths [window]float64
}

// Add takes in an episode that ended.
func (t *Tally) Add(ret, length float64) {
	t.returns[t.Count%window], t.lengths[t.Count%window] = ret, length
	t.Count++
}

// Tell writes what the last episodes were like to the row.
func (t *Tally) Tell(row *Row) {
	row.Episodes = t.Count
	n := float64(min(t.Count, window))
	sum, length, squares := 0.0, 0.0, 0.0
	for i := range min(t.Count, window) {
		sum += t.returns[i]
		length += t.lengths[i]
	}
	row.Return, row.Length = sum/n, length/n // 0/0 is NaN
	for i := range min(t.Count, window) {
		d := t.returns[i] - row.Return
		squares += float64(d * d)
	}
	row.ReturnStd = math.Sqrt(squares / n)
}

// Section saves the episodes, but for their count.
func (t *Tally) Section() Section {
	save := func(s *nn.State) error {
		s.PutFloats("tally/returns", t.returns[:])
		s.PutFloats("tally/lengths", t.lengths[:])
		return nil
	}
	return Section{save, func(s *nn.State) error {
		return errors.Join(s.Floats("tally/returns", t.returns[:]), s.Floats("tally/lengths", t.lengths[:]))
	}}
}
