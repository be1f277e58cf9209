package heterogeneity

import (
	"math"

	"tarry/experiments/sweep"
	"tarry/internal/fixmath"
)

// gpu is a type of GPU.
type gpu struct {
	name string
	// tflops is in single precision, gbPerS the bandwidth of its memory: NVIDIA's data sheets of
	// Tesla V100 SXM2 (15.7 and 900), P100 SXM2 (10.6 and 732) and K80, whose board has two GPUs
	// (8.73 and 480 with boost, so 4.37 and 240 each).
	tflops, gbPerS float64
}

// types are the types of Gavel's clusters, the fastest first; speeds are relative to it.
func types() []gpu {
	return []gpu{{"V100", 15.7, 900}, {"P100", 10.6, 732}, {"K80", 4.37, 240}}
}

// relative is the speed of a type for a model of no kind: the geometric mean of what its arithmetic
// and its memory promise.
func (g gpu) relative() float64 {
	best := types()[0]
	return math.Sqrt(g.tflops / best.tflops * g.gbPerS / best.gbPerS)
}

// modelNames are drawn equally often; they stand in order of the compute time of an iteration on a
// V100 in tarry's catalogue, the shortest first.
func modelNames() []string {
	return []string{"lstm", "mobilenetv3-large", "resnet18", "transformer", "resnet50", "gpt2", "bert-large", "vgg16"}
}

// speed is a rule of ours: the relative speed of the type to the power 1 + spread x z, where z goes
// evenly from -1 for the model with the shortest iterations to 1 for that with the longest. Short
// iterations wait for the host and gain least from a faster GPU. With a spread of 0 all models gain
// alike; with 1, K80s run models at 0.07 to 1 times the speed of a V100 and P100s at 0.55 to 1
// times. What Gavel's authors measured has 0.09 to 1.5 and 0.54 to 2.3.
func (g gpu) speed(model int, spread float64) float64 {
	z := 2*float64(model)/float64(len(modelNames())-1) - 1
	return math.Round(1e4*fixmath.Pow(g.relative(), 1+float64(spread*z))) / 1e4
}

// shape is a cluster: of each type some racks of machines of gpus GPUs each.
type shape struct{ racks, machines, gpus int }

// setting is the cluster as a sweep's setting, with the links of a fabric.
func (s shape) setting(name string, spread float64, links sweep.Settings) sweep.Settings {
	var racks []any
	speeds := sweep.Settings{}
	for _, g := range types() {
		racks = append(racks, sweep.Settings{"count": s.racks,
			"machines": []any{sweep.Settings{"count": s.machines, "gpus": s.gpus, "type": g.name}}})
		of := sweep.Settings{"other": math.Round(1e4*g.relative()) / 1e4}
		for i, m := range modelNames() {
			of[m] = g.speed(i, spread)
		}
		speeds[g.name] = of
	}
	out := sweep.Settings{"name": name, "racks": racks, "gpu_speed": speeds}
	if links != nil {
		out["fabric"] = sweep.Settings{"links": links}
	}
	return out
}

// ethernet has the links of the preset ethernet-128 (sim/preset): 12.5 Gb/s per GPU between
// machines, a quarter of it between racks.
func ethernet() sweep.Settings {
	link := func(kind string, gb, ns float64) sweep.Settings {
		return sweep.Settings{"kind": kind, "gb_per_s": gb, "latency_ns": ns}
	}
	return sweep.Settings{"slot": link("ring", 50, 1000), "machine": link("ring", 25, 1500),
		"rack": link("switch", 12.5/8, 10_000), "network": link("switch", 12.5/8/4, 20_000)}
}
