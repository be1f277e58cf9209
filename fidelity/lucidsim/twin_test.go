package lucidsim_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// ticker is the simulator of Lucid (S-Lab-System-Group/Lucid) without profiling and sharing, second
// by second, as the page of its reference numbers describes it. jobs are in order of submission.
type ticker struct {
	policy         string
	machines, size int
	jobs           []*tickJob
	free           []int
	wait, run      []*tickJob
	fresh          int // jobs that came in this second
}

type tickJob struct {
	gpus, submit, duration    int
	remain, attained, waited  int
	start, end, preempted, id int
	on                        []int // GPUs held of each machine
}

func (k *ticker) simulate() {
	for range k.machines {
		k.free = append(k.free, k.size)
	}
	for _, j := range k.jobs {
		j.remain, j.start, j.end = j.duration, -1, -1
	}
	next := 0
	for now, left := 0, len(k.jobs); left > 0; now++ {
		for _, j := range slices.Clone(k.run) {
			exact := k.policy == "fifo" || k.policy == "sjf" || k.policy == "qssf" // those end at start + duration
			if exact && now == j.start+j.duration || !exact && j.remain == 0 {
				k.release(j)
				j.end = now
				left--
				continue
			}
			j.remain--
			j.attained += j.gpus
		}
		for k.fresh = 0; next < len(k.jobs) && k.jobs[next].submit == now; next++ {
			k.wait = append(k.wait, k.jobs[next])
			k.fresh++
		}
		k.decide(now)
		for _, j := range k.wait {
			j.waited++
		}
	}
}

func (k *ticker) decide(now int) {
	if k.policy == "fifo" || k.policy == "sjf" || k.policy == "qssf" {
		order := slices.Clone(k.wait)
		if k.policy == "sjf" {
			slices.SortStableFunc(order, func(a, b *tickJob) int { return cmp.Compare(a.duration, b.duration) })
		}
		if k.policy == "qssf" { // predictions are exact here
			older := len(k.wait) > k.fresh
			slices.SortStableFunc(order, func(a, b *tickJob) int {
				if older {
					return cmp.Compare(a.duration*a.gpus, b.duration*b.gpus)
				}
				return cmp.Compare(a.gpus, b.gpus)
			})
		}
		for _, j := range order {
			if !k.place(j, now) {
				return
			}
		}
		return
	}
	if k.policy == "tiresias" && now%60 != 0 {
		return
	}
	order := append(slices.Clone(k.wait), k.run...)
	slices.SortStableFunc(order, func(a, b *tickJob) int {
		if k.policy == "srtf" {
			return cmp.Compare(a.remain, b.remain)
		}
		if low := a.attained > 18000; low != (b.attained > 18000) {
			if low {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.submit, b.submit)
	})
	quota := k.machines * k.size
	var candidates, out []*tickJob
	for _, j := range order {
		runs := slices.Contains(k.run, j)
		switch {
		case j.gpus <= quota:
			quota -= j.gpus
			if !runs {
				candidates = append(candidates, j)
			}
		case runs:
			out = append(out, j)
		}
	}
	for _, j := range out {
		k.release(j)
		j.preempted++
		j.remain += 40
		if j.gpus > k.size {
			j.remain += 20
		}
		k.wait = append(k.wait, j)
	}
	for _, j := range candidates {
		k.place(j, now)
	}
}

func (k *ticker) place(j *tickJob, now int) bool {
	on := make([]int, k.machines)
	if j.gpus <= k.size {
		best := -1
		for m, f := range k.free {
			if f >= j.gpus && (best < 0 || f < k.free[best]) {
				best = m
			}
		}
		if best < 0 {
			return false
		}
		on[best] = j.gpus
	} else {
		left := j.gpus
		for m, f := range k.free {
			if f == k.size && left > 0 {
				on[m] = k.size
				left -= k.size
			}
		}
		if left > 0 {
			return false
		}
	}
	j.on = on
	for m := range on {
		k.free[m] -= on[m]
	}
	if j.start < 0 {
		j.start = now
	}
	k.wait = slices.DeleteFunc(k.wait, func(x *tickJob) bool { return x == j })
	k.run = append(k.run, j)
	return true
}

func (k *ticker) release(j *tickJob) {
	for m := range j.on {
		k.free[m] += j.on[m]
	}
	k.run = slices.DeleteFunc(k.run, func(x *tickJob) bool { return x == j })
}

// lucid are the schedulers of that simulator, and by how many seconds its jobs run longer than they
// state.
var lucid = map[string]struct {
	spec string
	tail int
}{
	"fifo": {"fifo:place=consolidate", 0},
	"sjf":  {"sjf:block=true,place=consolidate", 0},
	"qssf": {"lucid-qssf:place=consolidate", 0},
	"srtf": {"srtf-sim:ties=waiting-first,penalty=40/60,place=consolidate", 1},
	"tiresias": {"tiresias-sim:queues=18000.000001,promote=0,inside=submitted,ties=waiting-first,service=held," +
		"every_s=60,penalty=40/60,place=consolidate", 1},
}

// tarryRows runs jobs with a policy and gives a row per job: first start, end, time of waiting,
// preemptions.
func tarryRows(t *testing.T, policy string, machines, size int, in []*tickJob) []string {
	t.Helper()
	l := lucid[policy]
	var jobs []sim.Job
	for _, j := range in {
		jobs = append(jobs, sim.Job{ID: fmt.Sprintf("%06d", j.id), GPUs: int32(j.gpus), Submit: sim.Time(j.submit) *
			sim.Second,
			Work: sim.Time(j.gpus*(j.duration+l.tail)) * sim.Second})
	}
	w, err := sim.NewWorkload("ticks", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, machines, size, 1))
	if err != nil {
		t.Fatal(err)
	}
	_, build, err := simulation.All().Policies.Parse(l.spec, cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	p, err := build()
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
		Check: len(in) < 100}, p)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for i := range w.Jobs {
		r := e.Record(sim.JobID(i))
		rows = append(rows, fmt.Sprintf("start %v end %v queue %v preemptions %d", r.Start, r.End, r.Queue,
			r.Preemptions))
	}
	return rows
}

