package tenants

import (
	"slices"

	"tarry/experiments/sweep"
)

// dally is the scheduler against which all are measured.
const dally = "dally"

// scheduler is a policy under the name that figures give it.
type scheduler struct{ name, policy string }

// delaying are Dally and its variants for tenants, and without timers.
func delaying() []scheduler {
	return []scheduler{{dally, dally}, {"dally-vc", dally + ":timers_by=vc"}, {"dally-fair", dally + ":fair=vc"},
		{"dally-nowait", "dally-nowait"}, {"nowait-fair", "dally-nowait:fair=vc"}}
}

// others are schedulers that know nothing of places, or share fairly in another way.
func others() []scheduler {
	return []scheduler{{"delay-fair", "delay:order=fair"}, {"fifo-fit", "fifo-fit"}, {"tiresias", "tiresias"},
		{"gandiva-fair", "gandiva-fair"}}
}

// owning are schedulers that know quotas or weights of tenants.
func owning() []scheduler {
	return []scheduler{{"philly", "philly"}, {"hived", "hived"}, {"hived-rack", "hived:unit=rack"},
		{"hived-rack-large", "hived:unit=rack,over=large"},
		{"drf", "drf"}, {"slurm", "slurm"}, {"fifo-walled", "fifo:vc=true"}}
}

// lowered are Dally with floors of one lease and a cap that lets tuned timers grow: then its tuner
// sets timers, and by tenant.
func lowered() []scheduler {
	const low = ",min_rack=1,min_net=1,max_net=48"
	return []scheduler{{"low", dally + ":" + low[1:]}, {"low-vc", dally + ":timers_by=vc" + low},
		{"low-fair", dally + ":fair=vc" + low}, {"low-vc-fair", dally + ":timers_by=vc,fair=vc" + low}}
}

// isDally reports whether a scheduler is Dally or a variant of it.
func isDally(name string) bool {
	is := func(s scheduler) bool { return s.name == name }
	return slices.ContainsFunc(delaying(), is) || slices.ContainsFunc(lowered(), is)
}

// patient are the ways of vc1 and of the others: both wait as long as the least of Dally's timers,
// one of them alone, or none.
func patient() sweep.Axis {
	const by = ":timers_by=vc,fair={fair}"
	return axisOf("patience", []scheduler{{"all", "dally-manual" + by},
		{"all-but-vc1", "dally-manual" + by + ",timers_of=vc1:0:0"},
		{"vc1-alone", "dally-nowait" + by + ",timers_of=vc1:6:12"}, {"nobody", "dally-nowait" + by}})
}

// axisOf makes schedulers an axis.
func axisOf(name string, who ...[]scheduler) sweep.Axis {
	a := sweep.Axis{Name: name}
	for _, list := range who {
		for _, s := range list {
			a.Cases = append(a.Cases, sweep.Case{Name: s.name, Set: sweep.Settings{"policy": s.policy}})
		}
	}
	return a
}
