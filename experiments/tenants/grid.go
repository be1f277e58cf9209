package tenants

import (
	"strconv"

	"tarry/experiments/sweep"
)

// specs gives the sweeps: who waits, by load, with a tenant that asks for more than it owns, and
// with one that does not wait.
func specs(scale string) []sweep.Spec {
	return []sweep.Spec{who(scale), loads(scale), skew(scale), patience(scale)}
}

// slow is by how much the links of the slow network are slower than the preset nvlink's.
const slow = 16

// cluster is six racks of four machines of eight GPUs, NVLink inside of a machine and slow links
// outside: each virtual cluster owns two racks' worth.
func cluster(scale string) map[string]any {
	return map[string]any{
		"name": "nvlink over " + strconv.Itoa(slow),
		"racks": []any{map[string]any{"count": sweep.At(scale, 3, 6, 6),
			"machines": []any{map[string]any{"count": sweep.At(scale, 2, 4, 4), "gpus": 8}}}},
		"fabric": map[string]any{"base": "nvlink", "links": map[string]any{
			"rack": map[string]any{"gb_per_s": 25.0 / slow}, "network": map[string]any{"gb_per_s": 25.0 / 4 / slow}}},
	}
}

// trace is a workload of three virtual clusters.
func trace(scale, more string) string {
	return "synth:poisson,jobs=" + strconv.Itoa(sweep.At(scale, 24, 400, 1000)) + ",vcs=3," + more
}

// of is a sweep of the question: the virtual clusters own a third of the cluster each.
func of(scale, name, jobs string, axes ...sweep.Axis) sweep.Spec {
	base := sweep.Settings{
		"trace": trace(scale, jobs), "cluster": cluster(scale), "speed": "collective",
		"costs": "checkpoint_s=0,restore_s=15", "quotas": "equal", "tenants": "vc",
	}
	return sweep.Spec{Name: "tenants-" + name, Kind: "simulate", Base: base, Axes: axes,
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 10, 20))}
}

// sizes is an axis of tenants whose jobs are alike, or go by size.
func sizes(scale string) sweep.Axis {
	a := sweep.Axis{Name: "sizes"}
	for _, c := range [][2]string{{"alike", "0"}, {"unlike", "1"}} {
		a.Cases = append(a.Cases, sweep.Case{Name: c[0], Set: sweep.Settings{"trace": trace(scale,
			"load=0.9,apart="+c[1])}})
	}
	return a
}

// who compares schedulers among tenants with jobs of like and of unlike size.
func who(scale string) sweep.Spec {
	return of(scale, "who", "load=0.9", sizes(scale), axisOf("scheduler", delaying(), others(), owning()))
}

// loads varies the load among tenants with jobs of unlike size.
func loads(scale string) sweep.Spec {
	return of(scale, "load", "load={load},apart=1", sweep.Axis{Name: "load",
		Values: sweep.At(scale, []string{"0.9"}, []string{"0.7", "1.1"}, []string{"0.6", "0.8", "1", "1.2"})},
		axisOf("scheduler", delaying(), lowered()))
}

// skew has a tenant that asks for more of the GPU-time than the third that it owns, 55 % at a skew
// of 1; the jobs are of like size.
func skew(scale string) sweep.Spec {
	return of(scale, "skew", "load=0.9,vc_skew={skew}", sweep.Axis{Name: "skew",
		Values: sweep.At(scale, []string{"1"}, []string{"1"}, []string{"0.5", "1", "2"})},
		axisOf("scheduler", delaying(), lowered(), others(), owning()))
}

// patience has tenants alike in all but whether they wait, in Dally's order and in the fair one.
func patience(scale string) sweep.Spec {
	return of(scale, "patience", "load=0.9", sweep.Axis{Name: "fair",
		Values: sweep.At(scale, []string{"none"}, []string{"none", "vc"}, []string{"none", "vc"})}, patient())
}
