package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tarry/baselines"
	"tarry/catalogue/simulation"
	"tarry/env/scenario"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/param"
)

// fewPolicies gives the catalogues with few policies, so that messages are short.
func fewPolicies() scenario.Catalogues {
	all := simulation.All()
	few := []string{"dally", "dally-manual", "fifo", "tiresias", "artist-tiresias"}
	all.Policies = slices.DeleteFunc(all.Policies, func(e baselines.Entry) bool {
		return !slices.Contains(few,
			e.Name)
	})
	return all
}

// write puts text into a file named run.yaml and changes into its folder, so that messages are
// short.
func write(t *testing.T, name, text string) string {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// read applies a file to the defaults.
func read(t *testing.T, text string) (Config, error) {
	t.Helper()
	f, err := ReadFile(write(t, "run.yaml", text))
	if err != nil {
		t.Fatal(err)
	}
	c := Default()
	if err := c.ApplyPreset(f.Preset()); err != nil {
		return c, err
	}
	return c, f.Apply(&c)
}

func TestEveryFieldOfAFile(t *testing.T) {
	c, err := read(t, `
trace: philly:jobs.csv
strict: true
max_jobs: 1000
models: none
cluster: nvlink-64
speed: tiers:rack=1.5
profiles: [a.yaml, b.txt]
policies: [dally, "tiresias:queues=10"]
placement: first-found
costs: {checkpoint_s: 5, restore_bytes_per_s: 1e9, checkpoint_every_s: 60, kill: true}
seed: 9
replicates: 3
until_s: 1e6
estimate_error: 0.5
history: none
faults: {machine_mtbf_s: 1e5, machine_mttr_s: 100, gpu_mtbf_s: 2e5, gpu_mttr_s: 50}
jobs: 4
out: here
parquet_codec: snappy
cuts:
  horizon: 7
  part: test
`)
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Scenario = scenario.Scenario{Trace: "philly:jobs.csv", Strict: true, MaxJobs: 1000, Models: "none",
		Cluster: "nvlink-64", Speed: "tiers:rack=1.5",
		Profiles: []string{"a.yaml", "b.txt"}, Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 5},
			Restore: sim.Cost{BytesPerS: 1e9}, CheckpointEveryS: 60, Kill: true},
		Faults: outage.Failures{MachineMTBFS: 1e5, MachineMTTRS: 100, GPUMTBFS: 2e5, GPUMTTRS: 50},
		Cuts:   scenario.DefaultCuts()}
	want.Cuts.Part, want.Cuts.Horizon = "test", 7
	want.Policies, want.Placement = []string{"dally", "tiresias:queues=10"}, "first-found"
	want.Seed, want.Replicates, want.UntilS, want.EstimateError, want.History, want.Jobs, want.Out = 9, 3, 1e6, 0.5,
		"none", 4, "here"
	want.Codec = "snappy"
	if !strings.HasSuffix(c.At("horizon"), "run.yaml:22:3: ") {
		t.Errorf("horizon is at %q", c.At("horizon"))
	}
	for key := range strings.FieldsSeq("trace strict max_jobs models cluster speed profiles policies placement " +
		"costs seed replicates until_s estimate_error history faults jobs out parquet_codec cuts part horizon") {
		want.Mark(key, strings.TrimSuffix(c.At(key), ": "))
	}
	if got := fmt.Sprintf("%+v", c); got != fmt.Sprintf("%+v", want) {
		t.Errorf("read\n%s\nexpected\n%+v", got, want)
	}
}

// hundred is the first hundred faults of a list of names without names.
func hundred() string {
	text := ""
	for i := range 100 {
		text += fmt.Sprintf("run.yaml:1:%d: policies[%d] is empty, expected a name\n", 12+2*i, i)
	}
	return text
}

