package delaytimer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/env/schedtest"
	"tarry/sim"
)

// busy leaves jobs waiting.
const busy = "cluster=2x2x4,windows=6,warm=0,horizon=40,load=1.2"

// based gives the settings over another base, and that policy alone.
func based(t *testing.T, settings, base string) (Config, sim.Policy) {
	t.Helper()
	c := wholeEpisodes(t, settings+`,base="`+base+`"`)
	p := schedtest.Policy(t, policies.All(), base)
	return c, p
}

// Delay scheduling under its own timers, which no agent sets, is delay scheduling, record for
// record.
func TestDelayIsItsOwnBase(t *testing.T) {
	for _, base := range []string{"delay", "delay:wait_machine=600,wait_rack=1800",
		"delay:wait_machine=0,wait_rack=inf", "delay:wait_machine=inf,wait_rack=60,order=fair",
		"dally-manual:t_rack=2,t_net=5", "dally:preempt=false,order=fifo"} {
		c, alone := based(t, busy, base)
		want := schedtest.Records(t, &c.Config, 2, alone)
		c.Warm, c.WarmBase = 1e9*sim.Second, true // the base policy's rule answers
		p, err := AsPolicy(c, wild)
		if err != nil {
			t.Fatal(base, err)
		}
		if got := schedtest.Records(t, &c.Config, 2, p); !slices.Equal(got, want) {
			t.Errorf("%s: the records differ from those of the policy alone", base)
		}
	}
}

// An agent that always sets the same timers is delay scheduling with these waits.
func TestConstantActionsAreWaits(t *testing.T) {
	for _, leases := range [][2]float64{{1, 2}, {3, 3}, {0, 6}} {
		rack, rest := leases[0]*3600, (leases[1]-leases[0])*3600
		c, _ := based(t, busy, "delay:wait_machine=30,wait_rack=7")
		_, alone := based(t, busy, fmt.Sprintf("delay:wait_machine=%v,wait_rack=%v", rack, rest))
		want := schedtest.Records(t, &c.Config, 2, alone)
		e, err := New(c, "")
		if err != nil {
			t.Fatal(err)
		}
		if e.Base() != "delay:wait_machine=30,wait_rack=7" {
			t.Errorf("the base is %s", e.Base())
		}
		acts := 0
		got := play(t, e, "window=2", func(_ []float64, _ []bool, a []float64) {
			acts++
			for i := range Classes {
				a[2*i], a[2*i+1] = Encode(leases[0]), Encode(leases[1])
				if i > 2 { // larger than a machine: there is no wait for one
					a[2*i], a[2*i+1] = Encode(0), Encode(leases[1]-leases[0])
				}
			}
		})
		if !slices.Equal(got, want) || acts < 10 {
			t.Errorf("timers %v: the records differ from those of delay scheduling, or %d questions are too few",
				leases, acts)
		}
	}
}

// A copy in the middle of an episode resumes as the original does: a snapshot gives the same step
// again.
func TestBaseIsRestored(t *testing.T) {
	c, _ := based(t, busy, "delay:wait_machine=600,wait_rack=1800")
	a, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	action := make([]float64, 2*Classes)
	if _, _, err := a.Reset(nil, "window=1"); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if _, err := a.Step(action); err != nil {
			t.Fatal(err)
		}
	}
	saved, err := a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Restore(saved); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		x, err1 := a.Step(action)
		y, err2 := b.Step(action)
		if err1 != nil || err2 != nil || x.Reward != y.Reward || !slices.Equal(x.Obs, y.Obs) {
			t.Fatalf("%+v, %v and %+v, %v", x, err1, y, err2)
		}
	}
}

// What has no timers is no base, and the error states what has.
func TestNoBase(t *testing.T) {
	for base, want := range map[string]string{
		"fifo": "base is fifo, expected a policy with delay timers: delay, dally, " +
			"dally-manual, dally-nowait, dally-consolidated",
		`"delay:form=count"`:      "base is delay:form=count, expected a policy with delay timers: ",
		`"artist-dally:lease=60"`: "base is artist-dally:lease=60, expected a policy with delay timers: ",
		"dely":                    `base: policy "dely": unknown`,
	} {
		_, err := Make(simulation.All(), small+",base="+base)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "delay") {
			t.Errorf("base=%s: error %v, expected %s", base, err, want)
		}
	}
}
