// Package speeds lists the speed models that tarry ships, under one spelling: NAME or
// NAME:key=value,...
//
// Reading guide: All has the models in the order in which they are shown, with the constructor of each
// below it. The models are in sim/speed and in packages below it.
package speeds

import (
	"errors"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/param"
	"tarry/sim/speed"
	"tarry/sim/speed/deepshare"
	"tarry/sim/speed/measured"
	"tarry/sim/speed/muri"
	"tarry/sim/speed/polluxsim"
	"tarry/sim/speed/shockwave"
	"tarry/sim/stages"
)

// All lists the speed models that tarry ships.
func All() entry.Speeds { return slices.Concat(simple(), tables(), layered()) }

// Light lists speed models of All that read no files: a program for a browser has these.
func Light() entry.Speeds { return slices.Concat(simple(), layered()) }

// simple lists models that do not look at jobs.
func simple() entry.Speeds {
	return entry.Speeds{
		{Name: "counting", Form: "counting", Doc: "the number of GPUs, wherever they are", New: newCounting},
		{Name: "tiers", Form: "tiers[:slot=S,machine=S,rack=S,network=S]",
			Doc: "one slowdown for each level that an allocation spans", New: newTiers,
			Params: "slot     slowdown of an iteration within a slot, times its compute\nmachine  across the " +
				"slots of a machine\n" +
				"rack     across the machines of a rack\nnetwork  across racks"},
	}
}

// tables lists models that read measured speeds.
func tables() entry.Speeds {
	return entry.Speeds{
		{Name: "table", Form: "table:FILE[,fallback=collective]", Doc: "compute fractions by model and shape, read " +
			"from a CSV file", ByModel: true, First: "file", New: newTable,
			Params: "file      the CSV file; it stands first, without file=\nfallback  collective answers for " +
				"shapes that the file lacks; without it they are errors"},
		{Name: "gavel", Form: "gavel:DIR[,spread=true,untyped=TYPE,unfit=PART,model=NAME]",
			Doc: "measured steps per second by model, batch, GPUs and GPU type, in Gavel's tables", ByModel: true,
			ByType: true, Pairs: true, First: "dir", New: newGavel,
			Params: "dir      the folder with isolated.csv and perhaps colocated.csv and job_types.csv; it stands " +
				"first, without dir=\n" +
				"spread   true: the columns *_unconsolidated hold for allocations on several machines\n" +
				"untyped  the type of GPUs that the cluster gives none\n" +
				"unfit    the rate of a job on GPUs that it does not fit, as a part of that on one of type untyped; " +
				"0: it stands still\n" +
				"model    the model of the table that stands in for models that it does not have; without it they " +
				"are errors"},
		{Name: "elasticflow", Form: "elasticflow:DIR[,gpu=TYPE,between=linear,model=NAME]",
			Doc:     "measured iterations per second by model, batch, GPUs and GPU type, in ElasticFlow's tables",
			ByModel: true, ByType: true, First: "dir", New: newElasticFlow,
			Params: "dir      the folder with files throughputs_TYPE_MODEL.csv; it stands first, without dir=\n" +
				"gpu      the type of GPUs that the cluster gives none\n" +
				"between  between two measured numbers of GPUs: below is the speed of the smaller, linear " +
				"interpolates\n" +
				"model    the model of the tables that stands in for models that they do not have, such as \"bert " +
				"(batch size 64)\"; without it they are errors"},
		{Name: "shockwave", Form: "shockwave:DIR[,trace=NAME,batches=fixed]",
			Doc: "measured steps per second by model, batch and GPUs, with the batch size of each epoch of each " +
				"job, in Shockwave's profiles", ByModel: true, Learns: true, First: "dir", OneType: true,
			New: newShockwave,
			Params: "dir      the folder with v100_isolated.csv and files bs_pattern_TRACE.csv; it stands first, " +
				"without dir=\n" +
				"trace    the trace whose jobs are run, TRACE of a file bs_pattern_TRACE.csv; none: each job stays " +
				"at its initial batch (the only one of the folder)\n" +
				"batches  schedule: the batch size follows the job's epochs; fixed: it stays as it is at first, and " +
				"the scheduler changes it"},
		{Name: "pollux", Form: "pollux:DIR[,ring=machine,model=NAME]",
			Doc:     "measured step times and gradient noise by epoch, in the tables of Pollux' simulator: goodput",
			ByModel: true, Learns: true, First: "dir", New: newPollux,
			Params: "dir    the folder with applications.csv, validation.csv, placements_measured.csv and " +
				"step_time_grid.csv; it stands first, without dir=\n" +
				"ring   how the ring of a job passes its machines: most: machines with most of its GPUs first | " +
				"machine: as they are numbered\n" +
				"model  the application that stands in for models that the tables do not have; without it they are " +
				"errors"},
		{Name: "muri", Form: "muri:DIR[,order=worst,model=NAME]", Doc: "measured iteration and stage times by model " +
			"and GPUs, in Muri's table; jobs on the same GPUs interleave their stages", ByModel: true, Pairs: true,
			First: "dir", OneType: true, New: newMuri,
			Params: "dir    the folder with stages.csv; it stands first, without dir=\n" +
				"order  in which the jobs of a group take their stages: best: the one with the shortest iteration | " +
				"worst: the longest\n" +
				"model  the model of the table that stands in for models that it does not have; without it they are " +
				"errors"},
		{Name: "deepshare", Form: "deepshare:DIR[,sticky=true,floor=0.35,model=NAME]",
			Doc: "measured samples per second by model, GPUs and machines, and pairs of jobs that share a machine's " +
				"network, in DeepShare's tables", ByModel: true, First: "dir", OneType: true, New: newDeepShare,
			Params: "dir     the folder with isolated.csv and pair_ratio.csv; it stands first, without dir=\n" +
				"sticky  true: a job stays as slow as it was until it moves, as in DeepShare's simulator\n" +
				"floor   the least part of its throughput that a job keeps\n" +
				"model   the model of the tables that stands in for models that they do not have; without it they " +
				"are errors"},
	}
}

