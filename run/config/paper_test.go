package config

import (
	"context"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/internal/sharedata"
	"tarry/output/results"
	"tarry/run/trial"
)

func paperTrial(t testing.TB, list, policy string) trial.Trial {
	t.Helper()
	c := Default()
	if err := c.ApplyPreset("paper"); err != nil {
		t.Fatal(err)
	}
	c.Trace = "artistsim:" + sharedata.Path(t, "traces", "artist-sim", list+".json")
	c.Speed = "table:" + sharedata.Path(t, "reference", "artist-sim", "speed_table_exact.csv") + ",fallback=collective"
	c.Policies = []string{policy}
	s, err := Build(c, simulation.All())
	if err != nil {
		t.Fatal(err)
	}
	return s.Trials()[0]
}

// Manual timers of 6 and 12 leases are what the auto-tuner is capped to with a window of 12.
func TestTunerIsInertInThePaperSetting(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and its goroutines are those of shorter tests; not with -short")
	}
	var rows []results.Summary
	for _, policy := range []string{"dally", "dally:t_rack=6,t_net=12"} {
		res, err := trial.Run(context.Background(), []trial.Trial{paperTrial(t, "sense_500jobs_poisson_1proc-week",
			policy)}, trial.Options{})
		if err != nil {
			t.Fatal(err)
		}
		row := res[0].Row.Summary
		row.ConfigSHA256 = "" // the two are written differently
		rows = append(rows, row)
	}
	if rows[0] != rows[1] {
		t.Errorf("auto %+v\nmanual %+v", rows[0], rows[1])
	}
}