// TestWrongFiles holds the exact message of each fault of a run's file.
func TestWrongFiles(t *testing.T) {
	for _, c := range []struct{ why, text, want string }{
		{"nothing in it", "", "run.yaml: the file is empty, expected key: value"},
		{"a list", "- a\n", "run.yaml:1:1: the file is a list, expected key: value"},
		{"not YAML", "trace: [a\n", "run.yaml:1: did not find expected ',' or ']'"},
		{"two documents", "seed: 1\n---\nseed: 2\n", "run.yaml:2: a second document, expected one"},
		{"a mistyped field", "sed: 1\n",
			`run.yaml:1:1: unknown field "sed", expected one of carbon, chunk_iterations, cluster, costs, cuts, deadlines, efficiency, elastic, estimate_error, faults, gpu_mem_mib, gpu_profile, history, hosts, interference, jobs, kwh_price, layers, mark_every_s, max_jobs, models, operator, out, parquet_codec, placement, policies, policy, power, power_cap, predict, preset, priorities, profiles, quotas, replicates, scenario, seed, services, speed, strict, tenants, trace, trace_columns, until_s, variability, window_jobs, window_starts; did you mean "seed"?`},
		{"a field twice", "seed: 1\nseed: 2\n", "run.yaml:2:1: seed appears twice"},
		{"a word for a number", "\nseed: many\n", `run.yaml:2:7: seed is "many", expected a whole number >= 0`},
		{"a negative seed", "seed: -1\n", `run.yaml:1:7: seed is "-1", expected a whole number >= 0`},
		{"no replicate", "replicates: 0\n", `run.yaml:1:13: replicates is "0", expected a whole number in 1..1000000`},
		{"NaN", "until_s: .nan\n", `run.yaml:1:10: until_s is ".nan", expected a number in 0..1e+12`},
		{"a negative time", "until_s: -5\n", `run.yaml:1:10: until_s is "-5", expected a number in 0..1e+12`},
		{"a wrong rule", "placement: bestfit\n",
			`run.yaml:1:12: placement is "bestfit", expected best-fit, first-found; did you mean "best-fit"?`},
		{"yes for true", "strict: yes\n", `run.yaml:1:9: strict is "yes", expected true or false`},
		{"empty text", "trace:\n", "run.yaml:1:7: trace is empty, expected text"},
		{"a mapping for a name", "trace: {a: b}\n", "run.yaml:1:8: trace is a mapping, expected text"},
		{"no policies", "policies: []\n", "run.yaml:1:11: policies is an empty list, expected a list of names"},
		{"a policy that is no name", "policies: [fifo, {a: 1}]\n", "run.yaml:1:18: policies[1] is a mapping, " +
			"expected a name"},
		{"both spellings", "policy: fifo\npolicies: [dally]\n", "run.yaml:1:1: policy and policies are both given, " +
			"expected one of them"},
		{"an unknown cost", "costs: {chekpoint_s: 1}\n",
			`run.yaml:1:9: unknown field "costs.chekpoint_s", expected one of checkpoint_bytes_per_s, checkpoint_every_s, checkpoint_per_gpu_s, checkpoint_s, kill, migrate_bytes_per_s, migrate_per_gpu_s, migrate_s, oom_bytes_per_s, oom_per_gpu_s, oom_s, renew_bytes_per_s, renew_per_gpu_s, renew_s, rescale_bytes_per_s, rescale_per_gpu_s, rescale_s, resize, restore_bytes_per_s, restore_per_gpu_s, restore_s, start_bytes_per_s, start_per_gpu_s, start_s, table; did you mean "checkpoint_s"?`},
		{"a negative cost", "costs:\n  start_s: -1\n",
			`run.yaml:2:12: costs.start_s is "-1", expected a number in 0..1e+09`},
		{"a cost as text", "costs: start_s\n", `run.yaml:1:1: cost: "start_s": expected key=value`},
		{"a repair in no time", "faults: {gpu_mttr_s: 0}\n",
			`run.yaml:1:22: faults.gpu_mttr_s is "0", expected a number in 0.001..1e+12`},
		{"three faults, in the order of their lines", "until_s: -1\nsede: 3\nseed: x\n",
			`run.yaml:1:10: until_s is "-1", expected a number in 0..1e+12` + "\n" +
				`run.yaml:2:1: unknown field "sede", expected one of carbon, chunk_iterations, cluster, costs, cuts, deadlines, efficiency, elastic, estimate_error, faults, gpu_mem_mib, gpu_profile, history, hosts, interference, jobs, kwh_price, layers, mark_every_s, max_jobs, models, operator, out, parquet_codec, placement, policies, policy, power, power_cap, predict, preset, priorities, profiles, quotas, replicates, scenario, seed, services, speed, strict, tenants, trace, trace_columns, until_s, variability, window_jobs, window_starts; did you mean "seed"?` + "\n" +
				`run.yaml:3:7: seed is "x", expected a whole number >= 0`},
		{"an alias in itself", "trace: &a [*a]\n", "run.yaml:1: the alias *a stands inside what it names, expected " +
			"a value that ends"},
		{"a hundred faults and more", "policies: [" + strings.Repeat("~,", 200) + "]\n", hundred() +
			"run.yaml: more than 100 faults, the others are not listed"},
		{"an unknown preset", "preset: papre\n",
			`preset "papre": unknown, expected one of paper, rlscheduler, gavel, elasticflow, pollux; did you mean "paper"?`},
	} {
		t.Run(c.why, func(t *testing.T) {
			if _, err := read(t, c.text); err == nil || err.Error() != c.want {
				t.Errorf("error\n%v\nexpected\n%s", err, c.want)
			}
		})
	}
}

