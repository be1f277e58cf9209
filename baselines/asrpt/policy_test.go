package asrpt

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// crossing is a speed model: a part of the full speed as soon as two machines take part, by model.
type crossing map[string]float64

func (c crossing) Speed(q *sim.Query) (sim.Speed, error) {
	s := sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 1}
	for _, g := range q.GPUs {
		if g/4 != q.GPUs[0]/4 {
			s.Rate *= c[q.Job.Model]
			break
		}
	}
	return s, nil
}

// shape is one rack of machines of four GPUs.
func shape(t *testing.T, machines int) *cluster.Topology {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, machines, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// runOn runs jobs at a speed model and gives their records.
func runOn(t *testing.T, text string, top *cluster.Topology, speed sim.SpeedModel, jobs []sim.Job) []sim.Record {
	t.Helper()
	for i := range jobs {
		jobs[i].ID = fmt.Sprintf("%03d", i)
	}
	w, err := sim.NewWorkload("case", slices.Clone(jobs))
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: speed, Check: true},
		policyOf(t, text)())
	if err != nil {
		t.Fatal(err)
	}
	var out []sim.Record
	for i := range jobs {
		out = append(out, e.Record(sim.JobID(i)))
	}
	return out
}

func expectStarts(t *testing.T, got []sim.Record, want ...float64) {
	t.Helper()
	for i, w := range want {
		if got[i].Start.Seconds() != w {
			t.Errorf("job %d starts at %v s, expected %v", i, got[i].Start.Seconds(), w)
		}
	}
}

func seconds(gpus int32, submit, run float64, model string) sim.Job {
	return sim.Job{GPUs: gpus, Submit: sim.Seconds(submit), Work: sim.Seconds(run) * sim.Time(gpus), Model: model}
}

// By hand, on four GPUs, so that the machine does 4 GPU-seconds in a second. Job 0 (4 GPUs, 10 s:
// 40 GPU-s) comes at 0. Job 1 (1 GPU, 8 s: 8 GPU-s) comes at 2 s, when job 0 has 32 left, and is
// served first: done at 4 s. Job 2 (2 GPUs, 20 s: 40) comes at 4 s with more than job 0's 32, which
// is done at 12 s; job 2 at 22 s. On the cluster job 1 starts at 4 s and ends at 12 s; job 0 starts
// at 12 s and ends at 22 s; job 2 starts at 22 s.
func TestVirtualOrderByHand(t *testing.T) {
	got := runOn(t, "early=false", shape(t, 1), simtest.Counting{},
		[]sim.Job{seconds(4, 0, 10, ""), seconds(1, 2, 8, ""), seconds(2, 4, 20, "")})
	expectStarts(t, got, 12, 4, 22)
}

// As above, ahead of the virtual machine: job 0 starts when it comes and runs to 10 s. Then 4 GPUs
// are idle and jobs 1 and 2 have 8 and 40 GPU-s; job 1 is done on the virtual machine at 4 s, when
// the cluster is full, and job 2 alone there from 4 s on. At 10 s job 1 starts from the queue, and
// job 2 with 16 of 40 left at once.
func TestAheadByHand(t *testing.T) {
	got := runOn(t, "", shape(t, 1), simtest.Counting{}, []sim.Job{seconds(4, 0, 10, ""), seconds(1, 2, 8, ""),
		seconds(2, 4, 20, "")})
	expectStarts(t, got, 0, 10, 10)
}

// By hand, on two machines of four GPUs, 8 GPU-seconds in a second. Jobs 0 and 1 (3 GPUs) are done
// on the virtual machine at 3 x 8 / 8 = 3 s and 3 + 3 x 40 / 8 = 18 s. Job 0 runs from 3 to 11 s;
// job 1 from 18 to 58 s. Job 2 (2 GPUs, 100 s, 200 GPU-s) comes at 18 s and is done at 43 s; job 3
// of 3 GPUs and 24 s comes at 21 s with 72 GPU-s, when job 2 has 176 left: done at 30 s, and it
// starts then, on the other machine. One GPU is free on each. Job 2 is done at 52 s; across the
// machines it is four times slower. It waits at most 0.1 x 100 s, and at 54 s job 3 ends: it starts
// there. With delay=0.01 its wait ends at 53 s, and it starts across.
func TestWaitsForAServerByHand(t *testing.T) {
	jobs := []sim.Job{seconds(3, 0, 8, "a"), seconds(3, 0.5, 40, "a"), seconds(2, 18, 100, "slow"),
		seconds(3, 21, 24, "a")}
	speed := crossing{"a": 1, "slow": 0.25}
	got := runOn(t, "early=false", shape(t, 2), speed, slices.Clone(jobs))
	expectStarts(t, got, 3, 18, 54, 30)
	if got[2].End.Seconds() != 154 {
		t.Errorf("it ends at %v s, expected 154", got[2].End.Seconds())
	}
	got = runOn(t, "early=false,delay=0.01", shape(t, 2), speed, slices.Clone(jobs))
	expectStarts(t, got, 3, 18, 53, 30)
	if got[2].End.Seconds() != 453 {
		t.Errorf("across machines it ends at %v s, expected 53 + 400", got[2].End.Seconds())
	}
	// it is not slow enough, or no job waits
	for _, text := range []string{"early=false,heavy=5", "early=false,heavy=inf", "early=false,delay=0"} {
		expectStarts(t, runOn(t, text, shape(t, 2), speed, slices.Clone(jobs)), 3, 18, 52, 30)
	}
}

