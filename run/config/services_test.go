package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/run/trial"
)

// served gives the completion times of runs with services, by policy.
func served(t *testing.T, trace, cluster, services, operator string, workers int) string {
	t.Helper()
	c := Default()
	c.Trace, c.Cluster, c.Policies = trace, cluster, []string{"fifo", "dally", "las"}
	c.Services, c.Operator = services, operator
	s, err := Build(c, simulation.All())
	if err != nil {
		t.Fatal(err)
	}
	done, err := trial.Run(context.Background(), s.Trials(), trial.Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for i := range done {
		out += fmt.Sprintln(done[i].JCT)
	}
	return out
}

// Machines that are never lent are as if they were not there, machines that are always lent as if
// there were no services; and results do not depend on the number of workers.
func TestServicesAsClusters(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "jobs.csv")
	rows := "submit_s,gpus,duration_s\n"
	for i := range 120 {
		rows += fmt.Sprintf("%d,%d,%d\n", i*900, 1<<(i*i%5), 1800+i*i*7919%9000)
	}
	if err := os.WriteFile(trace, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	served := func(cluster, services, operator string, workers int) string {
		return served(t, trace, cluster, services, operator, workers)
	}
	const jobs = "1x4x8"
	if a, b := served(jobs, "day-night:own=1", "none", 1), served("1x3x8", "", "", 1); a != b {
		t.Errorf("never lent\n%s\nwithout these machines\n%s", a, b)
	}
	whole := served(jobs, "", "", 1)
	if a := served(jobs, "day-night:own=1", "none:lend=all", 1); a != whole {
		t.Errorf("always lent\n%s\nwithout services\n%s", a, whole)
	}
	one := served(jobs, "bursty:own=2", "least:lend=all", 1)
	two := served(jobs, "bursty:own=2", "least:lend=all", 2)
	if one != two {
		t.Errorf("one worker\n%s\ntwo\n%s", one, two)
	}
	if one == whole || one == served("1x2x8", "", "", 1) {
		t.Errorf("with machines lent at times nothing changed:\n%s", one)
	}
}
