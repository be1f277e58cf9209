package elasticflow

import (
	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `variant    ef-accessctrl: ElasticFlow | ef: the same without admission | edf: elastic earliest deadline first | edf-accessctrl: that
           with admission
slot_s     shortest time between two decisions, s; 0 = decide at every event
surplus    GPUs that no plan needs go to the job for which the next level costs the least GPU time per GPU (least), the most, as the
           authors' program sorts (most), or stay free (none)
place      buddy: aligned blocks of powers of two | near: by the placement rule, growing near what they have`

type config struct {
	variant         string
	earliest, admit bool
	slot            sim.Time
	surplus, most   bool
	buddy           bool
}

func settings(s *param.Set) config {
	c := config{variant: s.Enum("variant", "ef-accessctrl", "ef", "edf", "edf-accessctrl")}
	c.earliest = c.variant == "edf" || c.variant == "edf-accessctrl"
	c.admit = c.variant == "ef-accessctrl" || c.variant == "edf-accessctrl"
	c.slot = sim.Seconds(s.Float("slot_s", 60, 0, 1e9))
	how := s.Enum("surplus", "least", "most", "none")
	c.surplus, c.most = how != "none" && !c.earliest, how == "most"
	c.buddy = s.Enum("place", "buddy", "near") == "buddy"
	return c
}