// TestWrongClusters holds the exact message of each fault of a cluster's file.
func TestWrongClusters(t *testing.T) {
	const ok = "racks: [{machines: [{count: 2, gpus: 4}]}]\n"
	for _, c := range []struct{ why, text, want string }{
		{"no racks", "name: x\n", "c.yaml:1:1: racks is missing, expected a list of racks"},
		{"an empty list", "racks: []\n", "c.yaml:1:8: racks is an empty list, expected a list with at least one entry"},
		{"a rack that is a number", "racks: [3]\n", `c.yaml:1:9: racks[0] is "3", expected key: value`},
		{"no machines", "racks:\n  - count: 2\n", "c.yaml:2:5: racks[0].machines is missing, expected a list of " +
			"machines"},
		{"no GPUs", "racks: [{machines: [{count: 2}]}]\n", "c.yaml:1:21: racks[0].machines[0].gpus is missing, " +
			"expected 1..64"},
		{"zero GPUs", "racks: [{machines: [{count: 2, gpus: 0}]}]\n",
			`c.yaml:1:38: racks[0].machines[0].gpus is "0", expected a whole number in 1..64`},
		{"slots that do not divide", "racks: [{machines: [{gpus: 8, slots: 3}]}]\n",
			`c.yaml:1:38: racks[0].machines[0].slots is "3", expected a divisor of 8`},
		{"a mistyped field", "racks: [{machines: [{gpus: 8, slot: 2}]}]\n",
			`c.yaml:1:31: unknown field "racks[0].machines[0].slot", expected one of count, cpu_milli, gpu_mem_mib, gpus, mem_mib, mig, slots, type; did you mean "slots"?`},
		{"an unknown MIG device", "racks: [{machines: [{gpus: 8, mig: a30}]}]\n",
			`c.yaml:1:1: cluster: rack 0, machines 0: no MIG device "a30", expected one of a100-40gb, a100-80gb, h100-80gb`},
		{"negative memory", "racks: [{machines: [{gpus: 8, mem_mib: -1}]}]\n",
			`c.yaml:1:40: racks[0].machines[0].mem_mib is "-1", expected a whole number >= 0`},
		{"an unknown base", ok + "fabric: {base: nvlnk}\n",
			`c.yaml:2:16: fabric.base is "nvlnk", expected nvlink, paper, nvlink-64, nvlink-512, nvlink-4096, ethernet-128, flat-64, dgx-a100, dgx-h100, dgx-b200, gb200-nvl72, p3.16xlarge, p3dn.24xlarge, p4d.24xlarge, p4de.24xlarge, p5.48xlarge, a2-highgpu-8g, a2-megagpu-16g, a2-ultragpu-8g, a3-highgpu-8g, a3-megagpu-8g, nd-v4, nd-a100-v4, nd-h100-v5; did you mean "nvlink"?`},
		{"an unknown wiring", ok + "fabric:\n  links:\n    rack: {kind: star}\n",
			`c.yaml:4:18: fabric.links.rack.kind is "star", expected switch, ring, full`},
		{"no bandwidth", ok + "fabric: {links: {rack: {gb_per_s: 0}}}\n",
			`c.yaml:2:35: fabric.links.rack.gb_per_s is "0", expected a number in 1e-09..1e+09`},
		{"a level that is not", ok + "fabric: {links: {core: {gb_per_s: 1}}}\n",
			`c.yaml:2:18: unknown field "fabric.links.core", expected one of machine, network, rack, slot`},
		{"an overlap above 1", ok + "fabric: {schedule: {exposed: 2}}\n",
			`c.yaml:2:30: fabric.schedule.exposed is "2", expected a number in 0..1`},
		{"a speed of nothing", strings.Replace(ok, "gpus: 4", "gpus: 4, type: A100", 1) + "gpu_speed: {A100: 0}\n",
			`c.yaml:2:19: gpu_speed.A100 is "0", expected a number in 1e-06..1e+06`},
		{"a speed of no type", ok + "gpu_speed: {A100: 2}\n",
			`c.yaml:2:13: gpu_speed.A100: the cluster has no GPUs of this type, expected machines with a type`},
		{"too many racks", "racks: [{count: 16000000, machines: [{gpus: 1}]}, {count: 16000000, machines: " +
			"[{gpus: 1}]}]\n", "c.yaml:1:51: cluster: more than 16777216 GPUs, expected fewer"},
		{"too many GPUs", "racks: [{count: 1000, machines: [{count: 16777216, gpus: 64}]}]\n",
			"c.yaml:1:9: cluster: more than 16777216 GPUs, expected fewer"},
	} {
		t.Run(c.why, func(t *testing.T) {
			_, err := scenario.ReadCluster(write(t, "c.yaml", c.text))
			if err == nil || err.Error() != c.want {
				t.Errorf("error\n%v\nexpected\n%s", err, c.want)
			}
		})
	}
}

