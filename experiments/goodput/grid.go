package goodput

import (
	"strconv"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// specs gives the sweeps: links, the load, the network of Dally's authors, and the progress of
// samples; each is there for the choice among forms, too.
func specs(scale string) []sweep.Spec {
	out := []sweep.Spec{linked(scale, "links", everyScheduler()),
		validation(linked(scale, "validation", axisOf(named(families()))))}
	for _, s := range []func(scale, name string, who sweep.Axis) sweep.Spec{loads, authors, worth} {
		out = append(out, s(scale, "", few()), validation(s(scale, "-validation", fewForms())))
	}
	return out
}

// machine is the bandwidth of the fast network between machines, per GPU, in GB/s, and core that
// between racks: as in the presets nvlink.
const machine, core = 25.0, 25.0 / 4

// network is the cluster with links between machines and between racks divided by a number: 128
// GPUs in two racks of eight machines of eight, NVLink inside of a machine.
func network(scale string, by float64) map[string]any {
	return map[string]any{
		"name": "nvlink over " + strconv.FormatFloat(by, 'g', -1, 64),
		"racks": []any{map[string]any{"count": 2, "machines": []any{map[string]any{"count": sweep.At(scale, 2, 8, 8),
			"gpus": 8}}}},
		"fabric": map[string]any{"base": "nvlink", "links": map[string]any{
			"rack": map[string]any{"gb_per_s": machine / by}, "network": map[string]any{"gb_per_s": core / by}}},
	}
}

// paper is the same with the network of the Dally paper's simulator: rings in two slots of four
// GPUs, 200 GB/s between machines and 400 between racks under the convention of ASTRA-sim 1.0.
func paper(scale string, by float64) map[string]any {
	return map[string]any{
		"name": "paper over " + strconv.FormatFloat(by, 'g', -1, 64),
		"racks": []any{map[string]any{"count": 2, "machines": []any{map[string]any{"count": sweep.At(scale, 2, 8, 8),
			"gpus": 8, "slots": 2}}}},
		"fabric": map[string]any{"base": "paper", "links": map[string]any{
			"rack": map[string]any{"gb_per_s": 200 / by}, "network": map[string]any{"gb_per_s": 400 / by}}},
	}
}

// axisBy is an axis of networks that become slower; a name is the bandwidth of a machine's link in
// Gb/s per GPU, or what the network is divided by.
func axisBy(scale, name string, named func(by float64) string, cluster func(scale string, by float64) map[string]any,
	by ...float64) sweep.Axis {
	a := sweep.Axis{Name: name}
	for _, b := range by {
		a.Cases = append(a.Cases, sweep.Case{Name: named(b), Set: sweep.Settings{"cluster": cluster(scale, b)}})
	}
	return a
}

// gbps is the bandwidth between machines in Gb/s per GPU.
func gbps(by float64) string { return strconv.FormatFloat(8*machine/by, 'g', 3, 64) }

// divisor says what a network is divided by.
func divisor(by float64) string { return strconv.FormatFloat(by, 'g', -1, 64) }

// base are the settings that all sweeps share: jobs of one to 64 GPUs of six models, each of which
// runs on one GPU to four times what it asks for.
func base(scale, load string) sweep.Settings {
	return sweep.Settings{
		"trace":   "synth:poisson,load=" + load + ",jobs=" + strconv.Itoa(sweep.At(scale, 24, 120, 240)),
		"cluster": network(scale, 16), "speed": "collective",
		"elastic": "min=1,max=4x,most=64", "efficiency": "measured", "costs": "checkpoint_s=0,restore_s=15," +
			"rescale_s=30",
	}
}

// of is a sweep of the question.
func of(scale, name string, set sweep.Settings, axes ...sweep.Axis) sweep.Spec {
	return sweep.Spec{Name: "goodput-" + name, Kind: "simulate", Base: set, Axes: axes,
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 3, 6))}
}

// validation is a sweep with seeds of its own.
func validation(s sweep.Spec) sweep.Spec {
	s.Seeds = rivals.Validation(len(s.Seeds))
	return s
}

// linked slows the network, with links of one's own and shared ones.
func linked(scale, name string, who sweep.Axis) sweep.Spec {
	return of(scale, name, base(scale, "0.8"), sweep.Axis{Name: "network", Cases: []sweep.Case{
		{Name: "own", Set: sweep.Settings{"speed": "collective"}},
		{Name: "shared", Set: sweep.Settings{"speed": "contended"}}}},
		axisBy(scale, "gbps", gbps, network, sweep.At(scale, []float64{1, 64}, []float64{1, 16, 64},
			[]float64{1, 4, 16, 32, 64})...), who)
}

// loads varies the load on a fast and on two slow networks.
func loads(scale, name string, who sweep.Axis) sweep.Spec {
	return of(scale, "load"+name, base(scale, "{load}"), axisBy(scale, "gbps", gbps, network,
		sweep.At(scale, []float64{16}, []float64{1, 64}, []float64{1, 16, 64})...),
		sweep.Axis{Name: "load", Values: sweep.At(scale, []string{"0.8"}, []string{"0.4", "1.1"},
			[]string{"0.4", "0.8", "1.1"})}, who)
}

// authors has the network of Dally's authors, which becomes slower.
func authors(scale, name string, who sweep.Axis) sweep.Spec {
	return of(scale, "paper"+name, base(scale, "0.8"), axisBy(scale, "slower", divisor, paper,
		sweep.At(scale, []float64{64}, []float64{1, 64}, []float64{1, 16, 64})...), who)
}

// worth varies the progress of samples in larger batches, and whether the batch grows with the
// GPUs.
func worth(scale, name string, who sweep.Axis) sweep.Spec {
	set := base(scale, "0.8")
	return of(scale, "worth"+name, set, axisBy(scale, "gbps", gbps, network,
		sweep.At(scale, []float64{64}, []float64{1, 64}, []float64{1, 64})...),
		sweep.Axis{Name: "worth", Cases: []sweep.Case{
			{Name: "all", Set: sweep.Settings{"efficiency": "noise=inf"}},
			{Name: "measured", Set: sweep.Settings{"efficiency": "measured"}},
			{Name: "little", Set: sweep.Settings{"efficiency": "noise=1x,growth=1"}},
			{Name: "held", Set: sweep.Settings{"efficiency": "noise=8x,growth=4,scaling=strong"}},
		}}, who)
}