func tickRows(policy string, machines, size int, in []*tickJob) []string {
	k := ticker{policy: policy, machines: machines, size: size, jobs: in}
	k.simulate()
	var rows []string
	for _, j := range in {
		rows = append(rows, fmt.Sprintf("start %ds end %ds queue %ds preemptions %d", j.start, j.end, j.waited,
			j.preempted))
	}
	return rows
}

// On crowded little clusters with many equal times, all five policies do what the second-by-second
// twin does.
func TestLucidTwin(t *testing.T) {
	for policy := range lucid {
		preempted := 0
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, 16))
			var jobs []*tickJob
			at := 0
			for i := range 2 + r.IntN(30) {
				at += r.IntN(60)
				j := &tickJob{id: i, gpus: []int{1, 1, 2, 4, 4, 8}[r.IntN(6)], submit: at / 20 * 20, duration: 20 *
					(1 + r.IntN(40))}
				if policy == "tiresias" {
					j.submit = at + i // two wide jobs submitted together would preempt each other for ever
					j.duration *= []int{1, 1, 10}[r.IntN(3)]
				}
				jobs = append(jobs, j)
			}
			want, got := tickRows(policy, 3, 4, jobs), tarryRows(t, policy, 3, 4, jobs)
			for i := range jobs {
				preempted += jobs[i].preempted
				if got[i] != want[i] {
					t.Fatalf("%s, seed %d, job %d: %s\ntwin %s", policy, seed, i, got[i], want[i])
				}
			}
		}
		if preempted < 300 && (policy == "srtf" || policy == "tiresias") {
			t.Errorf("%s: only %d preemptions in all: the instances are too easy", policy, preempted)
		}
	}
}

// On the trace of the reference numbers, srtf is what the twin states; the twin itself gives the
// numbers of the simulator where these are known.
func TestLucidTrace(t *testing.T) {
	text, err := os.ReadFile(sharedata.Path(t, "traces", "lucid", "hi_2000.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var jobs []*tickJob
	for line := range strings.Lines(string(text)) {
		j := &tickJob{}
		if n, _ := fmt.Sscanf(line, "%d,%d,%d,%d", &j.id, &j.gpus, &j.submit, &j.duration); n == 4 {
			jobs = append(jobs, j)
		}
	}
	if len(jobs) != 2000 {
		t.Fatalf("%d jobs, expected 2000", len(jobs))
	}
	for policy := range lucid {
		var in []*tickJob
		for _, j := range jobs {
			c := *j
			in = append(in, &c)
		}
		want, got := tickRows(policy, 16, 8, in), tarryRows(t, policy, 16, 8, in)
		for i := range in {
			if got[i] != want[i] {
				t.Errorf("%s, job %d: %s\ntwin %s", policy, i, got[i], want[i])
				break
			}
		}
		given, err := os.ReadFile(filepath.Join(sharedata.Path(t, "reference", "lucid"),
			"hi_2000__16x8__"+policy+".csv"))
		if err != nil {
			continue
		}
		for i, line := range slices.Collect(strings.Lines(string(given)))[1:] {
			f := strings.Split(strings.TrimSpace(line), ",")
			if x := fmt.Sprintf("start %ss end %ss queue %ss preemptions %s", f[3], f[4], f[7], f[8]); want[i] != x {
				t.Fatalf("%s, job %d: the twin gives %s, the simulator %s", policy, i, want[i], x)
			}
		}
	}
}
