package recorded

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/recorded"
	"tarry/sim/simtest"
)

// policy builds the policy.
func policy(t *testing.T) *Policy {
	return simtest.Build(t, "recorded", New, "")().(*Policy)
}

// job asks for gpus at submit and runs for run, and waited by its record, all times in seconds; "-"
// is no record.
func job(submit float64, gpus int32, run, wait float64, machines string) sim.Job {
	j := sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
	if machines != "-" {
		j.Record = &recorded.Run{Wait: int64(sim.Seconds(wait)), Machines: machines}
	}
	return j
}

// measures writes what a policy measured.
func measures(p *Policy) string {
	var out []string
	p.Measures(func(name, _, _ string, value float64) { out = append(out, fmt.Sprintf("%s %v", name, value)) })
	return strings.Join(out, ", ")
}

// none are measures of a run without a late job, up to the jobs that were elsewhere.
func none(of string) string {
	return of + "log_late_jobs 0, log_late_mean_s 0, log_late_max_s 0, log_elsewhere_jobs "
}

// Two machines of four GPUs without names: b is the first name that comes up, so machine 0.
func TestByHand(t *testing.T) {
	for _, c := range []struct {
		name     string
		jobs     []sim.Job
		outages  outage.Schedule
		want     []string
		measured string
	}{
		{name: "a start and machines", jobs: []sim.Job{job(0, 2, 5, 3, "b"), job(1, 4, 2, 1, "a*4"), job(1, 2, 1, 1, "b*2")},
			want:     []string{"2 on [0 1] 2s-3s finish", "1 on [4 5 6 7] 2s-4s finish", "0 on [0 1] 3s-8s finish"},
			measured: none("log_jobs 3, log_queue_mean_s 1.6666666666666667, ") + "0"},
		{name: "a full machine is waited for, others pass", jobs: []sim.Job{job(0, 3, 5, 0, "b"), job(0, 2, 1, 1, "b"),
			job(0, 1, 1, 2, "b"), job(0, 4, 1, 3, "a")},
			want: []string{"2 on [3] 2s-3s finish", "3 on [4 5 6 7] 3s-4s finish", "0 on [0 1 2] 0s-5s finish",
				"1 on [0 1] 5s-6s finish"},
			measured: "log_jobs 4, log_queue_mean_s 1.5, " +
				"log_late_jobs 1, log_late_mean_s 1, log_late_max_s 4, log_elsewhere_jobs 0"},
		{name: "even shares, then what is free, one at least", jobs: []sim.Job{job(0, 4, 2, 0, "b,a"), job(0, 1, 9, 3, "b"),
			job(0, 2, 9, 3, "b"), job(0, 5, 1, 4, "b,a"), job(0, 2, 1, 4, "a,b")},
			want: []string{"0 on [0 1 4 5] 0s-2s finish", "3 on [3 4 5 6 7] 4s-5s finish", "4 on [3 4] 5s-6s finish",
				"1 on [0] 3s-12s finish", "2 on [1 2] 3s-12s finish"},
			measured: "log_jobs 5, log_queue_mean_s 2.8, " +
				"log_late_jobs 1, log_late_mean_s 0.2, log_late_max_s 1, log_elsewhere_jobs 0"},
		{name: "names that the cluster does not have", jobs: []sim.Job{job(0, 1, 1, 0, "b"), job(0, 1, 1, 0, "a"),
			job(0, 1, 1, 2, "c"), job(0, 5, 1, 3, "a"), job(0, 6, 1, 4, "a*5,b*1")},
			want: []string{"0 on [0] 0s-1s finish", "1 on [4] 0s-1s finish", "2 on [0] 2s-3s finish",
				"3 on [0 1 2 3 4] 3s-4s finish", "4 on [0 1 2 3 4 5] 4s-5s finish"},
			measured: none("log_jobs 5, log_queue_mean_s 1.8, ") + "3"},
		{name: "no machines: any; without a record: behind the others, in order", jobs: []sim.Job{job(0, 6, 3, 0, ""),
			job(0, 3, 1, 0, "-"), job(0, 1, 1, 0, "-"), job(0, 2, 1, 1, ""), job(3, 8, 1, 0, "")},
			want: []string{"3 on [6 7] 1s-2s finish", "0 on [0 1 2 3 4 5] 0s-3s finish",
				"4 on [0 1 2 3 4 5 6 7] 3s-4s finish", "1 on [0 1 2] 4s-5s finish", "2 on [3] 4s-5s finish"},
			measured: none("log_jobs 3, log_queue_mean_s 0.3333333333333333, ") + "0"},
		{name: "a fault: the same machines again, counted once", jobs: []sim.Job{job(0, 4, 4, 1, "b"), job(0, 8, 1, 0, "-")},
			outages: outage.Schedule{{At: sim.Seconds(2), GPU: -1}, {At: sim.Seconds(4), GPU: -1, Up: true}},
			want: []string{"1 on [0 1 2 3 4 5 6 7] 0s-1s finish", "0 on [0 1 2 3] 1s-2s fault",
				"0 on [0 1 2 3] 4s-8s finish"},
			measured: none("log_jobs 1, log_queue_mean_s 1, ") + "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := policy(t)
			simtest.ByHand{Shape: [3]int{1, 2, 4}, Outages: c.outages, Jobs: c.jobs}.Expect(t, p, c.want...)
			if got := measures(p); got != c.measured {
				t.Errorf("measured\n%s\nexpected\n%s", got, c.measured)
			}
		})
	}
}

