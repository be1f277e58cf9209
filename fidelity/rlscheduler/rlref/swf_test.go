package rlref

import (
	"context"
	"math"
	"slices"
	"strconv"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/internal/sharedata"
	"tarry/internal/stats"
	"tarry/run/config"
	"tarry/run/trial"
)

// RLScheduler's protocol on the copy of SDSC-SP2 at hand, against a re-write of the program apart
// from tarry. The published numbers are of another copy of the log. Run times are known by the
// users' requests alone.
func TestRLSchedulerOnSP2(t *testing.T) {
	path := sharedata.Path(t, "traces", "sdsc-sp2", "sdsc-sp2.swf")
	windows, err := reference.ReadRows(sharedata.Path(t, "reference", "rlscheduler", rlWindows), "trace", "first_index",
		"jobs")
	if err != nil {
		t.Fatal(err)
	}
	f := config.Default()
	if err := f.ApplyPreset("rlscheduler"); err != nil {
		t.Fatal(err)
	}
	f.Trace, f.Cluster, f.WindowStarts = "swf-rlscheduler:"+path, "1x16x8", nil
	for i := range windows.Cells {
		if windows.Text(i, "trace") == "sdsc-sp2" {
			first, err := strconv.Atoi(windows.Text(i, "first_index"))
			if err != nil {
				t.Fatal(err)
			}
			f.WindowStarts = append(f.WindowStarts, first)
		}
	}
	want := map[string]float64{
		"picked:by=request": 210.15, "picked:order=sjf,by=request": 76.83, "f1:hold=true,by=request": 52.11,
		"wfp3:hold=true,by=request": 116.68, "unicep:hold=true,by=request": 63.53,
		"picked:by=request,backfill=fcfs": 29.46, "picked:order=sjf,by=request,backfill=fcfs": 39.84,
		"f1:hold=true,by=request,backfill=fcfs":   16.88,
		"wfp3:hold=true,by=request,backfill=fcfs": 47.37, "unicep:hold=true,by=request,backfill=fcfs": 19.59,
	}
	for spec := range want {
		f.Policies = append(f.Policies, spec)
	}
	slices.Sort(f.Policies)
	f.Replicates = len(f.WindowStarts)
	done := rowsOf(t, f)
	for i, spec := range f.Policies {
		var means []float64
		for _, r := range done[i*f.Replicates : (i+1)*f.Replicates] {
			means = append(means, r.Row.BSLDMean)
		}
		if got := math.Round(100*stats.Mean(means)) / 100; got != want[spec] {
			t.Errorf("%s gives %.2f, the re-write %.2f", spec, got, want[spec])
		}
	}
}

func rowsOf(t *testing.T, c config.Config) []*trial.Result {
	t.Helper()
	s, err := config.Build(c, simulation.All())
	if err != nil {
		t.Fatal(err)
	}
	done, err := trial.Run(context.Background(), s.Trials(), trial.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return done
}
