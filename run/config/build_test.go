package config

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/sim"
	"tarry/sim/origin"
)

// base is a small valid configuration.
func base() Config {
	c := Default()
	c.Trace, c.Speed, c.Cluster, c.Policies = "synth:demo,jobs=20", "counting", "2x2x8", []string{"fifo"}
	return c
}

func build(t *testing.T, c Config) *Setup {
	t.Helper()
	s, err := Build(c, fewPolicies())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestWrongSettings holds the exact message of each fault that needs more than a file's syntax.
func TestWrongSettings(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("five.csv", []byte("id,submit_s,gpus,work_s\n1,0,1,1\n2,1,1,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		why    string
		change func(*Config)
		want   string
	}{
		{"no trace", func(c *Config) { c.Trace = "" }, "no trace, expected --trace FORMAT:PATH or synth:NAME"},
		{"no policy", func(c *Config) { c.Policies = nil }, "no policy, expected at least one: --policy NAME or " +
			"NAME:key=value,..."},
		{"a mistyped policy", func(c *Config) { c.Policies = []string{"fifo", "daly"} },
			`policy "daly": unknown, expected one of fifo, tiresias, dally, dally-manual, artist-tiresias; did you mean "dally"?`},
		{"a policy twice", func(c *Config) { c.Policies = []string{"fifo", "fifo"} }, `policy "fifo" is given twice`},
		{"zero GPUs", func(c *Config) { c.Cluster = "2x2x0" },
			`cluster "2x2x0": GPUs per machine is "0", expected a whole number >= 1`},
		{"a mistyped cluster", func(c *Config) { c.Cluster = "nvlink64" },
			`unknown cluster "nvlink64", expected one of paper, nvlink-64, nvlink-512, nvlink-4096, ethernet-128, flat-64, or RxMxG, paper:RxMxG, ethernet:RxMxG, leafspine:RxMxG, rail:RxMxG or domains:RxMxG (racks x machines per rack x GPUs per machine), with GPU types TYPE:RxMxG+TYPE:RxMxG, or fattree:k=8, or hardware such as dgx-h100, dgx-h100-64 or dgx-h100:2x4 (tarry list clusters); did you mean "nvlink-64"?`},
		{"a missing cluster file", func(c *Config) { c.Cluster = "lab.yaml" },
			"cluster: open lab.yaml: no such file or directory"},
		{"a missing profile", func(c *Config) { c.Profiles = []string{"x.yaml"} },
			"profiles: stat x.yaml: no such file or directory"},
		{"a profile of no kind", func(c *Config) { c.Profiles = []string{"x.png"} },
			"profiles: stat x.png: no such file or directory"},
		{"no replicates", func(c *Config) { c.Replicates = 0 },
			"replicates is 0, expected a whole number in 1..1000000"},
		{"more windows than jobs", func(c *Config) { c.Trace, c.Replicates = "csv:five.csv", 3 },
			"replicates is 3, expected at most the trace's 2 jobs: a trace is cut into one window of jobs per " +
				"replicate"},
		{"a grid before the start", func(c *Config) { c.MarkEveryS = -1 },
			"mark_every_s is -1, expected a number in 0..1e+06"},
		{"NaN", func(c *Config) { c.UntilS = math.NaN() }, "until_s is NaN, expected a number in 0..1e+12"},
		{"faults of NaN", func(c *Config) { c.Faults.MachineMTBFS = math.NaN() },
			"faults.machine_mtbf_s is NaN, expected 0 (never) or 1..1e12 seconds"},
		{"faults without end", func(c *Config) { c.Faults.GPUMTBFS = 1e-9 },
			"faults.gpu_mtbf_s is 1e-09, expected 0 (never) or 1..1e12 seconds"},
		{"repair in no time", func(c *Config) { c.Faults.GPUMTTRS = 0 },
			"faults.gpu_mttr_s is 0, expected 0.001..1e12 seconds"},
		{"a negative error", func(c *Config) { c.EstimateError = -1 },
			"estimate_error is -1, expected a number in 0..100"},
		{"a negative cost", func(c *Config) { c.Costs.Start.FixedS = -1 },
			"cost start_s is -1, expected 0..1e9 seconds"},
		{"a cost of ages", func(c *Config) { c.Costs.Restore.PerGPUS = 1e10 },
			"cost restore_per_gpu_s is 1e+10, expected 0..1e9 seconds"},
		{"storage that stands still", func(c *Config) { c.Costs.Renew.BytesPerS = 1e-9 },
			"cost renew_bytes_per_s is 1e-09, expected 0 (not charged) or a finite number >= 1"},
		{"a negative chunk", func(c *Config) { c.ChunkIterations = -1 },
			"chunk_iterations is -1, expected a whole number in 0..1099511627776"},
		{"a wrong rule", func(c *Config) { c.Placement = "best" },
			`placement is "best", expected best-fit, first-found`},
		{"a wrong rule for models", func(c *Config) { c.Models = "papers" },
			`models is "papers", expected auto, paper, none or the name of a model; did you mean "paper"?`},
		{"too many workers", func(c *Config) { c.Jobs = -2 }, "jobs is -2, expected a whole number in 0..4096"},
		{"where it was said", func(c *Config) {
			c.Replicates = 0
			c.Mark("replicates", "run.yaml:7")
			c.Policies = []string{"x"}
			c.Mark("policies", "--policy")
		}, "run.yaml:7: replicates is 0, expected a whole number in 1..1000000\n" +
			`--policy: policy "x": unknown, expected one of fifo, tiresias, dally, dally-manual, artist-tiresias`},
	} {
		t.Run(c.why, func(t *testing.T) {
			cfg := base()
			c.change(&cfg)
			if _, err := Build(cfg, fewPolicies()); err == nil || err.Error() != c.want {
				t.Errorf("error\n%v\nexpected\n%s", err, c.want)
			}
		})
	}
}

// TestPaperPreset: flags given beside the preset go before it, and its cluster keeps its slots
// and network whatever the dimensions.
func TestPaperPreset(t *testing.T) {
	c := base()
	if err := c.ApplyPreset("paper"); err != nil {
		t.Fatal(err)
	}
	if c.Cluster != "paper" || c.Placement != "first-found" || c.ChunkIterations != 1000 {
		t.Errorf("preset gives %+v", c)
	}
	for cluster, want := range map[string]string{"4x2x8": "paper:4x2x8", "paper": "paper", "nvlink-64": "nvlink-64",
		"paper:1x1x8": "paper:1x1x8"} {
		c.Cluster = cluster
		if got := c.clusterName(); got != want {
			t.Errorf("cluster %q is %q under the preset, expected %q", cluster, got, want)
		}
	}
	for spec, want := range map[string]string{"dally": "artist-dally",
		"dally:t_rack=6,t_net=12": "artist-dally:t_rack=6,t_net=12", "artist-dally:chunk=0": "artist-dally:chunk=0",
		"dally-manual": "artist-dally:timers=manual", "dally-nowait:t_net=2": "artist-dally:t_net=2,t_rack=0",
		"dally-consolidated": "artist-dally:t_rack=inf,t_net=inf", "tiresias": "artist-tiresias",
		"tiresias:lease=10": "artist-tiresias:lease=10",
		"fifo":              "fifo"} {
		if got := c.policySpec(spec); got != want {
			t.Errorf("policy %q is %q under the preset, expected %q", spec, got, want)
		}
	}
	for speed, want := range map[string]string{"counting": "gavel-sim:fill=false",
		"gavel:a/b":             "gavel-sim:fill=false,table=a/b",
		"gavel:a/b,unfit=0.1":   "gavel-sim:fill=false,table=a/b",
		`gavel:"a,b",unfit=0.1`: `gavel-sim:fill=false,table="a,b"`,
		"gavel":                 "gavel-sim:fill=false"} {
		g := base()
		g.Preset, g.Speed = "gavel", speed
		if got := g.policySpec("gavel:fill=false"); got != want {
			t.Errorf("policy is %q under the preset with speed %q, expected %q", got, speed, want)
		}
		for _, spec := range []string{"gavel-sim:table=c", "fifo"} {
			if got := g.policySpec(spec); got != spec {
				t.Errorf("policy %q is %q under the preset", spec, got)
			}
		}
	}
	c.Cluster = "4x2x8"
	s := build(t, c)
	if s.Topology.Slots() != 16 || s.Cluster.Fabric.Convention.String() != "astra1" {
		t.Errorf("%d slots, convention %v, expected 16 and astra1", s.Topology.Slots(), s.Cluster.Fabric.Convention)
	}
}

// TestPolluxPreset: the habits of that simulator, unless the parameters state otherwise; costs and
// the grid of marks can be overridden.
func TestPolluxPreset(t *testing.T) {
	c := base()
	if err := c.ApplyPreset("pollux"); err != nil {
		t.Fatal(err)
	}
	if c.Cluster != "1x16x4" || c.MarkEveryS != 1 || c.Costs.Start.FixedS != 30 || c.Costs.Rescale.FixedS != 30 ||
		c.Costs.Checkpoint.FixedS != 0 {
		t.Errorf("preset gives %+v", c)
	}
	for spec, want := range map[string]string{"tiresias": "tiresias-sim:queues=57600,promote=0,inside=joined,every_s=60," +
		"service=held,place=emptiest",
		"tiresias:queues=10,place=skew": "tiresias-sim:queues=10,place=skew,promote=0,inside=joined,every_s=60," +
			"service=held", "optimus": "pollux-optimus",
		"optimus:every=30": "pollux-optimus:every=30", "fifo": "fifo"} {
		if got := c.policySpec(spec); got != want {
			t.Errorf("policy %q is %q under the preset, expected %q", spec, got, want)
		}
	}
	s := build(t, c)
	if trials := s.Trials(); trials[0].MarkEvery != sim.Second || !strings.Contains(s.JSON(0, 0), `"mark_every_s":1`) {
		t.Errorf("marks every %v: %s", trials[0].MarkEvery, s.JSON(0, 0))
	}
}

// TestMovedUnderAPreset: a setting that chose a variant once is an error that names it, also where
// the preset puts the variant in place.
func TestMovedUnderAPreset(t *testing.T) {
	for spec, want := range map[string]string{
		"pollux/optimus:mode=paper": "policy optimus: there is no mode=paper any more, use optimus; " +
			"--preset pollux has pollux-optimus in place of optimus",
		"pollux/optimus:mode=simulator,every=30": "policy optimus: mode=simulator has moved, use pollux-optimus:every=30; " +
			"--preset pollux has pollux-optimus in place of optimus",
		"gavel/gavel:mode=paper": "policy gavel: there is no mode=paper any more, use gavel; --preset gavel has " +
			"gavel-sim in place of gavel",
		"pollux/tiresias:inside=joined": "",
	} {
		c := base()
		preset, policy, _ := strings.Cut(spec, "/")
		c.Preset, c.Policies = preset, []string{policy}
		_, err := Build(c, simulation.All())
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && got != want {
			t.Errorf("%s: error\n%s\nexpected\n%s", spec, got, want)
		}
	}
}

func TestReplicatesOfAGenerator(t *testing.T) {
	c := base()
	c.Replicates = 3
	s := build(t, c)
	if len(s.Runs) != 3 || s.Runs[0].SHA256 == s.Runs[1].SHA256 || s.Runs[1].SHA256 == s.Runs[2].SHA256 {
		t.Error("replicates are not different draws")
	}
	c.Replicates = 1
	if alone := build(t, c); alone.Runs[0].SHA256 != s.Runs[0].SHA256 || alone.JSON(0, 0) != s.JSON(0, 0) {
		t.Error("the first replicate depends on how many there are")
	}
}

// TestWindowsOfATrace: every job is in one window, and each window begins at its own zero.
func TestWindowsOfATrace(t *testing.T) {
	path := write(t, "t.csv", "id,submit_s,gpus,work_s,deadline_s\na,5,1,1,\nb,6,1,1,\nc,9,1,1,20\nd,9,1,1,\ne,"+
		"30,1,1,\n")
	c := base()
	c.Trace, c.Replicates = "csv:"+path, 2
	s := build(t, c)
	var got []string
	for _, r := range s.Runs {
		line := ""
		for _, j := range r.Workload.Jobs {
			line += j.ID + "@" + j.Submit.String() + " "
		}
		got = append(got, line)
	}
	if want := "a@0s b@1s |c@0s d@0s e@21s "; strings.Join(got, "|") != want {
		t.Errorf("windows are %q, expected %q", strings.Join(got, "|"), want)
	}
	if d := s.Runs[1].Workload.Jobs[0].Deadline; d != 11*sim.Second {
		t.Errorf("deadline is %v, expected 11s", d)
	}
	if n := strings.Join(s.Notes, "\n"); !strings.Contains(n, "5 jobs are cut in order of submission into 2 windows "+
		"of 2 jobs") {
		t.Errorf("notes are %q", n)
	}
}

// TestFaultsWithoutCheckpointsAreNoted: such a run may have no end, so it notes it.
func TestFaultsWithoutCheckpointsAreNoted(t *testing.T) {
	for every, want := range map[float64]bool{0: true, 600: false} {
		c := base()
		c.Faults.GPUMTBFS, c.Costs.CheckpointEveryS = 1e6, every
		s, err := Build(c, fewPolicies())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(s.Notes, "\n"), "never ends"); got != want {
			t.Errorf("checkpoints every %v s: notes %q", every, s.Notes)
		}
	}
}

// TestKillsWithoutCheckpointsAreNoted: such a job starts from nothing after each preemption.
func TestKillsWithoutCheckpointsAreNoted(t *testing.T) {
	for every, want := range map[float64]bool{0: true, 600: false} {
		c := base()
		c.Costs.Kill, c.Costs.CheckpointEveryS = true, every
		s, err := Build(c, fewPolicies())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(s.Notes, "\n"), "a preemption sends a job back to its start"); got != want {
			t.Errorf("checkpoints every %v s: notes %q", every, s.Notes)
		}
	}
}

