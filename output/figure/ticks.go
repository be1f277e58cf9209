package figure

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
)

// niceTicks puts four to eight labelled ticks at multiples of 1, 2 or 5 times a power of ten.
type niceTicks struct{}

// Ticks implements plot.Ticker.
func (niceTicks) Ticks(lo, hi float64) []plot.Tick {
	span := hi - lo
	if !(span > 0) || math.IsInf(span, 0) {
		return []plot.Tick{{Value: lo, Label: short(lo)}}
	}
	step := math.Pow(10, math.Floor(math.Log10(span)))
	switch {
	case span/step < 1.6:
		step /= 5
	case span/step < 4:
		step /= 2
	}
	var ticks []plot.Tick
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+step*1e-9; k++ {
		v := float64(k * step)
		if v == 0 {
			v = 0 // no "-0"
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: short(v)})
	}
	return ticks
}

// decades labels the powers of ten of a logarithmic axis; over a short range 2 and 5 too.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(lo, hi float64) []plot.Tick {
	if !(lo > 0) || !(hi >= lo) || math.IsInf(hi, 0) {
		return nil
	}
	first, last := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	every := 1 + (last-first)/9
	narrow := hi/lo <= 150
	var ticks []plot.Tick
	for k := first; k <= last; k++ {
		for m := 1; m < 10; m++ {
			v, err := strconv.ParseFloat(strconv.Itoa(m)+"e"+strconv.Itoa(k), 64)
			if err != nil || v < lo*(1-1e-9) || v > hi*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			if m == 1 && (k-first)%every == 0 || narrow && (m == 2 || m == 5) {
				t.Label = short(v)
			}
			ticks = append(ticks, t)
		}
	}
	labels := 0
	for _, t := range ticks {
		if t.Label != "" {
			labels++
		}
	}
	if labels < 3 && hi/lo < 10 { // 1, 2 and 5 are too far apart
		return slices.DeleteFunc(niceTicks{}.Ticks(lo, hi), func(t plot.Tick) bool { return t.Value <= 0 })
	}
	return ticks
}

// short writes a number with few characters: 0.05, 12, 3.5k, 10k, 2M.
func short(v float64) string {
	a := math.Abs(v)
	for _, u := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if a >= u.size*(1-1e-9) {
			if a >= 1e15 {
				break
			}
			return strconv.FormatFloat(v/u.size, 'g', 4, 64) + u.name
		}
	}
	if a != 0 && a < 1e-4 || a >= 1e15 {
		return strconv.FormatFloat(v, 'e', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
