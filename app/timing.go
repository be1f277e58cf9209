package app

import (
	"math"
	"os"
	"strconv"
	"strings"

	"tarry/output/results"
	"tarry/run/trial"
)

// timingRows reports how long the trials took, the trials that were run.
func timingRows(done []*trial.Result) []results.Timing {
	var rows []results.Timing
	for _, r := range done {
		if r.Reused {
			continue
		}
		wall := r.Wall.Seconds()
		rows = append(rows, results.Timing{Keys: r.Row.Keys, Wall: wall, Events: r.Events,
			EventsPerS:   float64(r.Events) / wall,
			EnvStepsPerS: math.NaN(), PeakRSS: peakRSS(), Update: -1, EnvSteps: -1, Plans: r.Plans, Planned: r.Planned,
			Unix: math.NaN()})
	}
	return rows
}

// peakRSS is the largest resident memory of the process so far, in bytes; -1 where the system does
// not report it.
func peakRSS() int64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return -1
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		if v, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(v), " kB"), 10, 64)
			if err != nil {
				return -1
			}
			return kib * 1024
		}
	}
	return -1
}