// layered lists models that price a network layer by layer.
func layered() entry.Speeds {
	const model = "model    the profile that stands in for models without one; without it they are errors"
	return entry.Speeds{
		{Name: "collective", Form: "collective[:model=NAME]", Doc: "layer by layer: compute overlaps the " +
			"collectives of the gradients", ByModel: true, New: newCollective, Params: model},
		{Name: "contended", Form: "contended[:share=turns,phase=on,alpha=A,rack=P,network=P,model=NAME]",
			Doc: "collective with links that jobs share", ByModel: true, New: newContended,
			Params: "rack     part of the rack's links that other traffic takes, 0 <= P < 1\nnetwork  the same " +
				"of the network between racks\n" +
				"share    how jobs divide a link: fair | weight: by their link weights | count: k jobs have " +
				"1/(k + (k-1) alpha) each | turns: each asks for the time that it communicates alone | level: turns, " +
				"higher link levels first\n" +
				"phase    on: iterations compute and transfer in turns, and shares are of each moment, with fair, " +
				"weight and level; off\n" +
				"alpha    with count: what each job more on a link costs, times a transfer alone\n" +
				model},
	}
}

func newCounting(_ *param.Set, env entry.SpeedEnv) (sim.SpeedModel, error) {
	return speed.NewCounting(env.Topology, env.Types), env.Types.Validate()
}

func newCollective(s *param.Set, env entry.SpeedEnv) (sim.SpeedModel, error) {
	return speed.NewCollective(env.Topology, env.Fabric, env.Models, s.Text("model", env.DefaultModel), env.Types)
}

func newContended(s *param.Set, env entry.SpeedEnv) (sim.SpeedModel, error) {
	c := speed.Contention{Rack: s.Float("rack", 0, 0, 1), Network: s.Float("network", 0, 0, 1),
		Share: speed.Share(slices.Index(speed.Shares(), s.Enum("share", speed.Shares()...))),
		Phase: s.Enum("phase", "off", "on") == "on", Alpha: s.Float("alpha", 0, 0, math.MaxFloat64)}
	return speed.NewContended(env.Topology, env.Fabric, env.Models, s.Text("model", env.DefaultModel), c, env.Types)
}

func newTiers(s *param.Set, env entry.SpeedEnv) (sim.SpeedModel, error) {
	slow := speed.DefaultSlowdowns()
	for l := cluster.LevelSlot; l <= cluster.LevelCluster; l++ {
		slow[l] = s.Float(l.String(), slow[l], 1, math.MaxFloat64)
	}
	return speed.NewTiers(env.Topology, slow, nil, env.Types)
}

func newGavel(s *param.Set, env entry.SpeedEnv) (sim.SpeedModel, error) {
	dir := s.Text("dir", "")
	opt := measured.Options{Spread: s.Bool("spread", false), Untyped: s.Text("untyped", "v100"),
		Unfit: s.Float("unfit", 0, 0, 1), Model: s.Text("model", env.DefaultModel)}
	if dir == "" {
		return nil, errors.New("no folder, expected gavel:DIR")
	}
	t, err := once(env)("gavel:"+dir, func() (any, error) { return measured.Open(dir) })
	if err != nil {
		return nil, err
	}
	return measured.New(t.(*measured.Table), env.Topology, opt)
}

