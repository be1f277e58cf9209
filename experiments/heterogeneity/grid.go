package heterogeneity

import (
	"strconv"
	"strings"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// specs gives the sweeps: completion times against the load, the spread of speeds, all jobs at
// once, links that matter, and the same for the choice among forms.
func specs(scale string) []sweep.Spec {
	return []sweep.Spec{loads(scale), spreads(scale), static(scale), places(scale, "place", byPlace()),
		validation(scale)}
}

// counted is the cluster on which placement does not matter: its GPUs are counted, by type, and
// changes cost nothing (as in Gavel's simulator).
func counted(scale string, spread float64) sweep.Settings {
	s := sweep.At(scale, shape{1, 1, 4}, shape{1, 3, 4}, shape{1, 9, 4})
	n := strconv.Itoa(s.machines * s.gpus)
	return s.setting(n+":"+n+":"+n, spread, nil)
}

// trace gives so many jobs of the law at a load; {load} stands for the value of an axis.
func trace(law, load string, jobs int) string {
	return "synth:gavel,law=" + law + ",load=" + load + ",jobs=" + strconv.Itoa(jobs) + ",models=" +
		strings.Join(modelNames(), "+")
}

// of is a sweep of the question.
func of(name string, set sweep.Settings, seeds int, who []scheduler, axes ...sweep.Axis) sweep.Spec {
	axes = append(axes, axisOf(who))
	return sweep.Spec{Name: "heterogeneity-" + name, Kind: "simulate", Base: set, Axes: axes,
		Seeds: sweep.FirstSeeds(seeds)}
}

// loads is mean completion time against the load, with jobs of one GPU and of several, as in the
// paper's figures 8 to 10.
func loads(scale string) sweep.Spec {
	jobs := sweep.At(scale, 30, 400, 2000)
	set := sweep.Settings{"trace": trace("gavel", "{load}", jobs), "cluster": counted(scale, 1), "speed": "counting",
		"costs": "none"}
	return of("load", set, sweep.At(scale, 2, 3, 3), byType(),
		sweep.Axis{Name: "demand", Cases: []sweep.Case{
			{Name: "multiple", Set: sweep.Settings{}},
			{Name: "single", Set: sweep.Settings{"trace": trace("gavel-single", "{load}", jobs)}},
		}},
		sweep.Axis{Name: "load", Values: sweep.At(scale, []string{"0.3", "0.7"}, []string{"0.3", "0.5", "0.7"},
			[]string{"0.3", "0.5", "0.7", "0.8", "0.9"})})
}

// spreads is the same at one load against how differently models gain from a faster GPU.
func spreads(scale string) sweep.Spec {
	axis := sweep.Axis{Name: "spread"}
	for _, s := range sweep.At(scale, []float64{0, 1}, []float64{0, 0.5, 1}, []float64{0, 0.5, 1}) {
		axis.Cases = append(axis.Cases, sweep.Case{Name: strconv.FormatFloat(s, 'g', -1, 64),
			Set: sweep.Settings{"cluster": counted(scale, s)}})
	}
	set := sweep.Settings{"trace": trace("gavel", "0.7", sweep.At(scale, 30, 200, 1000)), "speed": "counting",
		"costs": "none"}
	return of("spread", set, sweep.At(scale, 2, 3, 3), byType(), axis)
}

// static has all jobs at the start, for makespan and finish-time fairness.
func static(scale string) sweep.Spec {
	set := sweep.Settings{"cluster": counted(scale, 1), "speed": "counting", "costs": "none"}
	axis := sweep.Axis{Name: "list"}
	for _, n := range sweep.At(scale, []int{20}, []int{50, 100}, []int{100, 300}) {
		axis.Cases = append(axis.Cases, sweep.Case{Name: strconv.Itoa(n),
			Set: sweep.Settings{"trace": trace("gavel", "1", n) + ",arrivals=batch"}})
	}
	return of("static", set, sweep.At(scale, 2, 3, 3), forMakespan(), axis)
}

// places is the cluster of racks and machines whose links matter, fast and slow.
func places(scale, name string, who []scheduler) sweep.Spec {
	s := sweep.At(scale, shape{2, 1, 4}, shape{2, 2, 4}, shape{2, 4, 4})
	set := sweep.Settings{"trace": trace("gavel", "{load}", sweep.At(scale, 30, 200, 600)), "speed": "collective",
		"costs": "checkpoint_s=5,restore_s=10"}
	return of(name, set, sweep.At(scale, 2, 3, 3), who,
		sweep.Axis{Name: "links", Cases: []sweep.Case{
			{Name: "fast", Set: sweep.Settings{"cluster": s.setting("fast", 1, nil)}},
			{Name: "slow", Set: sweep.Settings{"cluster": s.setting("slow", 1, ethernet())}},
		}},
		sweep.Axis{Name: "load", Values: sweep.At(scale, []string{"0.5"}, []string{"0.4", "0.6"},
			[]string{"0.4", "0.6", "0.8"})})
}

// validation has the schedulers of several forms on the same links, with seeds of its own.
func validation(scale string) sweep.Spec {
	s := places(scale, "place-validation", forms())
	s.Seeds = rivals.Validation(len(s.Seeds))
	return s
}
