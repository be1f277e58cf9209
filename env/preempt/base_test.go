package preempt

import (
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/env/schedtest"
	"tarry/sim"
)

// others are policies that the agent evicts for beside Dally as it stands.
func others() []string {
	return []string{"fifo", "fifo-fit", "sjf", "sjf:block=true", "fifo:place=consolidate", "fifo-fit:place=lowest",
		"dally-nowait", "dally:preempt=false,order=las", "dally-manual:t_rack=1"}
}

const crowded = "cluster=2x2x4,windows=6,warm=0,load=1.2"

func based(t *testing.T, options, base string) (Config, sim.Policy) {
	t.Helper()
	p := schedtest.Policy(t, policies.All(), base)
	return config(t, crowded+options+`,base="`+base+`"`), p
}

// An agent that never evicts is the base policy, record for record, and so is one that is never
// asked.
func TestNeverIsTheBase(t *testing.T) {
	for _, base := range others() {
		for _, options := range []string{"", ",checkpoint_s=30,restore_s=20"} {
			c, alone := based(t, options, base)
			want := schedtest.Records(t, &c.Config, 2, alone)
			got, asked := play(t, c, "window=2", never)
			if !slices.Equal(got, want) || asked < 10 {
				t.Errorf("%s%s: the records differ, or %d questions are too few", base, options, asked)
			}
			c.Warm, c.WarmBase = 1e9*sim.Second, true // the base policy's rule answers
			p, err := AsPolicy(c, wild)
			if err != nil {
				t.Fatal(base, err)
			}
			if got := schedtest.Records(t, &c.Config, 2, p); !slices.Equal(got, want) {
				t.Errorf("%s%s: the records of one that is never asked differ", base, options)
			}
		}
	}
}

// Whom the agent evicts gives its GPUs up and runs again; the same policy inside the simulator
// gives the same records.
func TestEvictsForAnyBase(t *testing.T) {
	for _, base := range others() {
		for _, options := range []string{"", ",checkpoint_s=30,restore_s=20"} {
			c, _ := based(t, options, base)
			outside, _ := play(t, c, "window=1", wild)
			evicted := 0
			for _, r := range outside {
				evicted += int(r.Preemptions)
				if r.End == sim.Never {
					t.Errorf("%s%s: a job never ends", base, options)
				}
			}
			p, err := AsPolicy(c, wild)
			if err != nil {
				t.Fatal(err)
			}
			if inside := schedtest.Records(t, &c.Config, 1, p); !slices.Equal(inside, outside) || evicted < 5 {
				t.Errorf("%s%s: %d evictions, or the records differ inside the simulator", base, options, evicted)
			}
		}
	}
}

// What chooses its victims itself, or has none, is no base.
func TestNoBase(t *testing.T) {
	const can = ", expected a policy with a choice of victims: fifo, fifo-fit, sjf, qssf, dally, dally-manual, " +
		"dally-nowait, dally-consolidated"
	for base, want := range map[string]string{
		"srtf":                        "base is srtf" + can,
		`"dally:evict=later"`:         "base is dally:evict=later" + can,
		"fifo,order=las":              "leases and order are settings of base=dally, expected neither with base=fifo",
		`"dally-nowait",leases=false`: "expected neither with base=dally-nowait",
	} {
		if _, err := Make(simulation.All(), crowded+",base="+base); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("base=%s: error %v, expected %s", base, err, want)
		}
	}
}
