package evaluate

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env/delaytimer"
	"tarry/env/offer"
	"tarry/env/preempt"
	"tarry/run/trial"
)

func TestJobsOf(t *testing.T) {
	all := &Setup{from: shipped.All()}
	v0, v1 := all.defaults(delaytimer.ID), all.defaults(delaytimer.IDV1)
	if jobsOf(v0, "") == jobsOf(v1, "") || jobsOf(v0, "speed=collective,models=auto") != jobsOf(v1, "") {
		t.Error("versions have the same jobs only where their options say so")
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"", "cluster=4x4x8,load=0.90,horizon=72.0,speed=tiers", true},
		{"load=0.7,horizon=5", "horizon=5,load=0.7", true},
		{"leases=false", "order=las,hide=queue+work,every=1,min_run=2,victims=3,recheck=4,candidates=5", true},
		{"reward=comm,gamma=0.5,average=3", "hide_work=true", true},
		{"windows=400", "windows=500", true},
		{`speed="contended:rack=0.9,network=0.9"`, `load=0.9,speed="contended:rack=0.9,network=0.9"`, true},
		{"data_seed=9007199254740992", "data_seed=9007199254740993", false},
		{"load=0.7", "", false}, {"cluster=2x4x8", "", false}, {"speed=counting", "", false},
		{"checkpoint_s=5", "", false}, {"restore_s=5", "", false},
		{"warm=1", "", false}, {"horizon=1", "", false}, {"lease_s=60", "", false}, {"workload=philly", "", false},
		{"trace=a.csv", "trace=b.csv", false},
		{"gap=1", "", false}, {"batch_jobs=3", "", false}, {"variability=drawn:sigma=0.1", "", false},
		{"shares=40:20:40", "", false}, {"rate=2", "", false}, {"thin=3", "", false}, {"copies=3", "", false},
		{"rate=1.0,thin=1,shares=70:15:15", "", true},
		{"part=test", "", false}, {"window_jobs=3", "", false}, {"test_starts=1+2", "", false},
		{"test_jobs=3", "", false},
	} {
		if got := jobsOf(v0, c.a) == jobsOf(v0, c.b); got != c.same {
			t.Errorf("%q and %q: the same jobs %v, expected %v", c.a, c.b, got, c.same)
		}
	}
}

// Every option of an environment is of its workload, or known as one that is not.
func TestWorkloadOptionsAreWhole(t *testing.T) {
	setup := &Setup{from: shipped.All()}
	others := strings.Fields("windows hide hide_work reward gamma average every regime min_run candidates victims " +
		"leases order recheck base")
	for _, id := range []string{delaytimer.ID, delaytimer.IDV1, preempt.ID, offer.IDV1} {
		e, err := setup.from.Envs.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		known := setup.defaults(id)
		for _, r := range e.Rows() {
			if _, is := known[r.Key]; is == slices.Contains(others, r.Key) {
				t.Errorf("the option %s of %s is of the workload: %v, expected it in one of the two lists", r.Key, id, is)
			}
		}
	}
}

// Agents that differ in what they see, are asked and are paid are measured together, each as it was
// trained, on the same windows.
func TestAgentsWithOtherEyes(t *testing.T) {
	var dirs, texts []string
	for _, more := range []string{"", ",leases=false", ",hide=queue+work,hide_work=true",
		",reward=slowdown,every=0.5,order=srpt"} {
		texts = append(texts, busy+more+",part=test")
		dirs = append(dirs, trained(t, preempt.ID, busy+more))
	}
	s, err := Build(shipped.All(), request(dirs...))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Policies) != 6 || len(s.Trials) != 18 {
		t.Fatalf("policies %v, %d trials", s.Policies, len(s.Trials))
	}
	for i, tr := range s.Trials {
		if tr.WorkloadSHA256 != s.Trials[i%3].WorkloadSHA256 {
			t.Errorf("trial %d has other jobs", i)
		}
		if want := texts[min(i/3, len(texts)-1)]; i < 12 && !strings.Contains(tr.Config, want) || i >= 12 &&
			!strings.Contains(tr.Config, texts[0]) {
			t.Errorf("trial %d says %s, expected the environment %s", i, tr.Config, want)
		}
	}
	if _, err := trial.Run(context.Background(), s.Trials, trial.Options{}); err != nil || s.Err() != nil {
		t.Fatal(err, s.Err())
	}
}
