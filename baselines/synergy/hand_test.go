package synergy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/hosts"
	"tarry/sim/simtest"
	"tarry/sim/stack"
)

// fed is a speed model: a job of model "N" needs N cores per GPU, and with fewer is slower in
// proportion; it has its part of three by default.
type fed struct{}

func (fed) Speed(q *sim.Query) (sim.Speed, error) {
	need, cores := 0.0, float64(q.CPUMilli)/1000
	if _, err := fmt.Sscan(q.Job.Model, &need); err != nil {
		return sim.Speed{}, err
	}
	if cores == 0 {
		cores = 3
	}
	return sim.Speed{Rate: float64(len(q.GPUs)) * min(1, cores/need), ComputeFrac: 1}, nil
}

// byHand is a case worked out by hand: machines of so many GPUs with three cores each.
type byHand struct {
	machines, gpus int
	settings       string
	jobs           []sim.Job
}

// job needs so many cores per GPU, and runs so many seconds with them.
func job(cores string, submit float64, gpus int32, run float64) sim.Job {
	return sim.Job{Model: cores, Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
}

func (c byHand) expect(t *testing.T, want ...string) {
	t.Helper()
	for i := range c.jobs {
		c.jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("by hand", c.jobs)
	if err != nil {
		t.Fatal(err)
	}
	spec := cluster.Uniform(1, c.machines, c.gpus, 1)
	spec.Racks[0][0].CPUMilli, spec.Racks[0][0].MemMiB = int64(c.gpus)*3000, int64(c.gpus)*1024
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	var got simtest.Tape
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: fed{}, Check: true},
		policy(t, c.settings)(), &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Lines, want) {
		t.Errorf("%s: got\n%q\nwant\n%q", c.settings, got.Lines, want)
	}
}

// Two jobs that need 6 cores and two that need 1, on 4 GPUs with 12 cores. At 3 cores each the
// first two take twice as long; with what the others do not need they take their 600 s.
func TestCoresGoWhereTheyCount(t *testing.T) {
	jobs := func() []sim.Job {
		return []sim.Job{job("5", 0, 1, 600), job("5", 0, 1, 600), job("1", 0, 1, 600), job("1", 0, 1, 600)}
	}
	for _, mechanism := range []string{"tune", "greedy", "opt"} {
		byHand{1, 4, "mechanism=" + mechanism, jobs()}.expect(t, "0 on [0] 0s-600s finish", "1 on [1] 0s-600s finish",
			"2 on [2] 0s-600s finish", "3 on [3] 0s-600s finish")
	}
	byHand{1, 4, "mechanism=proportional", jobs()}.expect(t, "2 on [2] 0s-600s finish", "3 on [3] 0s-600s finish",
		"0 on [0] 0s-1000s finish", "1 on [1] 0s-1000s finish")
}

// Three jobs that need 6 cores and one that needs 1, on 4 GPUs with 12 cores. Greedy gives 6 and 6
// to the first two; nothing is left for the others, and two GPUs are idle for 600 s. Tune gives 6
// and 6, cuts job 0 to 3 for job 2, and job 1 to 3 for job 3. At 600 s, with 3 idle cores, it cuts
// job 0 alone; at 900 s jobs 0 and 2 have 6.
func TestGreedyLeavesGPUsIdle(t *testing.T) {
	jobs := func() []sim.Job {
		return []sim.Job{job("6", 0, 1, 600), job("6", 0, 1, 600), job("6", 0, 1, 600), job("1", 0, 1, 600)}
	}
	byHand{1, 4, "mechanism=greedy", jobs()}.expect(t, "0 on [0] 0s-600s finish", "1 on [1] 0s-600s finish",
		"2 on [0] 600s-1200s finish", "3 on [1] 600s-1200s finish")
	byHand{1, 4, "mechanism=tune", jobs()}.expect(t, "3 on [3] 0s-600s finish", "1 on [1] 0s-600s tune",
		"1 on [1] 600s-900s finish",
		"0 on [0] 0s-900s tune", "2 on [2] 0s-900s tune", "0 on [0] 900s-1050s finish", "2 on [2] 900s-1050s finish")
}

