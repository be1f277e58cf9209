package sharing

import (
	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// dally is the scheduler against which all are measured.
const dally = "dally"

// scheduler is a policy under the name that figures give it.
type scheduler struct{ name, policy string }

// waiting are schedulers that share nothing.
func waiting() []scheduler {
	return []scheduler{{dally, dally}, {"dally-nowait", "dally-nowait"}}
}

// families are schedulers of several forms of placement, of which validation chooses one: an order
// that waits or does not, and two that share. The others have one rule of places each.
func families() [][]string {
	return [][]string{{"tiresias", "tiresias:place=skew"}, {"sjf-bsbf", "sjf-bsbf:place=jobs"},
		{"sjf-ffs", "sjf-ffs:place=jobs"}}
}

// forms are all forms, under the names of their policies.
func forms() []scheduler {
	var out []scheduler
	for _, form := range rivals.Names(families()) {
		out = append(out, scheduler{form, form})
	}
	return out
}

// both are Dally's variants that share: at once below a loss of a fifth or a half, when the rack's
// timer has run out, and without timers.
func both() []scheduler {
	return []scheduler{{"dally-share", dally + ":share=0.2"}, {"dally-share-half", dally + ":share=0.5"},
		{"dally-share-rack", dally + ":share=0.2,share_at=rack"},
		{"nowait-share", "dally-nowait:share=0.2"}}
}

// sharing are schedulers that share GPUs and do not wait for near ones; schedtune and horus with up
// to two jobs on a GPU and with up to four.
func sharing() []scheduler {
	return []scheduler{{"antman", "antman"}, {"schedtune", "schedtune"}, {"schedtune-4", "schedtune:most=4"},
		{"iadeep", "iadeep"}, {"lucid", "lucid"}, {"horus", "horus:most=2"}, {"horus-4", "horus:most=4"},
		{"muri", "muri"}}
}

// axisOf makes schedulers an axis.
func axisOf(who ...[]scheduler) sweep.Axis {
	a := sweep.Axis{Name: "scheduler"}
	for _, list := range who {
		for _, s := range list {
			a.Cases = append(a.Cases, sweep.Case{Name: s.name, Set: sweep.Settings{"policy": s.policy}})
		}
	}
	return a
}

// bounds are Dally without sharing and with more and more of it, at once and after the timers.
func bounds() sweep.Axis {
	return axisOf([]scheduler{{dally, dally}, {"wait", dally + ":share={bound}"},
		{"rack", dally + ":share={bound},share_at=rack"}, {"net", dally + ":share={bound},share_at=net"}})
}
