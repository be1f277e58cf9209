package preempt

import (
	"slices"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim"
)

// Who follows Dally never evicts; who follows a preemptive order does, and what has little left
// ends sooner.
func TestFollowing(t *testing.T) {
	c := config(t, "cluster=2x2x4,warm=0,horizon=60,load=1.1")
	base := c.Dally
	base.NoLease = true
	want := schedtest.Records(t, &c.Config, 1, dally.NewPolicy(base, nil))
	for _, baseline := range []string{"dally", "dally-nowait", "srtf", "srsf", "las"} {
		e, err := New(c, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Follow(baseline); err != nil {
			t.Fatal(err)
		}
		evictions := 0
		_, err = schedenv.Play(e, 1, "window=1", func(_ []float64, mask []bool, action []float64) {
			if err := e.Demonstrate(action); err != nil {
				t.Fatal(err)
			}
			if action[0] != 0 {
				evictions++
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		got := read(e.Engine(), len(e.Workload()))
		if strings.HasPrefix(baseline, "dally") {
			if evictions != 0 || !slices.Equal(got, want) {
				t.Errorf("%s evicts %d jobs, want none and the records of Dally without leases", baseline, evictions)
			}
			continue
		}
		if evictions < 5 {
			t.Errorf("%s evicts %d jobs, want some", baseline, evictions)
		}
		schedtest.Records(t, &c.Config, 1, &judged{fresh(t, &c), t, baseline})
	}
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	for baseline, want := range map[string]string{
		"fifo": "expected one of delay, dally, dally-manual, dally-nowait, dally-consolidated, " +
			"dally-evict, dally-elastic, dally-shared, ranked, " +
			"srtf, srsf, las",
		"las:service=time": "las:service=time is followed without settings, expected las",
	} {
		if err := e.Follow(baseline); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v", baseline, err)
		}
	}
}

// judged is a policy that follows a baseline and looks at each answer anew.
type judged struct {
	*scheduler
	t        *testing.T
	baseline string
}

func (p *judged) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.order == nil && p.Follow(p.baseline) != nil {
		p.t.Fatal("the baseline is not followed")
	}
	out = p.Begin(v, out)
	action := []float64{0}
	for p.Ask(v) {
		p.Demonstrate(v, action)
		later, room, most := 0, v.Free().Total()+p.coming, p.order(v, p.blocked)
		lacks := room < v.Job(p.blocked).GPUs()
		for _, c := range p.list.jobs {
			if key := p.order(v, c.id); key > p.order(v, p.blocked) {
				later, room, most = later+1, room+len(v.Run(c.id).Held()), max(most, key)
			}
		}
		evicts := lacks && later > 0 && room >= v.Job(p.blocked).GPUs()
		if evicts != (action[0] != 0) {
			p.t.Fatalf("%s: action %v with %d candidates behind the blocked job, %d GPUs of %d", p.baseline, action[0],
				later, room, v.Job(p.blocked).GPUs())
		}
		if evicts && p.order(v, p.list.jobs[int(action[0])-1].id) != most {
			p.t.Fatalf("%s: candidate %v is not the last in order", p.baseline, action[0])
		}
		p.Answer(v, action)
	}
	return p.Finish(v, out)
}