// Rounds take jobs in order and pass over misfits: with 4 GPUs, jobs of 3, 2 and 1 GPUs. By arrival
// the last runs beside the first from the next round on; by attained service, and by the time left
// where the first has most, the two others go before it.
func TestRounds(t *testing.T) {
	jobs := func(run float64) []sim.Job {
		return []sim.Job{job("1", 0, 3, run), job("1", 10, 2, 300), job("1", 20, 1, 300)}
	}
	byHand{1, 4, "", jobs(600)}.expect(t, "0 on [0 1 2] 0s-600s finish", "2 on [3] 300s-600s finish",
		"1 on [0 1] 600s-900s finish")
	byHand{1, 4, "order=las", jobs(600)}.expect(t, "0 on [0 1 2] 0s-300s preempt", "1 on [0 1] 300s-600s finish",
		"2 on [2] 300s-600s finish", "0 on [0 1 2] 600s-900s finish")
	byHand{1, 4, "order=srtf", jobs(600)}.expect(t, "0 on [0 1 2] 0s-600s finish", "2 on [3] 300s-600s finish",
		"1 on [0 1] 600s-900s finish")
	byHand{1, 4, "order=srtf", jobs(900)}.expect(t, "0 on [0 1 2] 0s-300s preempt", "1 on [0 1] 300s-600s finish",
		"2 on [2] 300s-600s finish", "0 on [0 1 2] 600s-1200s finish")
}

// Finish-time fairness: at 300 s job 0 has 300 s of 600 left, job 1 has waited for 290 s and needs
// 100 s. Three GPUs are asked for and there are two, so that the fair times are 900 s and 150 s:
// ratios 600/900 and 390/150. The worst off goes first.
func TestFairness(t *testing.T) {
	jobs := func() []sim.Job { return []sim.Job{job("1", 0, 2, 600), job("1", 10, 1, 100)} }
	byHand{1, 2, "order=ftf", jobs()}.expect(t, "0 on [0 1] 0s-300s preempt", "1 on [0] 300s-400s finish",
		"0 on [0 1] 600s-900s finish")
}

// A job of three GPUs on machines of two has equal CPU for each GPU: a complete machine and a GPU
// of the other, with 3 cores each. A job of 4 cores beside it has the 3 that are left until it
// ends.
func TestSeveralMachines(t *testing.T) {
	byHand{2, 2, "", []sim.Job{job("3", 0, 3, 300), job("4", 0, 1, 300)}}.expect(t, "0 on [0 1 2] 0s-300s finish",
		"1 on [3] 0s-300s tune", "1 on [3] 300s-375s finish")
}

// Runs with the law of sim/hosts hold all invariants under every mechanism and order, each job of
// the workload ends, and two runs are equal.
func TestRunsWithHosts(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	law, err := hosts.Parse("catalogue:socket=0.9")
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range []string{"fifo", "las", "srtf", "ftf"} {
		for _, mechanism := range []string{"tune", "greedy", "proportional", "opt"} {
			jobs := make([]sim.Job, 60)
			for i := range jobs {
				n := int32(1) << r.IntN(5)
				jobs[i] = sim.Job{ID: fmt.Sprint(i), GPUs: n,
					Model:  []string{"resnet18", "resnet50", "bert", "deepspeech2", "gpt2", ""}[r.IntN(6)],
					Submit: sim.Seconds(3000 * r.Float64()),
					Work:   sim.Seconds(float64(n) * (10 + 2000*r.Float64()))}
			}
			w, err := sim.NewWorkload("w", jobs)
			if err != nil {
				t.Fatal(err)
			}
			top, err := cluster.New(law.Equip(cluster.Uniform(2, 2, 8, 2)))
			if err != nil {
				t.Fatal(err)
			}
			var tapes [2]simtest.Tape
			for i := range tapes {
				audit := simtest.NewAudit(w, top)
				m := stack.New(simtest.Counting{}, hosts.NewLayer(law, top, nil, ""))
				e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Check: true},
					policy(t, "order="+order+",mechanism="+mechanism)(), audit, &tapes[i])
				if err == nil {
					err = audit.Close(e)
				}
				if err != nil {
					t.Fatalf("%s, %s: %v", order, mechanism, err)
				}
			}
			ends := 0
			for _, line := range tapes[0].Lines {
				if line[len(line)-6:] == "finish" {
					ends++
				}
			}
			if ends != len(jobs) || !slices.Equal(tapes[0].Lines, tapes[1].Lines) {
				t.Errorf("%s, %s: %d jobs end", order, mechanism, ends)
			}
		}
	}
}
