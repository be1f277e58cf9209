package elasticflow

import (
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/speed/measured"
)

// Params describes the settings for the catalogue.
const Params = `variant    ef-accessctrl: ElasticFlow | ef: the same without admission | edf: elastic earliest deadline first | edf-accessctrl: that
           with admission
slot_s     shortest time between two decisions, s; 0 = decide at every event; simulator: 240
surplus    GPUs that no plan needs go to the job for which the next level costs the least GPU time per GPU (least), the most, as the
           authors' program sorts (most), or stay free (none); simulator: most
place      buddy: aligned blocks of powers of two | near: by the placement rule, growing near what they have
mode       native | simulator: the habits of the authors' simulator, with table; simulator under --preset elasticflow
table      simulator: the folder of throughputs, as of --speed elasticflow:DIR
gpu        simulator: the GPU type of the table
real       simulator: the real end of a job that gets surplus GPUs is that of its new plan (surplus) or of its base share (base), as in the
           authors' published logs`

type config struct {
	variant         string
	earliest, admit bool
	slot            sim.Time
	surplus, most   bool
	buddy           bool

	simulator bool
	table     *measured.Scaling
	gpu       string
	base      bool
}

func settings(s *param.Set) config {
	c := config{variant: s.Enum("variant", "ef-accessctrl", "ef", "edf", "edf-accessctrl")}
	c.earliest = c.variant == "edf" || c.variant == "edf-accessctrl"
	c.admit = c.variant == "ef-accessctrl" || c.variant == "edf-accessctrl"
	slot, surplus := 60.0, []string{"least", "most", "none"}
	c.simulator = s.Enum("mode", "native", "simulator") == "simulator"
	if c.simulator {
		slot, surplus = 240, []string{"most", "least"}
	}
	c.slot = sim.Seconds(s.Float("slot_s", slot, 0, 1e9))
	how := s.Enum("surplus", surplus...)
	c.surplus, c.most = how != "none" && !c.earliest, how == "most"
	c.buddy = s.Enum("place", "buddy", "near") == "buddy"
	for _, key := range []string{"table", "gpu", "real"} {
		if !c.simulator && s.Has(key) {
			s.FaultAt(key, "%s is a habit of the simulator, expected mode=simulator beside it", key)
		}
	}
	dir := s.Text("table", "")
	c.gpu = s.Text("gpu", "A100")
	c.base = s.Enum("real", "surplus", "base") == "base"
	if !c.simulator {
		return c
	}
	if c.slot%sim.Second != 0 || c.slot < sim.Second {
		s.FaultAt("slot_s", "slot_s is %v, expected whole seconds with mode=simulator", c.slot)
	}
	if dir == "" {
		s.FaultAt("mode", "mode=simulator reads throughputs, expected table=DIR beside it (--preset elasticflow "+
			"takes that of --speed)")
		return c
	}
	var err error
	if c.table, err = measured.OpenScaling(dir); err != nil {
		s.FaultAt("table", "%v", err)
	}
	return c
}
