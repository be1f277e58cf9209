// Package elasticflowsim is ElasticFlow (baselines/elasticflow) as its authors' simulator runs it:
// clock, books, rounding and the real ends of jobs are the simulator's, so that its published runs
// come out job by job. Like the simulator it is for machines of one size and GPUs of one type.
//
// Reading guide. replay keeps the clock and the books, policy.go leads the kernel to them,
// elasticref compares with stored results.
package elasticflowsim

import (
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/speed/measured"
)

// Params describes the settings for the catalogue.
const Params = `variant  ef-accessctrl: ElasticFlow | ef: the same without admission | edf: elastic earliest deadline first | edf-accessctrl: that
         with admission
slot_s   shortest time between two decisions, whole s
surplus  GPUs that no plan needs go to the job for which the next level costs the most GPU time per GPU, as the program sorts (most), or
         the least (least)
table    the folder of throughputs, as of --speed elasticflow:DIR; --preset elasticflow takes --speed's. Jobs without a row, and
         all without a table, have the speeds that the run's speed model predicts
gpu      the GPU type of the table
real     the real end of a job that gets surplus GPUs is its new plan's (surplus) or of its base share (base), as in the
         published logs`

type config struct {
	variant        string
	earliest, most bool
	slot           sim.Time
	table          *measured.Scaling // nil = none
	gpu            string
	base           bool
}

func settings(s *param.Set) config {
	c := config{variant: s.Enum("variant", "ef-accessctrl", "ef", "edf", "edf-accessctrl")}
	c.earliest = c.variant == "edf" || c.variant == "edf-accessctrl"
	c.slot = sim.Seconds(s.Float("slot_s", 240, 1, 1e9))
	c.most = s.Enum("surplus", "most", "least") == "most"
	dir := s.Text("table", "")
	c.gpu = s.Text("gpu", "A100")
	c.base = s.Enum("real", "surplus", "base") == "base"
	if c.slot%sim.Second != 0 {
		s.FaultAt("slot_s", "slot_s is %v, expected whole seconds", c.slot)
	}
	if dir == "" {
		return c
	}
	var err error
	if c.table, err = measured.OpenScaling(dir); err != nil {
		s.FaultAt("table", "%v", err)
	}
	return c
}

// sizes lists the numbers of GPUs in the table.
func (c *config) sizes() []int {
	if c.table == nil {
		return nil
	}
	return c.table.GPUs()
}