// TestModelsAreGivenWhenNeeded: counting needs none, collective does, and "none" leaves them.
func TestModelsAreGivenWhenNeeded(t *testing.T) {
	path := write(t, "t.csv", "id,submit_s,gpus,work_s,model\na,0,1,1,\nb,1,2,1,resnet50\n")
	for _, c := range []struct {
		speed, models string
		given         bool
	}{{"counting", "auto", false}, {"counting", "paper", true}, {"collective", "auto", true},
		{"contended", "auto", true}, {"tiers", "auto", false}, {"collective", "none", false}} {
		cfg := base()
		cfg.Trace, cfg.Speed, cfg.Models = "csv:"+path, c.speed, c.models
		jobs := build(t, cfg).Runs[0].Workload.Jobs
		if given := jobs[0].Model != ""; given != c.given || jobs[0].Drawn&origin.Model != 0 != c.given ||
			jobs[1].Model != "resnet50" || jobs[1].Drawn != 0 {
			t.Errorf("speed %s, models %s: jobs %+v", c.speed, c.models, jobs)
		}
	}
}

// TestJSONTellsEverything: what changes a number changes the JSON, what does not leaves it.
func TestJSONTellsEverything(t *testing.T) {
	table := write(t, "speed.csv", "model,compute_fraction,intra_ring_gpus,slots,machines_or_scattered_in_rack,"+
		"racks_or_scattered_in_network\nAlexNet,0.5,2,,,\n")
	want := build(t, base()).JSON(0, 0)
	if !json.Valid([]byte(want)) {
		t.Fatalf("not JSON: %s", want)
	}
	seen := map[string]string{want: "nothing"}
	for what, change := range map[string]func(*Config){
		"trace": func(c *Config) { c.Trace = "synth:demo,jobs=21" }, "strict": func(c *Config) { c.Strict = true },
		"cluster": func(c *Config) { c.Cluster = "2x4x4" }, "speed": func(c *Config) { c.Speed = "tiers" },
		"policy":    func(c *Config) { c.Policies[0] = "dally" },
		"placement": func(c *Config) { c.Placement = "first-found" },
		"cost":      func(c *Config) { c.Costs.Renew.PerGPUS = 1 },
		"seed":      func(c *Config) { c.Seed++ }, "until": func(c *Config) { c.UntilS = 1 },
		"estimates": func(c *Config) { c.EstimateError = 1 },
		"history":   func(c *Config) { c.History = "none" }, "faults": func(c *Config) { c.Faults.GPUMTBFS = 1e9 },
		"models":   func(c *Config) { c.Models = "none" },
		"table":    func(c *Config) { c.Speed = "table:" + table + ",fallback=collective" },
		"max_jobs": func(c *Config) { c.MaxJobs = 99 },
	} {
		c := base()
		change(&c)
		got := build(t, c).JSON(0, 0)
		if other := seen[got]; other != "" {
			t.Errorf("%s gives the JSON of %s", what, other)
		}
		seen[got] = what
	}
	for what, change := range map[string]func(*Config){"jobs": func(c *Config) { c.Jobs = 7 },
		"out": func(c *Config) { c.Out = "x" }, "replicates": func(c *Config) { c.Replicates = 2 }} {
		c := base()
		change(&c)
		if build(t, c).JSON(0, 0) != want {
			t.Errorf("%s changes the JSON of a trial", what)
		}
	}
	c := base()
	c.Speed = "table:" + table + ",fallback=collective"
	before := build(t, c).BaseJSON()
	if err := os.WriteFile(table, []byte("model,compute_fraction,intra_ring_gpus,slots,"+
		"machines_or_scattered_in_rack,racks_or_scattered_in_network\nAlexNet,0.6,2,,,\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if build(t, c).BaseJSON() == before {
		t.Error("another content of the table leaves the JSON as it was")
	}
}

func TestEstimatesHaveTheirError(t *testing.T) {
	c := base()
	c.Trace, c.EstimateError = "synth:poisson,jobs=4000", 0.5
	run := build(t, c).Runs[0]
	sum, square := 0.0, 0.0
	for id := range run.Workload.Jobs {
		x := math.Log(float64(run.Estimate(sim.JobID(id))) / float64(run.Workload.Jobs[id].Work))
		sum += x
		square += x * x
	}
	n := float64(len(run.Workload.Jobs))
	mean, sd := sum/n, math.Sqrt(square/n)
	if math.Abs(mean) > 0.04 || math.Abs(sd-0.5) > 0.03 {
		t.Errorf("log error has mean %v and deviation %v, expected 0 and 0.5", mean, sd)
	}
	if len(run.History) != len(run.Workload.Jobs) || run.History[0] > run.History[1] {
		t.Error("the history is not the sorted work")
	}
}

// A generated workload is for the cluster that it runs on; gpus= of another size is stated in the
// notes and in the resolved configuration, and nowhere else.
func TestGeneratedLoadIsOfTheCluster(t *testing.T) {
	hash := func(trace, on string) (sha, notes, text string, stated int) {
		c := Default()
		c.Trace, c.Speed, c.Cluster, c.Policies = trace, "counting", on, []string{"fifo"}
		s, err := Build(c, fewPolicies())
		if err != nil {
			t.Fatal(err)
		}
		return s.Runs[0].SHA256, strings.Join(s.Notes, "\n"), s.BaseJSON(), s.StatedGPUs
	}
	small, notes, text, stated := hash("synth:demo,jobs=20", "1x2x8")
	if notes != "" || stated != 0 || strings.Contains(text, "trace_gpus") {
		t.Errorf("without gpus= the notes are %q, trace_gpus %d in %s", notes, stated, text)
	}
	if same, _, _, _ := hash("synth:demo,jobs=20,gpus=16", "1x2x8"); same != small {
		t.Error("gpus= of the cluster's size changes the jobs")
	}
	large, _, _, _ := hash("synth:demo,jobs=20", "2x2x8")
	if large == small {
		t.Error("the jobs are the same on 16 and on 32 GPUs")
	}
	other, notes, text, stated := hash("synth:demo,jobs=20,gpus=32", "1x2x8")
	if want := "load 0.9 is of 32 GPUs, since gpus=32 is given; on the cluster's 16 GPUs " +
		"it is 1.8"; other != large || !strings.Contains(notes, want) || stated != 32 ||
		!strings.Contains(text, `"trace_gpus":32`) {
		t.Errorf("gpus=32 on 16 GPUs: notes %q, trace_gpus %d in %s", notes, stated, text)
	}
}
