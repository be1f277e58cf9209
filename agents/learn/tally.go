package learn

import (
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

// Save puts the episodes, but for their count, into a state.
func (t *Tally) Save(s *nn.State) {
	s.PutFloats("tally/returns", t.returns[:])
	s.PutFloats("tally/lengths", t.lengths[:])
}

// Restore takes them out again. The errors are those of missing or damaged sections.
func (t *Tally) Restore(s *nn.State) []error {
	return []error{s.Floats("tally/returns", t.returns[:]), s.Floats("tally/lengths", t.lengths[:])}
}
