package probe

import (
	"tarry/env"
	"tarry/env/layout"
	"tarry/sim/rng"
)

// The places of probe/Limits-v0, the numbers of each, and its choices.
const (
	limitPlaces   = 5
	limitFeatures = 3
	limitChoices  = 3
)

// limits shows three or five jobs, of which some are closed, in random places. The largest job that is
// open is right, with the limit that its bit and the bit of most jobs, closed ones too, add up to.
func limits() Entry {
	const n = limitPlaces * limitChoices
	e := Entry{ID: "probe/Limits-v0", Isolates: "several choices of each candidate, with a mask, in the context of all",
		Value: one, Best: func(obs []float64) []float64 { return []float64{float64(limitOf(obs))} }}
	spec := env.Spec{ID: e.ID, Masked: true, Action: env.Discrete{N: n},
		Observation: env.NewBox(0, 1.5, limitPlaces, limitFeatures)}
	e.New = func() env.Env {
		m := newMachine(spec, rules{drawLimits, func(_ int, a, obs []float64, _ []bool) outcome {
			reward, best := 0.0, limitOf(obs)
			if int(a[0])/limitChoices == best/limitChoices {
				reward += 0.5
			}
			if int(a[0])%limitChoices == limitIn(obs, int(a[0])/limitChoices) {
				reward += 0.5
			}
			return ends(reward)
		}})
		s := m.Spec()
		s.Layout.Acts, s.Layout.Choices, s.Layout.Present = layout.OnOne, limitChoices, true
		return m
	}
	return e
}

// drawLimits draws jobs: present (1, or 1.5 where it is closed), size, bit.
func drawLimits(s *rng.Stream, obs []float64, mask []bool) {
	clear(mask)
	places, sizes := [limitPlaces]int{0, 1, 2, 3, 4}, [limitPlaces]float64{0, 0.25, 0.5, 0.75, 1}
	s.Shuffle(limitPlaces, func(i, j int) { places[i], places[j] = places[j], places[i] })
	s.Shuffle(limitPlaces, func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })
	jobs := 3 + 2*s.IntN(2)
	for i, place := range places[:jobs] {
		row := obs[place*limitFeatures:][:limitFeatures]
		row[0], row[1], row[2] = 1, sizes[i], float64(s.IntN(2))
		if i > 0 && s.IntN(3) == 0 {
			row[0] = 1.5
			continue
		}
		for k := range limitChoices {
			mask[place*limitChoices+k] = s.IntN(3) > 0
		}
	}
	for _, place := range places[:jobs] { // the right limit of every open job is legal
		if obs[place*limitFeatures] == 1 {
			mask[place*limitChoices+limitIn(obs, place)] = true
		}
	}
}

// limitIn is the right limit of the job in a place.
func limitIn(obs []float64, place int) int {
	jobs, ones := 0, 0
	for i := range limitPlaces {
		if row := obs[i*limitFeatures:]; row[0] > 0 {
			jobs++
			ones += int(row[2])
		}
	}
	limit := int(obs[place*limitFeatures+2])
	if 2*ones > jobs {
		limit++
	}
	return limit
}

// limitOf is the right choice.
func limitOf(obs []float64) int {
	best := -1
	for i := range limitPlaces {
		if row := obs[i*limitFeatures:]; row[0] == 1 && (best < 0 || row[1] > obs[best*limitFeatures+1]) {
			best = i
		}
	}
	return best*limitChoices + limitIn(obs, best)
}
