package evalys

import (
	"math"
	"slices"
	"testing"

	"tarry/output/results"
)

func keys(policy string, seed uint64) results.Keys {
	return results.Keys{Policy: policy, Trace: "synth:demo", Seed: seed}
}

func TestText(t *testing.T) {
	nan := math.NaN()
	tr := trial{jobs: []results.Job{
		{Keys: keys("p", 1), ID: "moved", Submit: 5, End: 40, GPUs: 2, Outcome: "finished", Model: "vgg"},
		{Keys: keys("p", 1), ID: "one", Submit: 0, End: 20, GPUs: 2, Outcome: "finished"},
		{Keys: keys("p", 1), ID: "cut", Submit: 6, End: nan, GPUs: 1, Outcome: "unfinished"},
		{Keys: keys("p", 1), ID: "waits", Submit: 7, End: nan, GPUs: 1, Outcome: "unfinished"},
		{Keys: keys("p", 1), ID: "big", Submit: 8, End: nan, GPUs: 99, Outcome: "refused"},
	}, held: map[string][]results.Interval{
		"one":   {{Start: 10, End: 20, GPUs: 2, GPUList: "0-1"}, {Start: 0, End: 10, GPUs: 2, GPUList: "0-1"}},
		"moved": {{Start: 10, End: 20, GPUs: 2, GPUList: "2,5"}, {Start: 30, End: 40, GPUs: 2, GPUList: "0-1"}},
		"cut":   {{Start: 6, End: 50, GPUs: 1, GPUList: "3"}},
	}}
	var done Exported
	got, err := tr.text(&done)
	if err != nil || done.Parts != 1 || done.Waiting != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	const want = `job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,` +
		`final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources
one,synth:demo,unknown,0,2,-1,1,COMPLETED_SUCCESSFULLY,0,20,20,0,20,1,0-1
moved,synth:demo,vgg,5,2,-1,0,COMPLETED_KILLED,10,10,20,5,15,1.5,2 5
moved#2,synth:demo,vgg,20,2,-1,1,COMPLETED_SUCCESSFULLY,30,10,40,10,20,2,0-1
cut,synth:demo,unknown,6,1,-1,0,COMPLETED_KILLED,6,44,50,0,44,1,3
big,synth:demo,unknown,8,99,-1,0,REJECTED,,,,,,,
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNames(t *testing.T) {
	got := names([]results.Keys{keys("fifo", 1), keys("fifo", 2), keys("dally:a=1,b", 1)})
	if want := []string{"fifo-seed1", "fifo-seed2", "dally_a=1_b-seed1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := names([]results.Keys{keys("a:b", 1), keys("a_b", 1)}); !slices.Equal(got, []string{"a_b", "a_b-2"}) {
		t.Errorf("got %q", got)
	}
}