// A job that waits lets others pass, and blocks them when its wait is over. As above; job 4 (1 GPU,
// 4 GPU-s) comes at 51.9 s, when job 2 has 0.8 GPU-s left, and is done at 52.5 s; job 5, the same
// at 52.6 s, at 53.1 s. While job 2 waits both start at once, on the two free GPUs. With delay=0.01
// job 2 waits to 53 s; then one GPU is free, so that job 5 waits for job 2, which starts with the
// end of job 3.
func TestOthersPassWhoWaits(t *testing.T) {
	jobs := []sim.Job{seconds(3, 0, 8, "a"), seconds(3, 0.5, 40, "a"), seconds(2, 18, 100, "slow"),
		seconds(3, 21, 24, "a"), seconds(1, 51.9, 4, "a"), seconds(1, 52.6, 4, "a")}
	speed := crossing{"a": 1, "slow": 0.25}
	expectStarts(t, runOn(t, "early=false", shape(t, 2), speed, slices.Clone(jobs)), 3, 18, 54, 30, 52.5, 53.1)
	expectStarts(t, runOn(t, "early=false,delay=0.01", shape(t, 2), speed, slices.Clone(jobs)), 3, 18, 54, 30, 52.5, 54)
}

// plainQueue is the policy without waits, on interchangeable GPUs, the plain way: jobs in virtual
// order, each as soon as all before it have started and its GPUs are free.
func plainQueue(jobs []sim.Job, gpus int64) []sim.Time {
	var tasks []task
	for _, j := range jobs {
		tasks = append(tasks, task{comes: int64(j.Submit) * gpus, left: int64(j.Work)})
	}
	starts := make([]sim.Time, len(jobs))
	ends := map[int]sim.Time{}
	now := sim.Time(0)
	for _, i := range plainSRPT(tasks) {
		now = max(now, sim.Time((tasks[i].done+gpus-1)/gpus))
		for {
			free, next := gpus, sim.Never
			for k, e := range ends {
				if e > now {
					free -= int64(jobs[k].GPUs)
					next = min(next, e)
				}
			}
			if free >= int64(jobs[i].GPUs) {
				break
			}
			now = next
		}
		starts[i], ends[i] = now, now+jobs[i].Work/sim.Time(jobs[i].GPUs)
	}
	return starts
}

// Every start of 400 drawn crowds equals the plain queue's. On one GPU a job is done at most
// twice as late as on the virtual machine, counted from 0: the bound of Phillips, Stein and Wein,
// Mathematical Programming 82, 1998, for starting jobs without preemption in that order.
func TestStartsAreThePlainQueues(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 11))
		machines := 1 + r.IntN(4)
		gpus := 4 * machines
		if seed%4 == 0 {
			gpus = 1
		}
		var jobs []sim.Job
		at := sim.Time(0)
		for range 40 {
			at += sim.Time(r.IntN(1 + r.IntN(4e6)))
			n := int32(1 + r.IntN(gpus))
			jobs = append(jobs, sim.Job{GPUs: n, Submit: at, Work: sim.Time(n) * sim.Time(1+r.IntN(1+r.IntN(2e7)))})
		}
		top := shape(t, machines)
		if gpus == 1 {
			var err error
			if top, err = cluster.New(cluster.Uniform(1, 1, 1, 1)); err != nil {
				t.Fatal(err)
			}
		}
		got, want := runOn(t, "early=false", top, simtest.Counting{}, jobs), plainQueue(jobs, int64(gpus))
		for i := range jobs {
			if got[i].Start != want[i] {
				t.Fatalf("seed %d, %d GPUs: job %d starts at %v, expected %v", seed, gpus, i, got[i].Start, want[i])
			}
		}
		if gpus > 1 {
			continue
		}
		var tasks []task
		for _, j := range jobs {
			tasks = append(tasks, task{comes: int64(j.Submit), left: int64(j.Work)})
		}
		for i := range plainSRPT(tasks) {
			if int64(got[i].End) > 2*tasks[i].done {
				t.Fatalf("seed %d: job %d ends at %v, on the virtual machine at %d us", seed, i, got[i].End,
					tasks[i].done)
			}
		}
	}
}
