package tariff

import (
	"tarry/sim/param"
	"tarry/sim/series"
)

// The synthetic days are made by us and measured nowhere: each hour relative to the mean of the day,
// in hundredths, with two peaks of demand. Their sums are 2400.

// priceDay is cheap at night and has its peaks at 8 and 19 h.
func priceDay() *[24]float64 {
	return hundredths(65, 60, 58, 56, 58, 68, 90, 120, 135, 122, 105, 98,
		94, 90, 88, 92, 104, 130, 160, 172, 150, 115, 93, 77)
}

// carbonDay has the same peaks, and a trough while the sun shines.
func carbonDay() *[24]float64 {
	return hundredths(102, 100, 99, 99, 102, 108, 116, 120, 116, 104, 86, 73,
		67, 65, 67, 73, 90, 109, 124, 128, 124, 115, 109, 104)
}

func hundredths(hours ...float64) *[24]float64 {
	var out [24]float64
	for i, h := range hours {
		out[i] = h / 100
	}
	return &out
}

// hourUs is an hour in microseconds.
const hourUs = 3600e6

// synthetic reads the options of a day and makes its series.
func (k *Kind) synthetic(s *param.Set) *series.Series {
	mean := s.Float("mean", k.def, k.Low, k.High)
	swing := s.Float("swing", 1, 0, 1)
	start := s.Int("start_h", 0, 0, 23)
	out := &series.Series{Every: 24 * hourUs}
	for h := range k.day {
		part := 1 + float64(swing*(k.day[(start+h)%24]-1))
		out.Steps = append(out.Steps, series.Step{At: int64(h) * hourUs, Value: mean * part})
	}
	return out
}
