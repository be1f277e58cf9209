package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// A cluster file states memory by group of machines; the setting stands for what it leaves out, and
// failing costs a minute by default.
func TestMemoryOfGPUs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.yaml")
	text := "racks:\n  - count: 2\n    machines:\n      - {count: 1, gpus: 2, gpu_mem_mib: 100}\n      - {count: 1, " +
		"gpus: 2}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for settings, want := range map[string]struct {
		mib [4]int64
		oom float64
	}{
		"cluster=2x2x2":                                               {},
		"cluster=2x2x2,gpu_mem_mib=70":                                {[4]int64{70, 70, 70, 70}, 60},
		"cluster=2x2x2,gpu_mem_mib=70,costs.oom_s=5":                  {[4]int64{70, 70, 70, 70}, 5},
		"cluster=" + param.Quote(file):                                {[4]int64{100, 0, 100, 0}, 60},
		"gpu_mem_mib=70,costs.start_s=9,cluster=" + param.Quote(file): {[4]int64{100, 70, 100, 70}, 60},
	} {
		c, s := Default(), param.Parse("env", settings)
		if c.Read(s); s.Err() != nil {
			t.Fatal(s.Err())
		}
		c.Speed = "counting"
		made, err := c.Build(known())
		if err != nil {
			t.Fatal(err)
		}
		for m, mib := range want.mib {
			if got := made.Topology.GPUMiB(m); got != mib {
				t.Errorf("%s: machine %d has %d MiB, expected %d", settings, m, got, mib)
			}
		}
		if got := made.Costs().OutOfMemory.FixedS; got != want.oom ||
			(got == 60) != strings.Contains(strings.Join(made.Notes, ""), "oom_s") {
			t.Errorf("%s: failing costs %v, expected %v; notes %q", settings, got, want.oom, made.Notes)
		}
	}
	c := Default()
	c.Speed, c.GPUMiB = "counting", -1
	if _, err := c.Build(known()); err == nil || !strings.Contains(err.Error(),
		"expected a whole number in 0..1099511627776") {
		t.Errorf("error %v", err)
	}
}

// Jobs for which there can never be memory are an error when they are prepared.
func TestJobsThatNoGPUHolds(t *testing.T) {
	c := Default()
	c.Speed, c.GPUMiB = "counting", 70
	made, err := c.Build(known())
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("w", []sim.Job{{ID: "a", GPUs: 1, Work: 1, GPUMiB: 71},
		{ID: "b", GPUs: 1, Work: 1, GPUMiB: 70}})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = made.Prepare(w, rng.Source{})
	if want := `job "a" needs 71 MiB of each GPU, and the largest that it may use has 70`; err == nil ||
		err.Error() != want {
		t.Errorf("error %v, expected %s", err, want)
	}
}
