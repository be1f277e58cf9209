package srtfsim

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

func TestConformance(t *testing.T) {
	simtest.Conform(t, "srtf-sim", NewSRTF, simtest.Options{}.Settings("",
		"ties=waiting-first,penalty=1/2,place=consolidate", "ties=arrival,repack=true,interrupt=0.1",
		"interrupt=0.3,ties=waiting-first"))
	simtest.Conform(t, "srsf-sim", NewSRSF, simtest.Options{}.Settings("penalty=0.5", "repack=true,place=lowest"))
}

// Job 0 has 6 s left when job 1 arrives, which is shorter. The preemption adds 3 s. At 7 s job 2 is
// as long as what job 0 has left: with waiting-first it goes first, in order of arrival or in the
// order of the list it does not.
func TestTiesAndPenalty(t *testing.T) {
	for params, want := range map[string][]string{
		"penalty=3,ties=arrival": {"0 on [0] 0s-4s preempt", "1 on [0] 4s-6s finish", "0 on [0] 6s-15s finish",
			"2 on [0] 15s-23s finish"},
		"penalty=3": {"0 on [0] 0s-4s preempt", "1 on [0] 4s-6s finish", "0 on [0] 6s-15s finish",
			"2 on [0] 15s-23s finish"},
		"penalty=3,ties=waiting-first": {"0 on [0] 0s-4s preempt", "1 on [0] 4s-6s finish", "0 on [0] 6s-7s preempt",
			"2 on [0] 7s-15s finish", "0 on [0] 15s-26s finish"},
	} {
		t.Run(params, func(t *testing.T) {
			simtest.ByHand{Shape: [3]int{1, 1, 1}, Jobs: []sim.Job{hand.Job(0, 1, 10), hand.Job(4, 1, 2),
				hand.Job(7, 1, 8)}}.Expect(t,
				simtest.Build(t, "srtf-sim", NewSRTF, params)(), want...)
		})
	}
}

// With repack job 1 moves to machine 0 when job 0 ends. With interrupt=2 the arrival of job 1 costs
// job 0 the interval of 1 s, and the end of job 0 costs job 1 2 s.
func TestRepackInterrupt(t *testing.T) {
	for params, want := range map[string][]string{
		"repack=true,place=lowest": {"0 on [0 1] 0s-1s preempt", "0 on [0 1] 1s-4s finish", "1 on [2 3] 1s-4s preempt",
			"1 on [0 1] 4s-11s finish"},
		"interrupt=2": {"0 on [0 1] 0s-1s preempt", "0 on [0 1] 1s-5s finish", "1 on [2 3] 1s-5s preempt",
			"1 on [2 3] 5s-13s finish"},
	} {
		simtest.ByHand{Shape: [3]int{1, 2, 2}, Jobs: []sim.Job{hand.Job(0, 2, 4), hand.Job(1, 2, 10)}}.Expect(t,
			simtest.Build(t, "srtf-sim", NewSRTF, params)(), want...)
	}
}

// The 60 jobs of the simulator of Tiresias' authors on 16 GPUs: it sorts its list in place, as
// ties=kept, and has this mean completion time.
func TestSixtyJobs(t *testing.T) {
	in, err := os.Open(sharedata.Path(t, "traces", "tiresias", "60_job.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	for _, r := range rows[1:] {
		var x [3]float64
		for k, c := range []int{1, 2, 5} {
			if x[k], err = strconv.ParseFloat(r[c], 64); err != nil {
				t.Fatal(err)
			}
		}
		j := hand.Job(x[1], int32(x[0]), x[2])
		j.ID = r[0]
		jobs = append(jobs, j)
	}
	w, err := sim.NewWorkload("60", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 4, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	for ties, want := range map[string]string{"kept": "195.900", "arrival": "194.983"} {
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Check: true}, simtest.Build(t, "srsf-sim", NewSRSF, "ties="+ties)())
		if err != nil {
			t.Fatal(err)
		}
		sum := sim.Time(0)
		for i := range w.Jobs {
			sum += e.Record(sim.JobID(i)).End - w.Jobs[i].Submit
		}
		if got := fmt.Sprintf("%.3f", sum.Seconds()/float64(len(jobs))); got != want {
			t.Errorf("ties=%s: mean completion time %s s, expected %s", ties, got, want)
		}
	}
}

func TestSettingsThatAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		"ties=keep":     `policy srtf-sim: ties is "keep", expected kept, waiting-first, arrival; did you mean "kept"?`,
		"penalty=1/2/3": `policy srtf-sim: penalty names 3 numbers, expected one, or two separated by '/'`,
		"penalty=-1":    `policy srtf-sim: penalty is "-1", expected numbers separated by '/', each a number in 0..1e+09`,
	} {
		if _, err := NewSRTF(param.Parse("policy srtf-sim", text), cluster.BestFit); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, expected %s", text, err, want)
		}
	}
}
