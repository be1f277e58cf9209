package app

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/output/results"
	"tarry/run/config"
	"tarry/sim/efficiency"
	"tarry/sim/hosts"
	"tarry/sim/interference"
	"tarry/sim/param"
	"tarry/sim/variability"
	"tarry/traces/gpuprofile"
	"tarry/traces/priority"
	"tarry/traces/quota"
)

// runFlags are the flags of simulate and compare.
func (from program) runFlags() []cli.Flag {
	d := config.Default()
	return []cli.Flag{
		&cli.StringFlag{Name: "config", Aliases: []string{"c"}, Usage: "YAML `FILE` with the same settings; flags override it"},
		&cli.StringFlag{Name: "scenario", Usage: "YAML `FILE` of hardware, speeds, costs, faults and jobs, which environments take too; --config and flags override it"},
		&cli.StringFlag{Name: "preset", Usage: "a named set of settings: `NAME` (see tarry list presets); the file and the flags override it"},
		&cli.StringFlag{Name: "trace", Usage: "the jobs: `FORMAT:PATH`, a file whose format is recognised, or synth:NAME (see tarry list traces)"},
		&cli.BoolFlag{Name: "strict", Usage: "wrong rows of the trace are errors, not dropped and counted"},
		&cli.IntFlag{Name: "max-jobs", Usage: "refuse a trace of more than `N` jobs; 0 = 10 million"},
		&cli.StringFlag{Name: "models", Value: d.Models, Usage: "`RULE` for jobs without a model: auto (paper when the speed model needs one), paper (its six, equally likely) or none"},
		&cli.StringFlag{Name: "cluster", Value: d.Cluster, Usage: "`RxMxG` (racks x machines x GPUs), TYPE:RxMxG joined by +, a preset's name (see tarry list clusters), log (the machine of the trace itself) or a YAML file"},
		&cli.Int64Flag{Name: "gpu-mem-mib", Usage: "memory of each GPU, `MIB`, of machines of which the cluster does not state it; 0 = not constrained"},
		&cli.StringFlag{Name: "speed", Value: d.Speed, Usage: "speed `MODEL`: " + strings.Join(from.speedForms(), ", ") + " (see tarry list speeds)"},
		&cli.StringFlag{Name: "variability", Usage: "GPUs of one type differ: `FACTORS` is " + variability.Forms + " (docs/types.md)"},
		&cli.StringFlag{Name: "efficiency", Usage: "samples of larger batches are worth less: `LAW` is " + efficiency.Forms + " (see tarry list efficiency)"},
		&cli.StringFlag{Name: "interference", Value: interference.None, Usage: "jobs on one GPU slow one another down: `LAW` is " + interference.Forms() + " (see tarry list interference)"},
		&cli.StringFlag{Name: "hosts", Value: hosts.None, Usage: "speeds follow the CPU and memory that jobs have beside their GPUs: `LAW` is " + hosts.Forms() + " (see tarry list hosts)"},
		&cli.StringFlag{Name: "gpu-profile", Usage: "memory and busy part of a GPU of jobs that say none, by model: `PROFILE` is " + gpuprofile.Forms + " (docs/interference.md)"},
		elasticFlag(),
		deadlinesFlag(),
		&cli.StringFlag{Name: "quotas", Usage: "who owns which part of the cluster: `QUOTAS` is " + quota.Forms + " (see tarry list quotas)"},
		&cli.StringFlag{Name: "priorities", Usage: "priority classes of the jobs: `CLASSES` is " + priority.Forms},
		&cli.StringSliceFlag{Name: "profile", Aliases: []string{"profiles"}, Usage: "a model profile: `FILE` (.yaml, .txt of ASTRA-sim) or folder; repeatable"},
		&cli.StringFlag{Name: "placement", Value: d.Placement, Usage: "`RULE` that chooses among GPUs that fit: best-fit or first-found"},
		&cli.StringFlag{Name: "cost", Aliases: []string{"costs"}, Usage: "costs of starts, preemptions and moves: `KEYS` key=value,... or none (start_s, checkpoint_per_gpu_s, ...; see tarry list costs)"},
		&cli.Int64Flag{Name: "chunk-iterations", Usage: "round every job's work up to whole chunks of `N` iterations per GPU; 0 = no rounding"},
		&cli.Float64Flag{Name: "mark-every", Usage: "marks and ends of jobs whose speed depends on their progress fall on multiples of so many `SECONDS`; 0 = exactly when the work is done"},
		&cli.Float64Flag{Name: "until", Usage: "stop after so many simulated `SECONDS`; 0 = when all jobs are done"},
		&cli.Float64Flag{Name: "estimate-error", Usage: "standard deviation of log(estimate/work) for policies that know estimates: `SIGMA`"},
		&cli.StringFlag{Name: "predict", Usage: "predictor of run times that such policies read: `NAME` or NAME:key=value,... (see tarry list predictors)"},
		&cli.StringFlag{Name: "history", Value: d.History, Usage: "the distribution of work that policies which use one receive: `SOURCE` is self (the jobs' own), none, or a file with a column gpu_s, GPU-seconds of service of earlier jobs"},
		&cli.StringFlag{Name: "tenants", Usage: "measure fairness among tenants: `WHO` is user, vc or group of the jobs"},
		&cli.StringFlag{Name: "cuts", Usage: "run windows as environments have them: `KEYS` part=test,horizon=72,... (see tarry list envs); replicate r is window r of the part"},
		&cli.StringFlag{Name: "faults", Usage: "failures: `KEYS` machine_mtbf_s=...,machine_mttr_s=..., as in a file"},
		&cli.Float64Flag{Name: "machine-mtbf", Usage: "mean `SECONDS` between failures of one machine; 0 = never"},
		&cli.Float64Flag{Name: "machine-mttr", Value: d.Faults.MachineMTTRS, Usage: "mean `SECONDS` to repair it"},
		&cli.Float64Flag{Name: "gpu-mtbf", Usage: "mean `SECONDS` between failures of one GPU; 0 = never"},
		&cli.Float64Flag{Name: "gpu-mttr", Value: d.Faults.GPUMTTRS, Usage: "mean `SECONDS` to repair it"},
		&cli.Uint64Flag{Name: "seed", Value: d.Seed, Usage: "`SEED` of all random draws"},
		&cli.IntFlag{Name: "replicates", Value: d.Replicates, Usage: "`N` repetitions: each has new random jobs of a generator, or its own window of a trace"},
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "run `N` trials at once, 0 = one per processor; never changes a result"},
		&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write Parquet tables into `DIR`; a trial that is complete there is not run again"},
		codecFlag(),
		&cli.BoolFlag{Name: "force", Usage: "replace the results of another configuration in the folder of --out"},
		&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT` of the result: table, json or csv"},
		&cli.StringFlag{Name: "timeline", Usage: "write a trace of every GPU to `FILE` (JSON, opens in Perfetto)"},
		&cli.BoolFlag{Name: "timing", Usage: "also write the table timing (wall time; differs from run to run)"},
	}
}

// elasticFlag is the flag of every command that gives jobs ranges.
func elasticFlag() cli.Flag {
	return &cli.StringFlag{Name: "elastic", Usage: "jobs can run on other numbers of GPUs than they ask for: `KEYS` min=1,max=2x,fraction=0.5,... (see tarry list elastic)"}
}

// deadlinesFlag is the flag of every command that gives jobs deadlines.
func deadlinesFlag() cli.Flag {
	return &cli.StringFlag{Name: "deadlines", Usage: "deadlines of the jobs: trace (its own), none or `KEYS` tightness=1.5,min=0.5,max=1.5,fraction=0.8 (see tarry list deadlines)"}
}

// codecName is the flag of the codec of the tables' files; settings call it parquet_codec.
const codecName = "parquet-codec"

// codecFlag is the flag of every command that writes tables.
func codecFlag() cli.Flag {
	all := results.Codecs()
	return &cli.StringFlag{Name: codecName, DefaultText: all[0], Usage: "compress the tables with `CODEC`: " + strings.Join(all, ", ")}
}

// codecOf reads the flag.
func codecOf(c *cli.Context) (results.Codec, error) {
	codec, err := results.ParseCodec(c.String(codecName))
	if err != nil {
		err = fmt.Errorf("--%s: %w", codecName, err)
	}
	return codec, err
}

// speedForms lists the forms of --speed with their options.
func (from program) speedForms() []string {
	var forms []string
	for _, k := range from.Speeds {
		forms = append(forms, k.Form)
	}
	return forms
}

// readConfig resolves defaults < preset < file < flags. It reports the faults of the file and of the flags together.
func readConfig(c *cli.Context, policies []string) (config.Config, []error) {
	cfg := config.Default()
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	var file *config.File
	if path := c.String("config"); path != "" {
		var err error
		file, err = config.ReadFile(path)
		note(err)
	}
	name := c.String("preset")
	if name == "" && file != nil {
		name = file.Preset()
	}
	note(cfg.ApplyPreset(name))
	if path := c.String("scenario"); path != "" {
		note(cfg.ReadFile(path))
	}
	if file != nil {
		note(file.Apply(&cfg))
		if c.IsSet("preset") {
			cfg.Preset = name
		}
	}
	note(applyFlags(c, &cfg))
	if len(policies) > 0 {
		cfg.Policies = policies
		cfg.Mark("policies", "--policy")
	}
	return cfg, errs
}

// flagOfPath is the flag that a setting came from.
func flagOfPath(path string) string {
	key, _, _ := strings.Cut(path, ".")
	return "--" + key
}

// applyFlags sets what the command line says.
func applyFlags(c *cli.Context, cfg *config.Config) error {
	text := func(flag, field string, to *string) {
		if c.IsSet(flag) {
			*to = c.String(flag)
			cfg.Mark(field, "--"+flag)
		}
	}
	number := func(flag, field string, to *float64) {
		if c.IsSet(flag) {
			*to = c.Float64(flag)
			cfg.Mark(field, "--"+flag)
		}
	}
	whole := func(flag, field string, to *int) {
		if c.IsSet(flag) {
			*to = c.Int(flag)
			cfg.Mark(field, "--"+flag)
		}
	}
	for name, to := range map[string]*string{"trace": &cfg.Trace, "models": &cfg.Models, "speed": &cfg.Speed, "variability": &cfg.Variability, "efficiency": &cfg.Efficiency, "interference": &cfg.Interference, "hosts": &cfg.Hosts, "elastic": &cfg.Elastic, "deadlines": &cfg.Deadlines, "quotas": &cfg.Quotas, "priorities": &cfg.Priorities, "tenants": &cfg.Tenants,
		"placement": &cfg.Placement, "history": &cfg.History, "predict": &cfg.Predict, "out": &cfg.Out} {
		text(name, name, to)
	}
	text("gpu-profile", "gpu_profile", &cfg.GPUProfile)
	text(codecName, "parquet_codec", &cfg.Codec)
	number("mark-every", "mark_every_s", &cfg.MarkEveryS)
	number("until", "until_s", &cfg.UntilS)
	number("estimate-error", "estimate_error", &cfg.EstimateError)
	given := map[string]any{}
	for _, key := range [...]string{"cuts", "faults"} {
		if c.IsSet(key) {
			given[key] = c.String(key)
		}
	}
	set := param.FromTree("flags", given, flagOfPath)
	cfg.Read(set)
	number("machine-mtbf", "faults.machine_mtbf_s", &cfg.Faults.MachineMTBFS)
	number("machine-mttr", "faults.machine_mttr_s", &cfg.Faults.MachineMTTRS)
	number("gpu-mtbf", "faults.gpu_mtbf_s", &cfg.Faults.GPUMTBFS)
	number("gpu-mttr", "faults.gpu_mttr_s", &cfg.Faults.GPUMTTRS)
	whole("replicates", "replicates", &cfg.Replicates)
	whole("jobs", "jobs", &cfg.Jobs)
	whole("max-jobs", "max_jobs", &cfg.MaxJobs)
	if text("cluster", "cluster", &cfg.Cluster); c.IsSet("cluster") {
		cfg.Inline = nil
	}
	if c.IsSet("strict") {
		cfg.Strict = c.Bool("strict")
	}
	for field, to := range map[string]*int64{"chunk_iterations": &cfg.ChunkIterations, "gpu_mem_mib": &cfg.GPUMiB} {
		if flag := strings.ReplaceAll(field, "_", "-"); c.IsSet(flag) {
			*to = c.Int64(flag)
			cfg.Mark(field, "--"+flag)
		}
	}
	if c.IsSet("seed") {
		cfg.Seed = c.Uint64("seed")
	}
	if c.IsSet("profile") {
		cfg.Profiles = c.StringSlice("profile")
		cfg.Mark("profiles", "--profile")
	}
	if c.IsSet("cost") {
		if err := cfg.SetCosts(c.String("cost")); err != nil {
			return fmt.Errorf("--cost: %w", err)
		}
		cfg.Mark("costs", "--cost")
	}
	return set.Err()
}

// formatOf reads --format.
func formatOf(c *cli.Context) (string, error) {
	names := []string{"table", "json", "csv"}
	got := c.String("format")
	for _, n := range names {
		if n == got {
			return got, nil
		}
	}
	return "", fmt.Errorf("--format: %q, expected %s%s", got, strings.Join(names, ", "), param.Hint(got, names))
}
