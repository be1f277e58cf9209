package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim"
)

func fiveJobs(t *testing.T) string {
	return "csv:" + write(t, "t.csv", "id,submit_s,gpus,work_s\na,5,1,1\nb,6,1,1\nc,9,1,1\nd,12,1,1\ne,30,1,1\n")
}

// Windows that are listed may overlap, keep the times of the trace and are one replicate each.
func TestListedWindows(t *testing.T) {
	c := base()
	c.Trace, c.WindowStarts, c.WindowJobs, c.Replicates = fiveJobs(t), []int{3, 0, 2}, 2, 3
	s := build(t, c)
	var got []string
	for _, r := range s.Runs {
		line := ""
		for _, j := range r.Workload.Jobs {
			line += j.ID + "@" + j.Submit.String() + " "
		}
		got = append(got, line)
	}
	if want := "d@12s e@30s |a@5s b@6s |c@9s d@12s "; strings.Join(got, "|") != want {
		t.Errorf("windows are %q, expected %q", strings.Join(got, "|"), want)
	}
	if n := strings.Join(s.Notes, "\n"); !strings.Contains(n, "3 windows of 2 of the trace's 5 jobs") {
		t.Errorf("notes are %q", n)
	}
	if text := s.JSON(0, 0); !strings.Contains(text, `"window_starts":[3,0,2],"window_jobs":2`) {
		t.Errorf("the resolved configuration is %s", text)
	}
}

func TestListedWindowsOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.yaml")
	for text, want := range map[string]string{
		"window_starts: [4, 0]\nwindow_jobs: 1\n":     "",
		"window_starts: [3, x, -1]\nwindow_jobs: 1\n": `run.yaml:1:1: window_starts has "x", expected whole numbers in 0..2147483648: the first job of each window`,
		"window_starts: [0]\n": "window_jobs is 0, expected the number of jobs " +
			"of a window, >= 1",
		"window_starts: [0]\nwindow_jobs: 0\n": `run.yaml:2:14: window_jobs is "0", expected a whole number in 1..2147483648`,
		"window_starts: [0]\nwindow_jobs: 1\nreplicates: 2\n": "replicates is 2, expected at most the 1 windows " +
			"of window_starts",
		"window_starts: [4, 1, 3]\nwindow_jobs: 3\n": "window 0 has the jobs 4 to 6, expected numbers " +
			"below 5: the trace has so many jobs\n",
		"window_starts: [0]\nwindow_jobs: 1\ntrace: synth:demo\n": "window_starts with generated jobs, " +
			"expected a trace",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		c := base()
		c.Trace = fiveJobs(t)
		f, err := ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err = f.Apply(&c); err == nil {
			_, err = Build(c, fewPolicies())
		}
		switch {
		case want == "" && (err != nil || c.Replicates != 2):
			t.Errorf("%q: %v, %d replicates", text, err, c.Replicates)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v\nexpected %s", text, err, want)
		}
	}
}

// The preset is the published protocol, and what is set beside it goes before it.
func TestRLSchedulerPreset(t *testing.T) {
	c := base()
	if err := c.ApplyPreset("rlscheduler"); err != nil {
		t.Fatal(err)
	}
	if c.WindowJobs != 1024 || len(c.WindowStarts) != 10 || c.Replicates != 10 || c.Speed != "counting" {
		t.Errorf("the preset gives %+v", c)
	}
	c.Trace, c.WindowStarts, c.WindowJobs, c.Replicates = fiveJobs(t), []int{0}, 5, 1
	if s := build(t, c); s.Topology.GPUs() != 256 || s.Runs[0].Workload.Jobs[0].Submit != 5*sim.Second {
		t.Errorf("%d GPUs, first job at %v", s.Topology.GPUs(), s.Runs[0].Workload.Jobs[0].Submit)
	}
}
