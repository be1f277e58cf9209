package preempt

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim"
	"tarry/sim/know"
)

// follow plays an episode as a baseline's demonstrator and gives the records and the number of
// evictions.
func follow(t *testing.T, c Config, baseline string) ([]sim.Record, int) {
	t.Helper()
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Follow(baseline); err != nil {
		t.Fatal(err)
	}
	evictions := 0
	if _, err := schedenv.Play(e, 1, "window=1", func(_ []float64, _ []bool, action []float64) {
		if err := e.Demonstrate(action); err != nil {
			t.Fatal(err)
		}
		if action[0] != 0 {
			evictions++
		}
	}); err != nil {
		t.Fatal(err)
	}
	return read(e.Engine(), len(e.Workload())), evictions
}

func baseline(t *testing.T, text string) sim.Policy {
	t.Helper()
	return schedtest.Policy(t, policies.All(), text)
}

// By the option: who follows srtf at each instant and sees all is the rule in the same order, who
// never evicts is the base policy in that order.
func TestOrderIsTheRules(t *testing.T) {
	for _, more := range []string{"", ",checkpoint_s=20,restore_s=10"} {
		const all = "cluster=2x2x4,warm=0,horizon=60,load=1.1,candidates=16,victims=16"
		c := config(t, all+more+",order=srpt")
		c.Every = 1
		got, evictions := follow(t, c, "srtf")
		rule := baseline(t, "dally:order=srpt,preempt=false,evict=later")
		if want := schedtest.Records(t, &c.Config, 1, rule); !slices.Equal(got,
			want) || evictions < 5 {
			t.Errorf("%q: %d evictions, the records are the rule's: %v", more, evictions, slices.Equal(got, want))
		}
	}
	seen := map[string][]sim.Record{}
	for _, order := range dally.OrderNames() {
		c := config(t, "cluster=2x2x4,warm=0,horizon=60,load=1.5,predict=size,order="+order)
		got, _ := play(t, c, "window=1", never)
		rule := baseline(t, "dally:preempt=false,order="+order)
		if want := schedtest.Records(t, &c.Config, 1, rule); !slices.Equal(got, want) {
			t.Errorf("order=%s: an agent that never evicts is not the base policy", order)
		}
		got, _ = play(t, c, "window=1", wild)
		for other, r := range seen {
			if slices.Equal(r, got) {
				t.Errorf("the orders %s and %s give the same records", order, other)
			}
		}
		seen[order] = got
	}
}

func TestUnknownOrder(t *testing.T) {
	_, err := Make(simulation.All(), "cluster=2x2x4,order=srtp")
	want := `order is "srtp", expected network, fifo, las, srpt, srsf, psrpt, psrsf, gittins; did you mean "srpt"?`
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error is %v, expected %s", err, want)
	}
}

// sum is a hash of an episode: what was seen, to six digits, what was paid and how the jobs fared.
func sum(t *testing.T, options string) uint64 {
	t.Helper()
	e, err := New(config(t, options), "")
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	got, _ := play(t, config(t, options), "window=1", func(obs []float64, mask []bool, action []float64) {
		wild(obs, mask, action)
		for _, x := range obs {
			fmt.Fprintf(h, "%.6f ", x)
		}
		fmt.Fprintln(h, mask, action)
	})
	fmt.Fprintln(h, e.Spec().Observation, got)
	return h.Sum64()
}

// The default is what there was before the option: the hashes are from the version without it,
// with the fields LostRun, KilledRun and OutOfMemory that records have since.
func TestDefaultOrderIsAsBefore(t *testing.T) {
	for options, want := range map[string]uint64{
		"cluster=2x2x4,warm=8,horizon=60,load=1.1":                                  0x4fcaa2b0d1904a98,
		"cluster=2x2x4,warm=8,horizon=60,load=1.1,leases=true,checkpoint_s=20":      0x353053adcf46a53,
		"cluster=2x2x4,warm=8,horizon=60,load=1.1,hide=work+cost,min_run=1,every=1": 0xc626cb5c3e05fdb6,
	} {
		got, named := sum(t, options), sum(t, options+",order=network")
		if got != want || named != got {
			t.Errorf("%s: hash %#x, with order=network %#x, expected %#x", options, got, named, want)
		}
	}
}

