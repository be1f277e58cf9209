package specs

import (
	"slices"
	"strings"

	"tarry/sim/param"
	"tarry/sim/power"
)

// Row is a named spec and where its numbers come from.
type Row struct {
	// Name is what users write; a GPU type that has it among its words is one of the spec's.
	Name string
	// Mark is one of Measured, Fitted, Published and Own.
	Mark string
	// Doc is one line about what it is, Source where the watts of GPUs come from, Assumed what is
	// ours; "" = nothing.
	Doc, Source, Assumed string
	// Spec has the numbers.
	Spec power.Spec
	// Auto states that GPU types find it by their names.
	Auto bool
}

// What the watts of a row's GPUs are.
const (
	Measured  = "measured"
	Fitted    = "fitted"
	Published = "published"
	// Own: the user states them.
	Own = "own"
)

const (
	limitsSource = "medians over training jobs (Zeus, NSDI 2023, ml-energy/zeus 75a8b93, Apache-2.0), idle the " +
		"least of all"
	hostAssumed = "machine: 520 W beside its GPUs, 15 W off, boots 300 s at 800 W, stops in 60 s"
)

// host is what a machine draws beside its GPUs by our assumption.
func host(name string, gpuIdleW float64) power.Spec {
	return power.Spec{Name: name, OffW: 15, BootW: 800, IdleW: 520, GPUIdleW: gpuIdleW, BootS: 300, DownS: 60}
}

// limited is a GPU measured under power limits: idle watts, watts at the highest limit, and for each
// lower one, ascending, the speed and the watts relative to these.
func limited(name string, idleW, fullW float64, lower ...[2]float64) power.Spec {
	s := host(name, idleW)
	for _, p := range append(lower, [2]float64{1, 1}) {
		s.Curve = append(s.Curve, power.Point{FreqFrac: p[0], Watts: float64(p[1]*fullW) - idleW})
	}
	return s
}

// The fit of a V100's clocks from 757 to 1530 MHz: watts at clock c are the watts at the highest
// clock times standing + cubed c^3.
const standing, cubed = 0.48, 0.52

// clocked is a GPU whose watts follow the fit, with more watts of the machine for each busy GPU.
func clocked(s power.Spec, fullW, moreW float64) power.Spec {
	for tenth := 5; tenth <= 10; tenth++ {
		c := float64(tenth) / 10
		gpu := float64(fullW * (standing + float64(cubed*float64(c*float64(c*c)))))
		s.Curve = append(s.Curve, power.Point{FreqFrac: c, Watts: gpu - s.GPUIdleW + moreW})
	}
	return s
}

// rated is a machine of 8 GPUs whose published maximum stands: what its idle watts and its GPUs leave
// of it is drawn with the GPUs' use.
func rated(name string, maxW, idleW, gpuW, gpuIdleW float64) power.Spec {
	const gpus = 8
	s := power.Spec{Name: name, OffW: 15, BootW: idleW + gpus*gpuIdleW, IdleW: idleW, GPUIdleW: gpuIdleW, BootS: 300,
		DownS: 60}
	return clocked(s, gpuW, (maxW-idleW-gpus*gpuW)/gpus)
}

// All lists the named specs.
func All() []Row {
	out := append(measured(), fitted())
	return append(append(out, published()...), Row{Name: "custom", Mark: Own, Source: "the setting",
		Doc: "draws nothing and boots at once but for its options", Spec: power.Spec{Name: "custom"}})
}

