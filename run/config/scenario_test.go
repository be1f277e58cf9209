package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/delaytimer"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim"
)

// scenarioFiles writes a scenario for each kind of window, with all that a scenario may have, and
// gives their paths.
func scenarioFiles(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	profile := write("tiny.yaml", "name: tiny\nbatch: 32\nlayers: [{name: fc, forward_us: 900, input_grad_us: 900, "+
		"weight_grad_us: 900, bytes: 4000000}]\n")
	jobs := "id,submit_s,gpus,work_s,model\n"
	for i := range 400 {
		jobs += fmt.Sprintf("j%d,%d,%d,%d,%s\n", i, 97*i, 1+i%7, 900+1800*(i%11), []string{"tiny", "VGG", ""}[i%3])
	}
	trace := write("jobs.csv", jobs)
	common := "cluster: V100:1x2x4+A100:1x2x4\nspeed: collective\nprofiles: " + profile + "\nchunk_iterations: 100\n" +
		"costs: {checkpoint_s: 20, restore_s: 40, checkpoint_every_s: 1800}\nfaults: {machine_mtbf_s: 90000, " +
		"machine_mttr_s: 1200, gpu_mtbf_s: 400000}\n"
	return []string{
		write("drawn.yaml", common+"trace: csv:"+trace+"\ncuts: {part: test, batch_jobs: 50, rate: 2, shares: "+
			"1:1:1, windows: 3, data_seed: 7, warm: 0, horizon: 0}\n"),
		write("law.yaml", common+"cuts: {part: validation, workload: \"demo,jobs=60\", load: 1.1, windows: 3, "+
			"data_seed: 7, warm: 0, horizon: 0}\n"),
	}
}

// One scenario is the same jobs, hardware, speeds, costs and faults for a run and for an
// environment: a run of a policy and an episode that follows it have the same records, job for job.
func TestOneScenario(t *testing.T) {
	const policy = "dally-manual:t_rack=3,t_net=6"
	for _, path := range scenarioFiles(t) {
		c := Default()
		if err := c.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		c.Policies, c.Replicates = []string{policy}, 3
		s, err := Build(c, simulation.All())
		if err != nil {
			t.Fatal(err)
		}
		made, err := delaytimer.Make(simulation.All(), "scenario="+path)
		if err != nil {
			t.Fatal(err)
		}
		e, _ := env.Find[*schedenv.Env](made)
		if err := e.Follow(policy); err != nil {
			t.Fatal(err)
		}
		failed := int32(0)
		for r := range s.Runs {
			p, err := s.Policy(0)
			if err != nil {
				t.Fatal(err)
			}
			speed, err := s.Speed()
			if err != nil {
				t.Fatal(err)
			}
			run := &s.Runs[r]
			ran, err := sim.Run(context.Background(), sim.Config{Workload: run.Workload, Topology: s.Topology,
				Speed: speed, Costs: c.Costs,
				ModelBytes: s.ModelBytes, Outages: run.Outages}, p)
			if err != nil {
				t.Fatal(err)
			}
			want := schedtest.Read(ran, len(run.Workload.Jobs))
			got, asked := schedtest.Play(t, e, fmt.Sprint("window=", r), func(_ []float64, _ []bool, action []float64) {
				if err := e.Demonstrate(action); err != nil {
					t.Fatal(err)
				}
			})
			if !slices.Equal(got, want) || asked == 0 {
				t.Errorf("%s, window %d: the records of the environment differ from those of the run, or nobody was "+
					"asked (%d)", filepath.Base(path), r, asked)
			}
			for _, j := range want {
				failed += j.Faults
			}
		}
		if failed == 0 {
			t.Errorf("%s: no job met a fault", path)
		}
		if text := s.BaseJSON(); !strings.Contains(text, `"windows":{"part":"`+string(c.Cuts.Part)) {
			t.Errorf("the windows are not in %s", text)
		}
	}
}

