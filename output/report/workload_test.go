package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/output/results"
)

// handmade writes the folder of one trial on two machines with two GPUs.
func handmade(t *testing.T, config string, jobs []results.Job, spans []results.Interval) *Page {
	t.Helper()
	dir := t.TempDir()
	keys := results.Keys{Policy: "fifo", Trace: "x", Cluster: "1x2x2"}
	meta := results.NewMeta(config, "w", "v1")
	part := results.Partition{{Key: "policy", Value: "fifo"}, {Key: "replicate", Value: "0"}}
	for i := range jobs {
		jobs[i].Keys = keys
	}
	for i := range spans {
		spans[i].Keys, spans[i].ShareMilli = keys, 1000
	}
	put(t, part.Target(dir, "jobs", meta), jobs)
	put(t, part.Target(dir, "intervals", meta), spans)
	put(t, part.Target(dir, "trials", meta), []results.Trial{{Keys: keys, Summary: results.Summary{
		Jobs: int64(len(jobs)), WorkloadSHA256: "w"}}})
	return read(t, dir, Options{})
}

// TestReplayedJobs: jobs that never start, are refused, rejected or still run at the end, and one
// that comes behind it.
func TestReplayedJobs(t *testing.T) {
	nan := math.NaN()
	p := handmade(t, `{"quotas":"u=2","cluster":{"racks":[{"count":2,"machines":[{"Count":1,"GPUs":2}]}]}}`, []results.Job{
		{ID: "late", Submit: 900, Queue: nan, Run: nan, Overhead: nan, GPUs: 1, Outcome: "unfinished"},
		{ID: hostile, Submit: 0, Run: 500, GPUs: 2, User: hostile, Model: "VGG", Outcome: "unfinished"},
		{ID: "never", Submit: 100, Queue: 400, GPUs: 3, Model: "VGG", Outcome: "unfinished"},
		{ID: "huge", Submit: 50, Queue: nan, Run: nan, Overhead: nan, GPUs: 9, Outcome: "refused"},
		{ID: "turned", Submit: 60, Queue: 40, Run: 10, GPUs: 1, Outcome: "rejected"},
	}, []results.Interval{{Job: hostile, Start: 0, End: 500, GPUs: 2, GPUList: "0,2", Tier: "network", Reason: "horizon"},
		{Job: "turned", Start: 70, End: 80, GPUs: 1, GPUList: "1", Tier: "gpu", Reason: "preempt"}})
	if len(p.Timelines) != 1 || len(p.Workloads) != 1 {
		t.Fatalf("%d timelines, %d workloads, %q", len(p.Timelines), len(p.Workloads), p.Notes)
	}
	tl, w := p.Timelines[0], p.Workloads[0]
	if want := []string{hostile, "huge", "turned", "never", "late"}; !slices.Equal(w.Jobs, want) || !w.Whole {
		t.Errorf("jobs %q, whole %v", w.Jobs, w.Whole)
	}
	if !slices.Equal(w.GPUs, []int64{2, 9, 1, 3, 1}) || w.Users[w.JobUser[0]] != hostile ||
		w.Models[w.JobModel[3]] != "VGG" {
		t.Errorf("GPUs %v, users %q, models %q", w.GPUs, w.Users, w.Models)
	}
	if tl.Until != ticks || !tl.Quotas || tl.Timers {
		t.Errorf("until %d, quotas %v, timers %v", tl.Until, tl.Quotas, tl.Timers)
	}
	// 500 s in a million ticks: refused at 50 s, turned away at 110 s.
	if want := []int{1, 100_000, 2, 220_000}; !slices.Equal(tl.Gone, want) {
		t.Errorf("gone %v, want %v", tl.Gone, want)
	}
	if !slices.Equal(tl.Ends, []string{"horizon", "preempt"}) || len(tl.Spans) != 3*spanFields {
		t.Errorf("ends %q, %d numbers", tl.Ends, len(tl.Spans))
	}
}

// TestReplayOfNothing: no jobs, and jobs that are in no table of jobs.
func TestReplayOfNothing(t *testing.T) {
	if p := handmade(t, "", nil, nil); len(p.Timelines) != 0 || len(p.Workloads) != 0 {
		t.Errorf("no jobs: %d timelines, %d workloads", len(p.Timelines), len(p.Workloads))
	}
	p := handmade(t, "", nil, []results.Interval{{Job: "a", Start: 0, End: 5, GPUs: 1, GPUList: "1", Reason: "finish"}})
	if len(p.Timelines) != 1 || p.Workloads[0].Whole || !slices.Equal(p.Workloads[0].Jobs, []string{"a"}) ||
		len(p.Notes) != 1 || !strings.HasPrefix(p.Notes[0], "replay: 1 of 1 trials have none") {
		t.Errorf("without a table of jobs: %+v, %q", p.Workloads, p.Notes)
	}
	data, _, err := p.JSON()
	if err != nil || !strings.Contains(string(data), `"submit":[null]`) {
		t.Errorf("an unknown submit in the page: %s, %v", data, err)
	}
}

// TestReplayBounds: what does not fit loses its replay; trials of the same jobs count once.
func TestReplayBounds(t *testing.T) {
	var runs []*run
	for _, one := range []struct {
		jobs int64
		hash string
	}{{150_000, "a"}, {150_000, "a"}, {60_000, "b"}, {50_000, ""}, {1, ""}} {
		runs = append(runs, &run{row: results.Trial{Summary: results.Summary{Jobs: one.jobs, WorkloadSHA256: one.hash}}})
	}
	if got := replayed(runs); !slices.Equal(got, []bool{true, true, false, true, false}) {
		t.Errorf("with all jobs: %v", got)
	}
}
