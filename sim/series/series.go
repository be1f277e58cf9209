// Package series has numbers that change at known times: prices, caps, the load of services.
package series

import (
	"fmt"
	"math"
	"sort"
)

// Series is a number that changes at known times, such as a price or a load: piecewise constant, and the same
// for all runs that hold it. Times are microseconds of the run.
type Series struct {
	// Steps are ascending; the first one is at 0.
	Steps []Step
	// Every repeats the steps from 0 on; 0 = the last value holds for ever.
	Every int64
}

// Step is a value from an instant on.
type Step struct {
	// At is in microseconds.
	At    int64
	Value float64
}

// Constant returns a series that does not change.
func Constant(v float64) *Series { return &Series{Steps: []Step{{0, v}}} }

// index returns the step in force at us >= 0, and the beginning of its repetition.
func (s *Series) index(us int64) (i int, base int64) {
	if s.Every > 0 {
		base = us - us%s.Every
	}
	return sort.Search(len(s.Steps), func(i int) bool { return s.Steps[i].At > us-base }) - 1, base
}

// At is the value at us microseconds; before 0 it is the first.
func (s *Series) At(us int64) float64 {
	i, _ := s.index(max(0, us))
	return s.Steps[i].Value
}

// Next is the first instant after us at which a step begins; math.MaxInt64 = none.
func (s *Series) Next(us int64) int64 {
	if us < 0 {
		return 0
	}
	i, base := s.index(us)
	switch {
	case i+1 < len(s.Steps):
		return base + s.Steps[i+1].At
	case s.Every == 0 || base > math.MaxInt64-s.Every:
		return math.MaxInt64
	}
	return base + s.Every
}

// Validate reports steps that do not ascend from 0, values that are not finite, and a repetition
// that ends before the last step.
func (s *Series) Validate() error {
	if len(s.Steps) == 0 || s.Steps[0].At != 0 {
		return fmt.Errorf("series: no step at 0, expected one")
	}
	for i, p := range s.Steps {
		if i > 0 && p.At <= s.Steps[i-1].At {
			return fmt.Errorf("series: step %d at %d us after %d us, expected ascending times", i+1, p.At, s.Steps[i-1].At)
		}
		if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
			return fmt.Errorf("series: step %d has the value %v, expected a finite number", i+1, p.Value)
		}
	}
	if last := s.Steps[len(s.Steps)-1].At; s.Every < 0 || s.Every > 0 && s.Every <= last {
		return fmt.Errorf("series: repeated every %d us, expected 0 or more than the last step's %d us", s.Every, last)
	}
	return nil
}
