package policysearch

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// How costs on windows become one cost.
const (
	// Mean is the mean over windows.
	Mean = "mean"
	// Rank is the mean over windows of a vector's rank within its generation.
	Rank = "rank"
	// Log is the mean logarithm.
	Log = "log"
)

// compared gives one cost per vector from played[window][vector], by one of the ways.
func compared(way string, played [][]result, population int) ([]float64, error) {
	out := make([]float64, population)
	for s, window := range played {
		value := make([]float64, population)
		for i, r := range window {
			value[i] = r.cost
			if way == Log {
				if r.cost <= 0 {
					return nil, fmt.Errorf("window %d costs %g, expected more than 0 with cost=log: take mean or rank",
						s, r.cost)
				}
				value[i] = math.Log(r.cost)
			}
		}
		if way == Rank {
			value = ranks(value)
		}
		for i, v := range value {
			out[i] += v
		}
	}
	for i := range out {
		out[i] /= float64(len(played))
	}
	return out, nil
}

// ranks gives each cost its rank from 0; equal ones share the middle of theirs.
func ranks(costs []float64) []float64 {
	order := make([]int, len(costs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[a], costs[b]) })
	out := make([]float64, len(costs))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && costs[order[j]] == costs[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			out[k] = float64(i+j-1) / 2
		}
		i = j
	}
	return out
}
