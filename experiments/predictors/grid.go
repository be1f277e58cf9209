package predictors

import (
	"slices"
	"strings"

	"tarry/experiments/sweep"
)

// place is a workload on a cluster, cut into windows.
type place struct {
	name, cluster, speed, trace, cuts string
	windows                           int
	// requests says that users state run times; without them the predictor request has nothing to
	// read.
	requests bool
}

// logs is where the recorded workloads lie, relative to the project.
const logs = "../shared/traces/"

// settings are at full scale generated jobs that recur, deep-learning traces on 64 and 128 GPUs,
// and logs of parallel machines with users' requests, a processor taken as a GPU and at the same
// speed anywhere. Predictors learn from the training part; windows are of the part behind it in
// time, but for batch, week and jobs drawn from a law, whose windows have no job of it.
//
// Windows begin empty and were chosen so that jobs wait under las: philly and week come faster, as
// in the question results; llnl-atlas and curie-thin wait for hardly anything at their own rate.
// curie-thin goes in eight classes to an eighth of its machine, which holds all but a job in a few
// hundred.
func settings(scale string) []place {
	recur := func(name, law string, windows int) place {
		return place{name: name, cluster: "ethernet:2x4x8", speed: "collective", cuts: "workload=" + law +
			",load=0.9,windows=400,warm=12,horizon=" + sweep.At(scale, "12", "48", "48"), windows: windows}
	}
	if scale != sweep.Full {
		return []place{recur("recur", "recur", sweep.At(scale, 2, 6, 6))}
	}
	parallel := func(name, cluster, cuts string, windows int) place {
		return place{name: name, cluster: cluster, speed: "counting", trace: "swf:" + logs + name + "/" + name +
			".swf", cuts: "shares=60:10:30,gap=1," + cuts, windows: windows, requests: true}
	}
	return []place{
		recur("recur", "recur", 16), recur("recur-site2", `"recur,site=2"`, 16),
		{name: "recur-drift", cluster: "ethernet:2x4x8", speed: "collective", trace: "synth:recur-drift,jobs=20000",
			cuts: "shares=40:20:40,gap=1,warm=12,horizon=48", windows: 16},
		{name: "batch", cluster: "ethernet:2x4x8", speed: "collective", trace: "artistsim:" + logs +
			"artist-sim/sense_500jobs_0start0arrival-withBert.json", cuts: "shares=40:20:40,batch_jobs=70," +
			"windows=400,warm=0,horizon=0", windows: 16},
		{name: "week", cluster: "ethernet:2x4x8", speed: "collective", trace: "artistsim:" + logs +
			"artist-sim/sense_500jobs_poisson_1proc-week.json", cuts: "shares=40:20:40,rate=6,batch_jobs=60," +
			"windows=400,warm=0,horizon=0", windows: 16},
		{name: "itp-07", cluster: "ethernet:4x4x8", speed: "collective", trace: "csv:build/results/itp-07.csv",
			cuts: "shares=40:20:40,gap=1,warm=12,horizon=35", windows: 6},
		parallel("kth-sp2", "5x5x4", "warm=24,horizon=71", 6),
		parallel("sdsc-sp2", "4x4x8", "warm=24,horizon=71", 6),
		{name: "philly", cluster: "ethernet:2x4x8", speed: "collective", trace: "philly:" + logs + "philly/philly.csv",
			cuts: "shares=40:20:40,gap=1,rate=3,thin=4,warm=12,horizon=29", windows: 6},
		parallel("sdsc-blue", "12x12x8", "warm=24,horizon=23", 4),
		parallel("llnl-atlas", "24x48x8", "rate=1.4,warm=12,horizon=35", 4),
		parallel("curie-thin-120d", "9x70x16", "thin=8,rate=2,warm=12,horizon=23", 4),
	}
}

// set is what the setting is to a cell.
func (s *place) set() sweep.Settings {
	out := sweep.Settings{"cluster": s.cluster, "speed": s.speed, "cuts": "part=test," + s.cuts,
		"replicates": s.windows}
	if s.trace != "" {
		out["trace"] = s.trace
	}
	if s.speed == "collective" {
		out["models"] = "paper"
	}
	return out
}

// The predictors: exact knows each run time, sigma-S are users' guesses of all jobs whose log is
// off by S N(0, 1), the others learn.
const (
	exact   = "exact"
	guesses = "sigma-"
	asked   = "request"
)

// fitted are the predictors that learn from jobs that ended.
func fitted() []string { return []string{"global", "size", "user-size", "last2", asked, "ridge"} }

// sigmas are the errors of guesses, the largest first.
func sigmas() []string { return []string{"2", "1", "0.5", "0.25"} }

// kind is a family of orders by predictions, and the rule of the same kind that needs none.
type kind struct {
	name, base, what string
	orders           []string
}

// kinds are the schedulers. srtf:by=gittins is gittins.
func kinds() []kind {
	own := ",evict=later,margin=1"
	return []kind{
		{"nonpreemptive", "fifo-fit", "orders that do not preempt",
			[]string{"sjf:by=estimate", "qssf", "easy", "conservative"}},
		{"preemptive", "las", "orders that preempt and place anywhere", []string{"srtf:by=left", "gittins"}},
		{"dally", "dally", "orders of Dally's contest, with a margin of 1",
			[]string{"dally:order=gittins" + own, "dally:order=psrpt" + own, "dally:order=psrsf" + own}},
	}
}

// bars are the clairvoyant orders without a margin.
func bars() []string { return []string{"dally:order=srpt,evict=later", "dally:order=srsf,evict=later"} }

// policies are the schedulers that run with a predictor; schedulers that need none run beside the
// exact one.
func policies(predictor string) []string {
	var out []string
	for _, k := range kinds() {
		out = append(out, k.orders...)
	}
	if predictor == exact {
		for _, k := range kinds() {
			out = append(out, k.base)
		}
		out = append(out, bars()...)
	}
	return out
}

// predictors are the values of the axis.
func predictors(scale string) []sweep.Case {
	make := func(name, spec string) sweep.Case {
		return sweep.Case{Name: name, Set: sweep.Settings{"predict": spec, "policies": policies(name)}}
	}
	out := []sweep.Case{make(exact, "none")}
	for _, name := range fitted() {
		out = append(out, make(name, name))
	}
	for _, s := range sigmas() {
		out = append(out, make(guesses+s, "request:sigma="+s))
	}
	if scale == sweep.Tiny {
		keep := []string{exact, "size", "ridge", guesses + "2", guesses + "0.5"}
		out = slices.DeleteFunc(out, func(c sweep.Case) bool { return !slices.Contains(keep, c.Name) })
	}
	return out
}

// shortened leaves out what all of Dally's orders share.
func shortened(policy string) string { return strings.TrimSuffix(policy, ",evict=later,margin=1") }

func specs(scale string) []sweep.Spec {
	over := sweep.Axis{Name: "setting"}
	for _, s := range settings(scale) {
		over.Cases = append(over.Cases, sweep.Case{Name: s.name, Set: s.set()})
	}
	return []sweep.Spec{{
		Name: "predictors", Kind: "simulate",
		Base: sweep.Settings{"costs": "checkpoint_s=5,restore_s=10"},
		Axes: []sweep.Axis{over, {Name: "predictor", Cases: predictors(scale)}},
	}}
}
