package baselines_test

import (
	"strings"
	"testing"

	"tarry/catalogue/schedulers"
)

// ownPlaces states of each scheduler that does not take the common rules of places what its own
// rule is: where its jobs go is part of what was published, or of what it decides.
var ownPlaces = map[string]string{
	"tiresias": "its setting place: consolidation, or by the skew of the model", "tiresias-gittins": "as tiresias",
	"edl":             "as voda, after Tiresias",
	"artist-tiresias": "that of its program: a machine, or a rack for models that are sensitive",
	"delay":           "its waits are those of place=delay",
	"dally":           "timers for machine and rack", "dally-manual": "as dally",
	"dally-nowait":       "as dally, without timers",
	"dally-consolidated": "as dally, timers without end",
	"dally-evict":        "as dally", "dally-elastic": "as dally", "dally-shared": "as dally", "dally-tenants": "as dally",
	"dally-links": "as dally",
	"ranked":      "Dally's timers",
	"planned":     "as its base",
	"cassini":     "places of its host's, by how transfers interleave",
	"crux":        "as its host",
	"inspected":   "the fullest unit with room",
	"shift":       "as its host",
	"ce-dla-like": "the fullest unit with room, so that machines empty",
	"sleep":       "as its host", "qssf-ces": "as its host",
	"powercap":      "as its host",
	"reclaim-aware": "as its host, but on machines that are to be returned",
	"dl2":           "near to what jobs have (plan.Sizer)",
	"mixture":       "as its members",
	"aset-like":     "as its members",
	"deepshare":     "four sets of GPUs, by its rule or network",
	"harmony-like":  "the set of GPUs with the largest reward",
	"decima-like":   "near to what jobs have (plan.Sizer)",
	"marl-like":     "four sets of GPUs of a rack, by its rule or network",
	"rltune-like":   "machines of types by an integer program over the jobs at the front",
	"cd-gpc-like":   "as its host",
	"pwr":           "machines by the rise of power",
	"vclos":         "leaves and spines of a sub-network",
	"typed":         "types by scores, then the finest unit that has them",
	"recorded":      "the machines of the trace, else the nearest",
	"consolidate":   "is a rule of places", "scatter": "is a rule of places",
	"ffdl":   "its setting place: scores of machines for each pod",
	"philly": "locality that is relaxed with each try", "gandiva": "machines with an affinity, and migration",
	"gandiva-fair": "machines as homes of jobs, and migration",
	"hived":        "cells of virtual clusters", "pal": "its setting place: GPUs by variability and locality",
	"sjf-bsbf": "its setting place, for free and shared GPUs",
	"sjf-ffs":  "as sjf-bsbf", "lucid": "the fullest machine with room, else wholly free ones",
	"muri": "groups, the widest first, consolidated", "horus": "GPUs by predicted costs",
	"schedtune": "GPUs by predicted memory and speed", "iadeep": "GPUs by predicted slow-downs",
	"antman": "GPUs by class and load", "miger-like": "instances of GPUs",
	"allox": "GPUs and places in their order by a matching of least cost", "hadar": "GPUs by prices",
	"hadare-like": "a copy on every machine", "network-like": "the node that a regression chooses",
	"lwf":       "machines by the work left on them",
	"heet-like": "types by matching, elastic growth in place", "gavel": "types by fractions of time, then the " +
		"widest first, consolidated", "shockwave": "jobs stay where they were, the others as near together as they " +
		"can (plan.Sizer)",
	"themis": "its setting place, beside auctions whose values count the places",
	"sia":    "types by an integer programme, nodes as its program", "pollux": "machines by a genetic search",
	"deepboot": "the fullest machine that has enough, else by most free GPUs",
	"optimus":  "its setting place: evenly on the fewest machines", "slaq": "its setting place",
	"elasticflow": "its setting place: aligned blocks", "voda": "its setting place: packed, as its program",
	"powerflow": "aligned blocks",
	"muxflow":   "free GPUs by the placement rule, GPUs with replicas by a matching",
	"lyra":      "machines of training for base demands, lent ones for extra workers",
	"afs-l":     "as voda", "afs-p": "as voda", "nonintrusive-like": "its setting place: all jobs are packed anew",
	"sjf-bco": "GPUs by the ends of the jobs planned on them, or by machines", "gadget-like": "near to what jobs " +
		"have (plan.Sizer)",
	"ones":    "its setting place: slots of its search",
	"synergy": "machines by CPU and memory",
}

// Each scheduler takes the common rules of places or has a rule of its own.
func TestEveryPlacementIsARule(t *testing.T) {
	own := 0
	for _, e := range schedulers.All() {
		common := strings.Contains(e.Params, "delay_machine_s")
		if why, ok := ownPlaces[e.Name]; ok == common || ok && why == "" {
			t.Errorf("%s takes the common rules of places: %v; it has a rule of its own: %q; expected one of the two",
				e.Name, common, why)
		} else if ok {
			own++
			if is := strings.Contains("\n"+e.Params, "\nplace "); is != strings.Contains(why, "its setting place") &&
				!strings.HasPrefix(why, "as ") {
				t.Errorf("%s has a setting place: %v, and its rule is said to be %q", e.Name, is, why)
			}
		}
	}
	if own != len(ownPlaces) {
		t.Errorf("%d rules for schedulers that are not there", len(ownPlaces)-own)
	}
}