func newElasticFlow(s *param.Set, env entry.SpeedEnv) (sim.SpeedModel, error) {
	dir := s.Text("dir", "")
	opt := measured.ScalingOptions{Untyped: s.Text("gpu", "A100"),
		Linear: s.Enum("between", "below", "linear") == "linear", Model: s.Text("model", env.DefaultModel)}
	if dir == "" {
		return nil, errors.New("no folder, expected elasticflow:DIR")
	}
	t, err := once(env)("elasticflow:"+dir, func() (any, error) { return measured.OpenScaling(dir) })
	if err != nil {
		return nil, err
	}
	return measured.NewScaling(t.(*measured.Scaling), env.Topology, opt)
}

func newShockwave(s *param.Set, env entry.SpeedEnv) (sim.SpeedModel, error) {
	dir, trace := s.Text("dir", ""), s.Text("trace", "")
	opt := shockwave.Options{Fixed: s.Enum("batches", "schedule", "fixed") == "fixed"}
	if dir == "" {
		return nil, errors.New("no folder, expected shockwave:DIR")
	}
	p, err := once(env)("shockwave:"+dir+","+trace, func() (any, error) { return shockwave.Open(dir, trace) })
	if err != nil {
		return nil, err
	}
	return shockwave.New(p.(*shockwave.Profile), opt), nil
}

func newPollux(s *param.Set, env entry.SpeedEnv) (sim.SpeedModel, error) {
	dir := s.Text("dir", "")
	opt := polluxsim.Options{ByMachine: s.Enum("ring", "most", "machine") == "machine", Types: env.Types,
		Model: s.Text("model", env.DefaultModel)}
	if dir == "" {
		return nil, errors.New("no folder, expected pollux:DIR")
	}
	t, err := once(env)("pollux:"+dir, func() (any, error) { return polluxsim.Open(dir) })
	if err != nil {
		return nil, err
	}
	m, err := polluxsim.New(t.(*polluxsim.Table), env.Topology, opt)
	return m, errors.Join(err, env.Types.Validate())
}

func newDeepShare(s *param.Set, env entry.SpeedEnv) (sim.SpeedModel, error) {
	dir := s.Text("dir", "")
	opt := deepshare.Options{Sticky: s.Bool("sticky", false), Floor: s.Float("floor", deepshare.Floor, 1e-6, 1),
		Model: s.Text("model", env.DefaultModel)}
	if dir == "" {
		return nil, errors.New("no folder, expected deepshare:DIR")
	}
	t, err := once(env)("deepshare:"+dir, func() (any, error) { return deepshare.Open(dir) })
	if err != nil {
		return nil, err
	}
	return deepshare.New(t.(*deepshare.Table), env.Topology, opt)
}

func newMuri(s *param.Set, env entry.SpeedEnv) (sim.SpeedModel, error) {
	dir, opt := s.Text("dir", ""), muri.Options{}
	if s.Enum("order", "best", "worst") == "worst" {
		opt.Order = stages.Worst
	}
	opt.Model = s.Text("model", env.DefaultModel)
	if dir == "" {
		return nil, errors.New("no folder, expected muri:DIR")
	}
	p, err := once(env)("muri:"+dir, func() (any, error) { return muri.Open(dir) })
	if err != nil {
		return nil, err
	}
	return muri.New(p.(*muri.Profile), opt)
}

// once reads each folder once for all runs, where the environment can.
func once(env entry.SpeedEnv) func(string, func() (any, error)) (any, error) {
	if env.Once != nil {
		return env.Once
	}
	return func(_ string, open func() (any, error)) (any, error) { return open() }
}

func newTable(s *param.Set, env entry.SpeedEnv) (sim.SpeedModel, error) {
	file := s.Text("file", "")
	if s.Text("fallback", ""); s.Has("fallback") {
		s.Enum("fallback", "collective")
	}
	if file == "" {
		return nil, errors.New("no file, expected table:FILE")
	}
	var fallback sim.SpeedModel
	if s.Has("fallback") {
		c, err := speed.NewCollective(env.Topology, env.Fabric, env.Models, env.DefaultModel, env.Types)
		if err != nil {
			return nil, err
		}
		fallback = c
	}
	return speed.OpenTable(file, env.Topology, fallback, env.Types)
}