func TestClusterFile(t *testing.T) {
	c, err := scenario.ReadCluster(write(t, "c.yaml", `
name: lab
racks:
  - count: 2
    machines:
      - {count: 3, gpus: 8, slots: 2, type: V100, cpu_milli: 96000, mem_mib: 1024}
      - {gpus: 4, type: A100}
  - machines: &plain [{gpus: 1}]
  - machines: *plain
fabric:
  base: paper
  convention: per-link
  scheme: hierarchical
  endpoint_ns: 7
  links:
    rack: {kind: full, algorithm: tree, gb_per_s: 3, latency_ns: 9}
  schedule: {fifo: true, exposed: 0.5, drain: false, bucket_bytes: 1000, op_ns: 0}
gpu_speed: {A100: 2.5, V100: {other: 0.9, vgg16: 0.4, lstm: 1.5}}
`))
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(c.Spec)
	if err != nil {
		t.Fatal(err)
	}
	if top.Racks() != 4 || top.GPUs() != 2*28+2 || top.Machines() != 10 || top.Type(3) != "A100" ||
		c.Speeds["A100"] != 2.5 {
		t.Errorf("%d racks, %d machines, %d GPUs, type %q, speeds %v", top.Racks(), top.Machines(), top.GPUs(),
			top.Type(3), c.Speeds)
	}
	if c.Speeds["V100"] != 0.9 || c.ModelSpeeds["vgg16"]["V100"] != 0.4 || c.ModelSpeeds["lstm"]["V100"] != 1.5 ||
		len(c.ModelSpeeds) != 2 {
		t.Errorf("speeds %v, of models %v", c.Speeds, c.ModelSpeeds)
	}
	l := c.Fabric.Links[2]
	if l.Kind.String() != "full" || l.Algorithm.String() != "tree" || l.GBps != 3 || l.LatencyNS != 9 ||
		c.Fabric.Links[0].GBps != 50 ||
		c.Fabric.Convention.String() != "per-link" || c.Fabric.Schedule.Exposed != 0.5 || c.Fabric.Schedule.Drain {
		t.Errorf("fabric is %+v", c.Fabric)
	}
}

// FuzzFile looks for inputs that crash the reader.
func FuzzFile(f *testing.F) {
	for _, s := range []string{"", "seed: 1", "policies: [a, b]\ncosts: none",
		"cluster: {racks: [{machines: [{gpus: 8}]}]}", "a: &a [*a]", "x: *y", "? [a]\n: b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := Default()
		file := &File{func() (*param.Set, error) { return param.ParseYAML("f.yaml", []byte(text)) }}
		file.Preset()
		if err := file.Apply(&c); err == nil && c.Replicates < 1 {
			t.Errorf("accepted %d replicates", c.Replicates)
		}
	})
}
