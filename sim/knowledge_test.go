package sim

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// What a policy reads of a job in the middle of its run, by what it declared.
func TestInformationLimits(t *testing.T) {
	looked := 0
	w := jobs(t, Job{GPUs: 1, Work: 10 * Second, Iterations: 5, State: "Pass"})
	for know, want := range map[know.Set]string{
		know.Nothing:                 "NaN NaN 0 NaN 0 NaN 0 {0 0}",
		know.Done:                    "NaN NaN 0 2.5e+06 2 NaN 0 {0 0}",
		know.Work:                    "1e+07 7.5e+06 5 2.5e+06 2 NaN 0 {0 0}",
		know.Done | know.Work:        "1e+07 7.5e+06 5 2.5e+06 2 NaN 0 {0 0}",
		know.Estimate:                "NaN NaN 0 NaN 0 7e+06 0 {0 0}",
		know.Estimate | know.History: "NaN NaN 0 NaN 0 7e+06 2 {0 0}",
		know.Speed:                   "NaN NaN 0 NaN 0 NaN 0 {1 1}",
	} {
		p := script{know: know, f: func(v *View, out []Decision) []Decision {
			switch v.Now() {
			case 0:
				return append(out, Decision{Kind: Start, GPUs: []cluster.GPU{0}}, Decision{Kind: WakeAt, At: 2500000})
			case 10 * Second:
				return out
			}
			looked++
			got := fmt.Sprintf("%v %v %v %v %v %v %d %v", v.Job(0).Work(), v.Run(0).Left(), v.Job(0).Iterations(),
				v.Run(0).Done(), v.Job(0).IterS(),
				v.Job(0).Estimate(), len(v.History()), v.Predict(0, Placement{GPUs: []cluster.GPU{0}}))
			if got != want {
				t.Errorf("knowing %v: %s, want %s", know, got, want)
			}
			if a := v.Job(0).Public(); a.Work != 0 || a.Iterations != 0 || a.State != "" {
				t.Errorf("the public part of a job shows %+v", a)
			}
			return out
		}}
		cfg := Config{Workload: w, Topology: topology(t, 1, 1, 1, 1), Speed: counting{},
			Estimate: func(JobID) Time { return 7 * Second }, History: []Time{1, 2}}
		if _, err := Run(context.Background(), cfg, p); err != nil {
			t.Fatal(err)
		}
	}
	if looked != 7 {
		t.Errorf("%d looks in the middle of the job, want 7", looked)
	}
	for know, want := range map[know.Set]string{know.Nothing: "nothing", know.Done: "done", know.Work: "work",
		know.Done | know.Work | know.Speed: "done+work+speed", know.Estimate | know.History: "estimate+history"} {
		if know.String() != want || know.Clairvoyant() != strings.Contains(want, "work") {
			t.Errorf("%d is %s, clairvoyant %v, want %s", know, know, know.Clairvoyant(), want)
		}
	}
}
