package pwr

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/power"
	"tarry/sim/simtest"
	"tarry/sim/speed"
)

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Laws: simtest.PermuteIDs | simtest.NullJob | simtest.ScaleTimes}
	simtest.Conform(t, "pwr", New, o.Settings("", "fragments=0.5", "by=energy,empty=on"))
}

func TestSettings(t *testing.T) {
	for _, text := range []string{"fragments=2", "fragments=-1", "empty=x", "by=x"} {
		if _, err := New(param.Parse("policy pwr", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	if got := simtest.Build(t, "pwr", New, "by=energy")().Knows(); got != know.Speed {
		t.Errorf("by=energy knows %v", got)
	}
}

// starts gives the machine and the GPUs of each start.
type starts struct{ lines []string }

func (s *starts) Interval(i *sim.Interval) {
	s.lines = append(s.lines, fmt.Sprintf("%d:%v", i.Job, i.GPUs))
}
func (s *starts) Job(*sim.Record)    {}
func (s *starts) Instant(*sim.Gauge) {}

// play runs jobs of so many GPUs on machines of 4 GPUs that draw 200 W idle, of types with these watts
// per GPU, and gives the GPUs of each in order of arrival. Each job arrives a second after the other
// and runs for 1000 s.
func play(t *testing.T, text string, watts []float64, gpus ...int32) string {
	t.Helper()
	spec := cluster.Spec{}
	m := &power.Model{}
	for i, w := range watts {
		spec.Racks = append(spec.Racks, []cluster.Machines{{Count: 1, GPUs: 4, Type: fmt.Sprint("w", w)}})
		m.Specs = append(m.Specs, power.Spec{OffW: 10, IdleW: 210, CubicW: w})
		m.Of = append(m.Of, int32(i))
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	for i, n := range gpus {
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: n, Submit: sim.Time(i) * sim.Second,
			Work: sim.Time(n) * 1000 * sim.Second})
	}
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	var s starts
	p := simtest.Build(t, "pwr", New, text)()
	cfg := sim.Config{Workload: w, Topology: top, Power: m, Check: true,
		Speed: speed.NewCounting(top, speed.Types{"w100": 1, "w150": 2, "w300": 1})}
	if _, err := sim.Run(context.Background(), cfg, p, &s); err != nil {
		t.Fatal(err)
	}
	slices.Sort(s.lines)
	return strings.Join(s.lines, " ")
}

// A machine that is not in use counts 200 W, once. By watts a job goes to the frugal GPUs, by energy to
// GPUs of 150 W, which are twice as fast.
func TestWhereJobsGo(t *testing.T) {
	types := []float64{100, 300, 150}
	for _, c := range []struct {
		text  string
		watts []float64
		gpus  []int32
		want  string
	}{
		{"", types, []int32{1, 2, 1, 1}, "0:[0] 1:[1 2] 2:[3] 3:[8]"},
		{"by=energy", types, []int32{1, 2, 2}, "0:[8] 1:[9 10] 2:[0 1]"},
		// the second job beside the first, where no machine wakes
		{"", []float64{300, 100}, []int32{1, 1}, "0:[4] 1:[5]"},
		// a full machine of 100 W: of machines that would wake, 150 W
		{"", []float64{150, 300, 100}, []int32{4, 1}, "0:[8 9 10 11] 1:[0]"},
		// 6 GPUs need two machines, with the least rise
		{"", types, []int32{6}, "0:[0 1 2 3 8 9]"},
		// by fragmentation alone the single GPU beside the first job is filled
		{"fragments=1", []float64{100, 100, 100}, []int32{3, 4, 1}, "0:[0 1 2] 1:[4 5 6 7] 2:[3]"},
		{"fragments=1,empty=on", []float64{300, 100}, []int32{1, 1}, "0:[0] 1:[1]"},
	} {
		if got := play(t, c.text, c.watts, c.gpus...); got != c.want {
			t.Errorf("%q, %v W, %v: %s, expected %s", c.text, c.watts, c.gpus, got, c.want)
		}
	}
}