// In any order the features of work and of sensitivity are as Dally's order has always shown them.
func TestOrderKeepsTheFeatures(t *testing.T) {
	for _, order := range dally.OrderNames() {
		c := config(t, "cluster=2x2x4,warm=0,horizon=60,load=1.1,order="+order)
		s := fresh(t, &c)
		if s.Knows()&know.Work == 0 {
			t.Fatalf("order=%s knows %v, expected work", order, s.Knows())
		}
		told := [3]int{}
		e, err := New(c, "")
		if err != nil {
			t.Fatal(err)
		}
		clusters := len(schedenv.ClusterFeatures())
		play := func(obs []float64, mask []bool, action []float64) {
			for i, at := range []int{4, 5, 7} {
				for k := range len(mask) - 1 {
					if obs[clusters+blockedFeatures+k*candidateFeatures+at] > 0 {
						told[i]++
					}
				}
			}
			wild(obs, mask, action)
		}
		if _, err := schedenv.Play(e, 1, "window=1", play); err != nil || slices.Contains(told[:], 0) {
			t.Errorf("order=%s: left, done and sensitive are reported %v times: %v", order, told, err)
		}
	}
}

// The policy that is followed reads what it needs in every order: srtf, srsf and las evict, with
// the work hidden from the agent or not.
func TestFollowingInEveryOrder(t *testing.T) {
	for _, order := range dally.OrderNames() {
		for _, hidden := range []string{"", ",hide=work+network"} {
			for _, name := range []string{"srtf", "srsf", "las"} {
				c := config(t, "cluster=2x2x4,warm=0,horizon=60,load=1.1,order="+order+hidden)
				if _, evictions := follow(t, c, name); evictions < 5 {
					t.Errorf("order=%s%s: %s evicts %d jobs, expected some", order, hidden, name, evictions)
				}
			}
		}
	}
	c := config(t, "cluster=2x2x4,order=las,hide=work+network")
	if k := fresh(t, &c).Knows(); k != know.Nothing {
		t.Errorf("without work and network an agent in the order of service knows %v", k)
	}
}

// longer is a source whose jobs that are not over at an instant of a run have twice the work, so
// that up to then a policy without knowledge of run times sees no difference.
type longer struct {
	schedenv.Source
	over []sim.Record
	at   sim.Time
}

func (l longer) Window(p schedenv.Part, i int) (*sim.Workload, error) {
	w, err := l.Source.Window(p, i)
	if err != nil {
		return nil, err
	}
	jobs := slices.Clone(w.Jobs)
	for j := range jobs {
		if l.over[j].End > l.at {
			jobs[j].Work *= 2
		}
	}
	return sim.NewWorkload("longer", jobs)
}

// With hide=work no observation, no mask and no contest depends on how long a job will run, in the
// orders that do not either, nor in those by predictions with a predictor; without one, or in the
// others, it does. What is declared notes it.
func TestHiddenWorkStaysHidden(t *testing.T) {
	for _, order := range dally.OrderNames() {
		predicted := order == "gittins" || strings.HasPrefix(order, "psr")
		for _, more := range []string{"", ",hide=work", ",predict=size", ",hide=work,predict=size"} {
			shows := strings.HasPrefix(order, "sr") || predicted && !strings.HasSuffix(more, "size")
			c := config(t, "cluster=2x2x4,warm=0,horizon=60,load=1.5,order="+order+more)
			until := 24 * c.Lease()
			first, end := questions(t, c, until)
			c.Source = longer{c.Source, end, until}
			second, _ := questions(t, c, until)
			if len(first) < 20 {
				t.Fatalf("%d questions, expected more", len(first))
			}
			hidden := !shows && strings.Contains(more, "hide")
			if same, declared := alike(first, second), fresh(t, &c).Knows(); same != hidden ||
				declared.Clairvoyant() == hidden {
				t.Errorf("order=%s%s: the agent sees the same: %v; it declares %v", order, more, same, declared)
			}
		}
	}
}

// A predictor that is exact is none.
func TestExactPredictionsAreDeclared(t *testing.T) {
	for predict, want := range map[string]bool{"request:sigma=0": true, "request:sigma=0.5": false} {
		c := config(t, `cluster=2x2x4,order=psrpt,hide=work,predict="`+predict+`"`)
		if k := fresh(t, &c).Knows(); k.Clairvoyant() != want {
			t.Errorf("predict=%s declares %v", predict, k)
		}
	}
}

// questions are what an agent that chooses by number sees up to an instant, and the records in the
// end.
func questions(t *testing.T, c Config, until sim.Time) ([][]float64, []sim.Record) {
	t.Helper()
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	var list [][]float64
	k := 0
	if _, err := schedenv.Play(e, 1, "window=1", func(obs []float64, mask []bool, action []float64) {
		action[0] = 0
		if k++; k%3 == 0 && mask[1] {
			action[0] = 1
		}
		if e.Engine().Now() < until {
			list = append(list, append(slices.Clone(obs), float64(e.Engine().Now())))
		}
	}); err != nil {
		t.Fatal(err)
	}
	return list, read(e.Engine(), len(e.Workload()))
}

func alike(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(x, y []float64) bool {
		return slices.EqualFunc(x, y, func(p, q float64) bool { return math.Abs(p-q) <= 1e-9 })
	})
}
