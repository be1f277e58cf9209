package sharing

import (
	"strconv"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// specs gives the sweeps: interference by network and by load, both for the choice among forms,
// too, and the bound on the loss.
func specs(scale string) []sweep.Spec {
	all, some := axisOf(waiting(), both(), forms(), sharing()), axisOf(forms())
	return []sweep.Spec{links(scale, all), loads(scale, all), bound(scale), validation(links(scale, some)),
		validation(loads(scale, some))}
}

// validation is a sweep with seeds of its own.
func validation(s sweep.Spec) sweep.Spec {
	s.Name += "-validation"
	s.Seeds = rivals.Validation(len(s.Seeds))
	return s
}

// machine is the bandwidth of the fast network between machines, per GPU, in GB/s, and core that
// between racks: as in the presets nvlink.
const machine, core = 25.0, 25.0 / 4

// network is the cluster with links between machines and between racks divided by a number: 64 GPUs
// in two racks of four machines of eight, NVLink inside of a machine.
func network(scale string, by float64) map[string]any {
	return map[string]any{
		"name": "nvlink over " + strconv.FormatFloat(by, 'g', -1, 64),
		"racks": []any{map[string]any{"count": 2, "machines": []any{map[string]any{"count": sweep.At(scale, 2, 4, 4),
			"gpus": 8}}}},
		"fabric": map[string]any{"base": "nvlink", "links": map[string]any{
			"rack": map[string]any{"gb_per_s": machine / by}, "network": map[string]any{"gb_per_s": core / by}}},
	}
}

// gbps is an axis of networks that become slower, named by the bandwidth between machines in Gb/s
// per GPU.
func gbps(scale string, by ...float64) sweep.Axis {
	a := sweep.Axis{Name: "gbps"}
	for _, b := range by {
		a.Cases = append(a.Cases, sweep.Case{Name: strconv.FormatFloat(8*machine/b, 'g', 3, 64),
			Set: sweep.Settings{"cluster": network(scale, b)}})
	}
	return a
}

// strength is an axis of interference: what one more job on a GPU adds to the time of the others.
func strength(a ...string) sweep.Axis {
	x := sweep.Axis{Name: "a"}
	for _, v := range a {
		x.Cases = append(x.Cases, sweep.Case{Name: v, Set: sweep.Settings{"interference": "nway:a=" + v}})
	}
	return x
}

// base are the settings that all sweeps share: jobs of the paper's six models, whose busy parts are
// the catalogue's.
func base(scale, load string) sweep.Settings {
	return sweep.Settings{
		"trace":   "synth:poisson,load=" + load + ",jobs=" + strconv.Itoa(sweep.At(scale, 24, 160, 600)),
		"cluster": network(scale, 16), "speed": "collective",
		"gpu_profile": "catalogue", "costs": "checkpoint_s=0,restore_s=15",
	}
}

// of is a sweep of the question.
func of(scale, name string, set sweep.Settings, axes ...sweep.Axis) sweep.Spec {
	return sweep.Spec{Name: "sharing-" + name, Kind: "simulate", Base: set, Axes: axes,
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 3, 6))}
}

// links slows the network under weak and strong interference.
func links(scale string, who sweep.Axis) sweep.Spec {
	return of(scale, "links", base(scale, "0.9"), strength(sweep.At(scale, []string{"0"}, []string{"0", "0.3"},
		[]string{"0", "0.1", "0.3", "1"})...),
		gbps(scale, sweep.At(scale, []float64{1, 64}, []float64{1, 64}, []float64{1, 16, 64})...), who)
}

// loads varies the load on a slow network.
func loads(scale string, who sweep.Axis) sweep.Spec {
	return of(scale, "load", base(scale, "{load}"), strength(sweep.At(scale, []string{"0"}, []string{"0", "0.3"},
		[]string{"0", "0.1", "0.3"})...),
		sweep.Axis{Name: "load", Values: sweep.At(scale, []string{"0.9"}, []string{"0.6", "1.1"},
			[]string{"0.6", "0.8", "1", "1.2"})}, who)
}

// bound varies the greatest loss below which Dally shares, and when it does.
func bound(scale string) sweep.Spec {
	return of(scale, "bound", base(scale, "0.9"), strength(sweep.At(scale, []string{"0"}, []string{"0", "0.3"},
		[]string{"0", "0.1", "0.3", "1"})...),
		sweep.Axis{Name: "bound", Values: sweep.At(scale, []string{"0.2"}, []string{"0.1", "0.5"},
			[]string{"0.05", "0.1", "0.2", "0.35", "0.5", "1"})}, bounds())
}
