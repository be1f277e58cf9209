package trial

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"tarry/output/results"
	"tarry/sim"
	"tarry/sim/power"
	"tarry/sim/series"
)

// powered is a trial of jobs over days, on machines with a price by the hour.
func powered(t *testing.T, jobs int) Trial {
	t.Helper()
	r, js, at := rand.New(rand.NewPCG(4, 4)), make([]sim.Job, jobs), sim.Time(0)
	for i := range js {
		at += sim.Time(r.IntN(200)) * sim.Second
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: 1 + r.Int32N(4), Submit: at, User: fmt.Sprint("u", r.IntN(3)),
			Work: sim.Time(1+r.IntN(900)) * sim.Second}
	}
	tr := newTrial(workload(t, js...), topology(t, 1, 2, 4), 0)
	tr.Check, tr.Tenants = false, "user"
	tr.Power = &power.Model{Specs: []power.Spec{{IdleW: 100, GPUIdleW: 12, LinearW: 90, CubicW: 130}},
		Of:    make([]int32, 2),
		Price: &series.Series{Steps: []series.Step{{At: 0, Value: .1}, {At: 3.6e9, Value: .3}}, Every: 7.2e9}}
	return tr
}

// The table power integrates to the measures, however many of its stretches were joined; it is written,
// read again, and absent from a run without a model.
func TestPowerTable(t *testing.T) {
	for _, jobs := range []int{20, 9000} {
		tr, dir := powered(t, jobs), t.TempDir()
		run := func(keep ...string) *Result {
			t.Helper()
			out, err := Run(context.Background(), []Trial{tr}, Options{Out: dir, Keep: keep})
			if err != nil {
				t.Fatal(err)
			}
			return out[0]
		}
		first := run("power")
		rows, err := results.ReadDir[results.PowerSample](context.Background(), dir+"/power")
		if err != nil || fmt.Sprint(rows) != fmt.Sprint(first.Power) || len(rows) < 10 || len(rows) > maxSamples+1 {
			t.Fatalf("%d rows, %d kept: %v", len(rows), len(first.Power), err)
		}
		of := map[string]float64{}
		for _, m := range first.Measures {
			if m.Of == "" {
				of[m.Name] = m.Value
			} else if m.Name == "energy_busy_kwh" {
				of["users"] += m.Value
			}
		}
		var idle, busy, most float64
		for i, r := range rows[1:] {
			s := (r.Time - rows[i].Time) / 3.6e6
			if s <= 0 || rows[i].Busy+rows[i].Idle > rows[i].Max+1e-6 || r.Off+r.Boot != 0 || !math.IsNaN(r.Cap) {
				t.Fatalf("row %d is %+v, the next one at %v", i, rows[i], r.Time)
			}
			idle, busy, most = idle+rows[i].Idle*s, busy+rows[i].Busy*s, max(most, rows[i].Max)
		}
		near(t, "idle", idle, of["energy_idle_kwh"])
		near(t, "busy", busy, of["energy_busy_kwh"])
		near(t, "the users", of["users"], of["energy_busy_kwh"])
		near(t, "the maximum", most, of["power_max_w"])
		near(t, "idle by hand", of["energy_idle_kwh"], 2*148*rows[len(rows)-1].Time/3.6e6)
		if again := run("power"); !again.Reused || fmt.Sprint(again.Power) != fmt.Sprint(rows) ||
			fmt.Sprint(again.Measures) != fmt.Sprint(first.Measures) || len(Files(dir, []*Result{again})) != 6 {
			t.Errorf("read again: reused %v, %d rows, %d files", again.Reused, len(again.Power), len(Files(dir,
				[]*Result{again})))
		}
		if err := os.RemoveAll(dir + "/power"); err != nil {
			t.Fatal(err)
		}
		if run().Reused {
			t.Error("the trial without its power counts as complete")
		}
		tr.Config, tr.Power = "{}", nil
		if bare := run("power"); bare.Power != nil || bare.Powered {
			t.Errorf("without a model there are %d rows", len(bare.Power))
		}
		if _, err := results.ReadDir[results.PowerSample](context.Background(), dir+"/power"); err == nil {
			t.Error("the table of an earlier configuration is left")
		}
	}
}

// What a clock draws beyond all bounds ends the trial with an error.
func TestPowerBeyondBounds(t *testing.T) {
	tr := powered(t, 3)
	tr.Power.Specs[0].IdleW = 1e9
	tr.Power.Specs[0].GPUIdleW = 1e9
	if _, err := Run(context.Background(), []Trial{tr}, Options{}); err == nil {
		t.Error("10 GW are taken")
	}
}