// A cluster with names: a node with two types is two machines, of which a job takes the machine
// of its type; shares go to the fullest GPU of the machine; host memory bounds what a machine carries.
func TestNames(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Names: []string{"x", "y", "y", "z"}, Racks: [][]cluster.Machines{{
		{Count: 1, GPUs: 2, Type: "p"}, {Count: 1, GPUs: 2, Type: "p"}, {Count: 1, GPUs: 2, Type: "q"},
		{Count: 1, GPUs: 4, Type: "q", MemMiB: 100}}}})
	if err != nil {
		t.Fatal(err)
	}
	typed := func(j sim.Job, typ string, share, mem int32) sim.Job {
		j.GPUType, j.ShareMilli, j.MemMiB = typ, share, mem
		if share > 0 {
			j.Work = j.Work * sim.Time(share) / 1000
		}
		return j
	}
	jobs := []sim.Job{
		typed(job(0, 2, 5, 0, "y*2"), "q", 0, 0), typed(job(0, 2, 5, 0, "y"), "", 0, 0),
		typed(job(1, 1, 5, 0, "z"), "", 400, 0), typed(job(1, 1, 5, 0, "z"), "", 500, 0),
		typed(job(1, 1, 5, 0, "z"), "", 200, 0), typed(job(1, 3, 1, 0, "z"), "", 0, 40),
		typed(job(2, 2, 1, 0, "z"), "", 0, 50), typed(job(2, 1, 1, 1, "w"), "", 0, 0),
	}
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("names", jobs)
	if err != nil {
		t.Fatal(err)
	}
	var tape simtest.Tape
	p := policy(t)
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
		Check: true}, p, &tape); err != nil {
		t.Fatal(err)
	}
	want := []string{"5 on [0 1 8] 1s-2s finish", "6 on [8 9] 2s-3s finish", "7 on [0] 3s-4s finish",
		"0 on [4 5] 0s-5s finish", "1 on [2 3] 0s-5s finish", "2 on [6] 1s-6s finish", "3 on [6] 1s-6s finish",
		"4 on [7] 1s-6s finish"}
	if !slices.Equal(tape.Lines, want) {
		t.Errorf("got\n%q\nwant\n%q", tape.Lines, want)
	}
	if got, want := measures(p), none("log_jobs 8, log_queue_mean_s 0.125, ")+"2"; got != want {
		t.Errorf("measured\n%s\nexpected\n%s", got, want)
	}
}
