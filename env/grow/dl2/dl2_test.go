package dl2

import (
	"math"
	"strings"
	"testing"
)

// small is one node with room for two pairs of its first type.
func small() *Setting {
	return &Setting{Nodes: 1, Units: 8, SlotS: 1200, Most: 16, Window: 2, Types: []Type{
		{A: 1, EpochSize: 1200, Worker: Units{2, 4}, Server: Units{2, 0}},
		{A: 1, EpochSize: 1200, Worker: Units{1, 1}, Server: Units{1, 0}}}}
}

// begun is a cluster with jobs.
func begun(t *testing.T, set *Setting, jobs ...Job) *World {
	t.Helper()
	w, err := New(set)
	if err == nil {
		err = w.Begin(jobs)
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func rule(t *testing.T, name string) Rule {
	t.Helper()
	for _, r := range Rules() {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no rule %q", name)
	return Rule{}
}

// Mean times of two jobs of 3 and 4 epochs, by hand: DRF gives each a pair, then both to the second;
// an order gives both to one. Tetris prefers more work left: job 2, job 1, job 2, ...
func TestRulesByHand(t *testing.T) {
	for name, want := range map[string]float64{"DRF": 3.25, "FIFO": 2.75, "TIME": 2.75, "TIME4": 2.75, "GAIN": 2.75} {
		w := begun(t, small(), Job{ID: 1, Epochs: 3}, Job{ID: 2, Epochs: 4})
		if rewards, got := w.Play(rule(t, name)), w.MeanJCT(); got != want || len(rewards) != 4 {
			t.Errorf("%s: mean %v in %d slots, expected %v in 4", name, got, len(rewards), want)
		}
	}
}

// The rewards of all slots are one for each job, and no rule gives out more than there is.
func TestRewardsSum(t *testing.T) {
	var jobs []Job
	for i := range 30 {
		jobs = append(jobs, Job{ID: 100 - i, Slot: i / 3, Type: i % 2, Epochs: float64(5 + 7*i%13)})
	}
	set := small()
	set.Nodes = 3
	for _, r := range Rules() {
		w, sum := begun(t, set, jobs...), 0.0
		for _, x := range w.Play(r) {
			sum += x
		}
		if math.Abs(sum-30) > 1e-9 {
			t.Errorf("%s: rewards sum to %v, expected 30", r.Name, sum)
		}
		for n, u := range w.used {
			if max(u[0], u[1]) > set.Units {
				t.Errorf("%s: node %d holds %v", r.Name, n, u)
			}
		}
		if in := w.In(); in != 0 || !w.Ended() {
			t.Errorf("%s: %d jobs are left", r.Name, in)
		}
	}
}

// The order by time with four pairs at most is better than DRF on many small jobs, which is why it is
// among the rivals.
func TestTimeIsBetterThanDRF(t *testing.T) {
	set := small()
	set.Nodes = 4
	var jobs []Job
	for i := range 40 {
		jobs = append(jobs, Job{ID: i, Slot: i / 4, Epochs: float64(3 + 11*i%17)})
	}
	drf, time4 := begun(t, set, jobs...), begun(t, set, jobs...)
	drf.Play(rule(t, "DRF"))
	time4.Play(rule(t, "TIME4"))
	if time4.MeanJCT() >= drf.MeanJCT() {
		t.Errorf("TIME4 has %v, DRF %v", time4.MeanJCT(), drf.MeanJCT())
	}
}

// A misfit closes the slot; a full job leaves the window; the guard gives each job one pair.
func TestAgentByHand(t *testing.T) {
	set := small()
	set.Most, set.Nodes = 2, 2
	w := begun(t, set, Job{ID: 1, Type: 1, Epochs: 50}, Job{ID: 2, Epochs: 50}, Job{ID: 3, Epochs: 50})
	w.Prepare()
	for j := range 3 {
		if got := w.Tasks[j]; got.Workers != 1 || got.Servers != 1 {
			t.Errorf("the guard gives job %d %+v", j+1, got)
		}
	}
	mask := make([]bool, 2*Kinds)
	if got := w.Window(); len(got) != 2 || got[0] != 0 || got[1] != 1 {
		t.Errorf("the window is %v, expected the first two", got)
	}
	if !w.Act(0, 0) || !w.Mask(mask) || mask[0] || !mask[1] || mask[2] || !mask[3] || !mask[4] || !mask[5] {
		t.Errorf("with all its workers the first job has the actions %v", mask[:Kinds])
	}
	if !w.Act(0, 1) || w.Column(0) != -1 || w.Column(1) != 0 || w.Column(2) != 1 {
		t.Errorf("a full job is in the window: %v", w.Window())
	}
	slot := w.Slot
	fits := w.Act(0, 2)
	if again := fits && w.Act(0, 2); again || w.Slot != slot+1 {
		t.Error("a misfit does not close the slot")
	}
	if w.Tasks[0].Done != 2 || w.Tasks[1].Workers != 1 {
		t.Errorf("after the slot job 1 has done %v, job 2 has %d workers", w.Tasks[0].Done, w.Tasks[1].Workers)
	}
}

// Workers and servers make a job faster as the formula states; without either it stands.
func TestSpeed(t *testing.T) {
	k := Type{A: 1, B: 2, C: 3, D: 4, EpochSize: 10}
	if got, want := k.Epochs(2, 4, 100), 2/24.0*100/10; math.Abs(got-want) > 1e-15 {
		t.Errorf("%v, expected %v", got, want)
	}
	if k.Epochs(0, 4, 100) != 0 || k.Epochs(2, 0, 100) != 0 {
		t.Error("a job without workers or servers makes progress")
	}
}

func TestFaults(t *testing.T) {
	bad := small()
	bad.Types[1].Worker[0] = 9
	if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), "type 2 is") {
		t.Errorf("error %v", err)
	}
	if _, err := New(&Setting{}); err == nil || !strings.Contains(err.Error(), "expected 1 or more of each") {
		t.Errorf("error %v", err)
	}
	w := begun(t, small())
	for _, j := range []Job{{Type: 2, Epochs: 1}, {Slot: -1, Epochs: 1}, {}} {
		if err := w.Begin([]Job{j}); err == nil {
			t.Errorf("%+v is taken", j)
		}
	}
}

// Once warm, a slot of an agent allocates nothing.
func TestAllocatesNothing(t *testing.T) {
	set := small()
	var jobs []Job
	for i := range 20 {
		jobs = append(jobs, Job{ID: i, Slot: i, Type: i % 2, Epochs: 3})
	}
	w := begun(t, set, jobs...)
	state, mask := make([]float64, Rows*set.Window), make([]bool, Kinds*set.Window)
	play := func() {
		if err := w.Begin(jobs); err != nil {
			t.Fatal(err)
		}
		for w.Prepare(); !w.Ended(); {
			if w.State(state); w.Mask(mask) && mask[2] {
				w.Act(0, 2)
			} else {
				w.End()
			}
		}
		if w.MeanJCT() <= 0 {
			t.Fatal("no time passed")
		}
	}
	play()
	if n := testing.AllocsPerRun(3, play); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// A rule in the agent's own actions, with all jobs in the window and without the guard, ends every job
// where the published rule does.
func TestChoosersAreTheRules(t *testing.T) {
	set := small()
	set.Nodes, set.Window, set.Most, set.Unguarded = 5, 40, 4, true
	var jobs []Job
	for i := range 40 {
		jobs = append(jobs, Job{ID: 50 - i, Slot: i / 5, Type: i % 2, Epochs: float64(5 + 7*i%13)})
	}
	seen := 0
	for _, c := range Choosers() {
		for _, r := range Rules() {
			if !strings.EqualFold(c.Name, r.Name) {
				continue
			}
			seen++
			want, w := begun(t, set, jobs...), begun(t, set, jobs...)
			want.Play(r)
			for w.Prepare(); !w.Ended(); {
				if column, kind := c.Choose(w); column < 0 {
					w.End()
				} else {
					w.Act(column, kind)
				}
			}
			for j := range jobs {
				if w.Tasks[j].End != want.Tasks[j].End {
					t.Errorf("%s: job %d ends at %v, with the rule at %v", c.Name, j, w.Tasks[j].End, want.Tasks[j].End)
					break
				}
			}
		}
	}
	if seen != 7 {
		t.Errorf("%d rules have a twin, expected 7", seen)
	}
}