// ranIn gives the records of a run of a policy over a replicate.
func ranIn(t *testing.T, s *Setup, r int, p sim.Policy) []sim.Record {
	t.Helper()
	speed, err := s.Speed()
	if err != nil {
		t.Fatal(err)
	}
	run := &s.Runs[r]
	e, err := sim.Run(context.Background(), sim.Config{Workload: run.Workload, Topology: s.Topology, Speed: speed,
		Costs:      s.Config.Costs,
		ModelBytes: s.ModelBytes, Outages: run.Outages}, p)
	if err != nil {
		t.Fatal(err)
	}
	return schedtest.Read(e, len(run.Workload.Jobs))
}

// One set of defaults: without settings, a run over windows and the environments of version 1
// have the same scenario, and the same records, job for job; environments of version 0 have older
// defaults.
func TestOneSetOfDefaults(t *testing.T) {
	c := Default()
	c.Cuts.Part, c.Policies, c.Replicates = scenario.Train, []string{"dally"}, 2
	s, err := Build(c, simulation.All())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"tarry/DelayTimer", "tarry/DelayTimerDiscrete", "tarry/Preempt", "tarry/Offer"} {
		for _, version := range []string{"-v0", "-v1"} {
			made, err := envs.All().Make(simulation.All(), id+version)
			if err != nil {
				t.Fatal(err)
			}
			on, _ := env.Find[schedenv.Simulated](made)
			cfg := on.Config()
			same := fmt.Sprintf("%+v", cfg.Scenario) == fmt.Sprintf("%+v", c.Scenario)
			for r := range s.Runs {
				p, err := s.Policy(0)
				if err != nil {
					t.Fatal(err)
				}
				again, err := s.Policy(0)
				if err != nil {
					t.Fatal(err)
				}
				same = same && slices.Equal(schedtest.Records(t, &cfg, r, p), ranIn(t, s, r, again))
			}
			if same != (version == "-v1") {
				t.Errorf("%s%s has the scenario and the records of a run: %v", id, version, same)
			}
		}
	}
	// With leases on, an agent without evictions is Dally.
	made, err := envs.All().Make(simulation.All(), "tarry/Preempt-v1")
	if err != nil {
		t.Fatal(err)
	}
	on, _ := env.Find[schedenv.Simulated](made)
	p, err := s.Policy(0)
	if err != nil {
		t.Fatal(err)
	}
	cfg, asked := on.Config(), 0
	nobody := on.AsPolicy(func(_ []float64, _ []bool, action []float64) { action[0], asked = 0, asked+1 })
	if got := schedtest.Records(t, &cfg, 1, nobody); !slices.Equal(got, ranIn(t, s, 1, p)) || asked == 0 {
		t.Errorf("an agent who evicts nobody is not Dally, or was never asked (%d)", asked)
	}
}

// A run refuses more windows than there are, and states what is wrong with the cuts at their place.
func TestWrongWindows(t *testing.T) {
	for text, want := range map[string]string{
		"cuts: {part: test, windows: 2}\nreplicates: 3\n": "run.yaml:2:1: replicates is 3, " +
			"expected at most the 2 windows of part test",
		"cuts:\n  part: tset\n": `run.yaml:2:9: cuts.part is "tset"`,
		"cuts: {part: test, thin: 3}\n": "run.yaml:1:20: thin is given " +
			"without a trace",
		"trace: synth:demo\ncuts: {horizon: 5}\n": "run.yaml:2:8: horizon is given " +
			"without part, expected none",
		"scenario: none.yaml\n": "run.yaml:1:1: scenario: open " +
			"none.yaml",
		"cuts: {part: test}\ncluster: 1x1x8\ncosts: {start_s: 1, stop_s: 2}\n": `run.yaml:3:21: unknown field "costs.stop_s"`,
	} {
		c, err := read(t, text)
		c.Policies = []string{"fifo"}
		if err == nil {
			_, err = Build(c, simulation.All())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, expected %s", text, err, want)
		}
	}
}