// measured are the GPUs that were measured under power limits.
func measured() []Row {
	out := []Row{
		{Doc: "V100 by power limit, 100 to 250 W", Spec: limited("v100", 34.8, 176.9, [2]float64{0.725, 0.508},
			[2]float64{0.853, 0.591}, [2]float64{0.899, 0.682}, [2]float64{0.941, 0.781}, [2]float64{0.965, 0.867},
			[2]float64{0.987, 0.945})},
		{Doc: "A40 by power limit, 100 to 300 W", Spec: limited("a40", 79.9, 188.3, [2]float64{0.358, 0.555},
			[2]float64{0.509, 0.622}, [2]float64{0.755, 0.699}, [2]float64{0.929, 0.776}, [2]float64{0.958, 0.848},
			[2]float64{0.985, 0.919}, [2]float64{0.989, 0.963}, [2]float64{0.995, 0.981})},
		{Doc: "P100 by power limit, 125 to 250 W", Spec: limited("p100", 33.3, 120.3, [2]float64{0.944, 0.815},
			[2]float64{0.965, 0.934}, [2]float64{0.984, 0.969}, [2]float64{0.995, 0.995})},
		{Doc: "RTX 6000 by power limit, 100 to 260 W", Spec: limited("rtx6000", 54.7, 193.2,
			[2]float64{0.548, 0.481}, [2]float64{0.821, 0.597}, [2]float64{0.909, 0.680}, [2]float64{0.951, 0.762},
			[2]float64{0.971, 0.848}, [2]float64{0.982, 0.922}, [2]float64{0.993, 0.978})},
	}
	for i := range out {
		r := &out[i]
		r.Name, r.Mark, r.Source, r.Assumed, r.Auto = r.Spec.Name, Measured, limitsSource, hostAssumed, true
	}
	return out
}

// fitted is a V100 by clock.
func fitted() Row {
	return Row{Name: "v100-clocks", Mark: Fitted, Doc: "V100 by clock, 757 to 1530 MHz",
		Source: "fit over 33 workloads: 0.48 + 0.52 c^3 of the watts at the highest clock (rms 1.2 % of them), which " +
			"are v100's", Assumed: hostAssumed, Spec: clocked(host("v100-clocks", 34.8), 176.9, 0)}
}

// published are machines by data sheets.
func published() []Row {
	const shape, rest = "; by clock as v100-clocks", "15 W off, boots 300 s at idle watts, stops in 60 s"
	return []Row{
		{Name: "a100", Mark: Published, Doc: "A100 SXM, a machine of 8 with at most 6.5 kW", Auto: true,
			Source: "400 W per GPU and 6.5 kW per machine (NVIDIA, data sheets of A100 and DGX A100)" + shape,
			Assumed: "an idle GPU draws 50 W, the machine beside its GPUs 1100 W, the rest with the use of GPUs; " +
				rest, Spec: rated("a100", 6500, 1100, 400, 50)},
		{Name: "h100", Mark: Published, Doc: "H100 SXM, a machine of 8 with at most 8.4 kW", Auto: true,
			Source: "700 W per GPU (NVIDIA, data sheet); 8.4 kW, the most measured of a machine rated at 10.2 kW " +
				"(Latif et al., IEEE Access 13, 2025)" + shape,
			Assumed: "an idle GPU draws 70 W, the machine beside its GPUs 1400 W, the rest with the use of GPUs; " +
				rest, Spec: rated("h100", 8400, 1400, 700, 70)},
	}
}

// find gives the row of a name, or lists what there is.
func find(name string) (Row, string) {
	all := All()
	var names []string
	for _, r := range all {
		if strings.EqualFold(r.Name, name) {
			return r, ""
		}
		names = append(names, r.Name)
	}
	return Row{}, strings.Join(names, ", ") + param.Hint(name, names)
}

// ofType gives the row whose name is among the words of a GPU type, such as Tesla-V100-SXM2 or
// Quadro RTX 6000.
func ofType(typ string) (Row, bool) {
	words := strings.FieldsFunc(strings.ToLower(typ), func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
	for _, r := range All() {
		if !r.Auto {
			continue
		}
		for i, w := range words {
			if w == r.Name || i > 0 && words[i-1]+w == r.Name {
				return r, true
			}
		}
	}
	return Row{}, false
}

// autos lists the names that GPU types find.
func autos() []string {
	var out []string
	for _, r := range All() {
		if r.Auto {
			out = append(out, r.Name)
		}
	}
	return slices.Clip(out)
}
