package gavelsim

import (
	"tarry/baselines/gavel"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = gavel.ObjectiveParams + `
ends         last | fixed: a round ends with its last job, or after round_s
steps        whole | fluid: a job runs whole steps in a round
split        steps are split evenly over a gang, and a gang with fewer than GPUs fails; five in a row remove the job
late         a job that came after the computation takes GPUs and does not run
table        folder with the throughputs to the last digit, isolated.csv; others are the speed model's
type_order   given, or the file of the order of types in each round`

// habits are what the simulator does beside the algorithm.
type habits struct {
	last, whole, split, late bool
	shuffle                  [][]string
	table                    map[string]float64
}

// rate has the digits of a file; where it has none the speed model is asked.
func (h *habits) rate(model string, gpus int, typ string) (float64, bool) {
	t, ok := h.table[tableKey(model, gpus, typ)]
	return t, ok
}

// read reads the habits' settings.
func read(s *param.Set) habits {
	h := habits{last: s.Enum("ends", "last", "fixed") == "last", whole: s.Enum("steps", "whole", "fluid") == "whole",
		split: s.Bool("split", true), late: s.Bool("late", true)}
	var err error
	if dir := s.Text("table", "none"); dir != "none" {
		if h.table, err = readRates(dir); err != nil {
			s.FaultAt("table", "%v", err)
		}
	}
	if file := s.Text("type_order", "given"); file != "given" {
		if h.shuffle, err = readOrder(file); err != nil {
			s.FaultAt("type_order", "%v", err)
		}
	}
	return h
}
