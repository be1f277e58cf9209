package reclaimaware

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/baselines/operate"
	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/service"
	"tarry/sim/simtest"
)

// hosts parses the hosts of these tests.
func hosts(spec string, rule cluster.Rule) (sim.Policy, error) {
	name, text, _ := strings.Cut(spec, ":")
	of := map[string]func(*param.Set, cluster.Rule) (sim.Policy, error){"fifo": queueing.NewFIFO,
		"fifo-fit": queueing.NewFitFirst, "las": queueing.NewLAS, "srtf": queueing.NewSRTF,
		"dally": dally.New(dally.Auto)}[name]
	if of == nil {
		return nil, fmt.Errorf("policy %q: unknown", name)
	}
	return of(param.Parse("policy", text), rule)
}

// lent gives a case machines that are lent by a list, each return announced, unless the list is "".
func lent(t testing.TB, cfg *sim.Config, list string) {
	if list == "" {
		return
	}
	own := make([]bool, cfg.Topology.Machines())
	for m := range own {
		own[m] = m%2 == 1 || len(own) == 1
	}
	cfg.Services = &service.Model{Own: own}
	o, err := operate.NewLoans(param.Parse("operator loans", "reclaim=count,notice_s=20,list="+list))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Operator = o
}

func TestConformance(t *testing.T) {
	for _, list := range []string{"", "0:1/2:3/5:0/9:2/11:1/14:9", "0:9/4:0/17:9"} {
		o := simtest.Options{Seeds: 40, Allocates: true, Serve: func(cfg *sim.Config, _ uint64) { lent(t, cfg, list) }}
		if list == "" {
			o.Laws = simtest.NullJob
		}
		simtest.Conform(t, "reclaim-aware", New(hosts), o.Settings("", "host=fifo-fit,restart_s=1", "host=las,slack_s=2",
			"host=srtf,by=work", "host=\"dally:lease=60,t_rack=1,t_net=2\""))
	}
}

// log notes where jobs ran.
type log struct{ lines []string }

func (l *log) Interval(i *sim.Interval) {
	l.lines = append(l.lines, fmt.Sprintf("%d on %v %v-%v", i.Job, i.GPUs, i.Start.Seconds(), i.End.Seconds()))
}
func (*log) Job(*sim.Record)    {}
func (*log) Instant(*sim.Gauge) {}

// One own machine and one that is lent up to 60 s, of which 30 s before is announced: the job of 15 s that
// comes at 35 s starts there, the job of 50 s waits for the own machine, and the job of 5 s behind it too:
// what is hidden is hidden from all.
func TestHand(t *testing.T) {
	const aware = "1 on [1] 35-50, 0 on [0] 0-70, 2 on [0] 70-120, 3 on [0] 120-125"
	for _, c := range []struct{ settings, want string }{
		{"host=fifo", aware}, {"host=fifo-fit", aware},
		{"host=fifo-fit,slack_s=40", "1 on [1] 35-50, 2 on [1] 50-60, 0 on [0] 0-70, 2 on [0] 70-110, 3 on [0] 110-115"},
	} {
		top, err := cluster.New(cluster.Uniform(1, 2, 1, 1))
		if err != nil {
			t.Fatal(err)
		}
		w, err := sim.NewWorkload("hand", []sim.Job{{ID: "0", GPUs: 1, Work: 70 * sim.Second}, {ID: "1", GPUs: 1,
			Work: 15 * sim.Second, Submit: 35 * sim.Second}, {ID: "2", GPUs: 1, Work: 50 * sim.Second,
			Submit: 40 * sim.Second}, {ID: "3", GPUs: 1, Work: 5 * sim.Second, Submit: 41 * sim.Second}})
		if err != nil {
			t.Fatal(err)
		}
		o, err := operate.NewLoans(param.Parse("operator", "list=0:1/60:0,notice_s=30"))
		if err != nil {
			t.Fatal(err)
		}
		var l log
		cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true, Operator: o,
			Services: &service.Model{Own: []bool{false, true}}}
		p := simtest.Build(t, "reclaim-aware", New(hosts), c.settings)()
		if _, err := sim.Run(context.Background(), cfg, p, &l); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(l.lines, ", "); got != c.want {
			t.Errorf("%s: %s, expected %s", c.settings, got, c.want)
		}
	}
}

func TestKnows(t *testing.T) {
	for text, want := range map[string]know.Set{"": know.Speed | know.Estimate | know.Done,
		"by=work": know.Speed | know.Work} {
		if got := simtest.Build(t, "reclaim-aware", New(hosts), text)().Knows(); got != want {
			t.Errorf("%q knows %v, expected %v", text, got, want)
		}
	}
	for _, text := range []string{"host=none", "by=guess", "restart_s=-1", "slack_s=x"} {
		if _, err := New(hosts)(param.Parse("policy", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
