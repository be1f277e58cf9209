package rlref

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/internal/effort"
	"tarry/internal/sharedata"
	"tarry/internal/stats"
	"tarry/run/config"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/speed"
)

var update = flag.Bool("update", false, "rewrite docs/hpc.csv from the logs in the data folder")

// hpcLogs are the logs of docs/hpc.csv with their clusters.
var hpcLogs = [][2]string{{"kth-sp2", "log"}, {"sdsc-sp2", "log"}, {"sdsc-blue", "log"}, {"llnl-atlas", "log"},
	{"curie-thin-120d", "1x5040x16"}, {"theta-2022", "log"}}

const (
	hpcWindows = 10   // spread over each log
	hpcJobs    = 2000 // of a window
)

// hpcSpecs are the schedulers of docs/hpc.csv: name there, and without and with EASY backfilling.
// They read users' requests.
var hpcSpecs = [][3]string{
	{"fcfs", "picked:by=request", "easy:by=request"},
	{"sjf", "picked:order=sjf,by=request", "easy:order=sjf,by=request"},
	{"wfp3", "wfp3:by=request,backfill=none", "wfp3:by=request,backfill=easy"},
	{"unicep", "unicep:by=request,backfill=none", "unicep:by=request,backfill=easy"},
	{"f1", "f1:by=request,backfill=none", "f1:by=request,backfill=easy"},
	{"f2", "f2:by=request,backfill=none", "f2:by=request,backfill=easy"},
	{"f3", "f3:by=request,backfill=none", "f3:by=request,backfill=easy"},
	{"f4", "f4:by=request,backfill=none", "f4:by=request,backfill=easy"},
}

const hpcHead = "log,scheduler,clock,backfill,bsld,bsld_lo,bsld_hi,over_easy,over_easy_lo,over_easy_hi,better_than_easy"

// The rows of docs/hpc.csv: mean bounded slowdown over windows of a log, each from an empty
// cluster. bsld_lo and bsld_hi are the 95 % interval of the mean over windows (t), over_easy the
// geometric mean over windows of the ratio to easy:by=request, with its interval; better_than_easy
// counts windows. With clock=window submits count from the window's first job, with clock=log from
// the start of the log. By default the rows of KTH-SP2 are computed anew, in the long form of tests
// all; -update writes the file.
func TestHPCTable(t *testing.T) {
	const file = "../../../docs/hpc.csv"
	logs := effort.Of(t, hpcLogs[:1], hpcLogs)
	if *update {
		logs = hpcLogs
	}
	var out [][]string
	for _, l := range logs {
		out = append(out, hpcRows(t, l[0], l[1])...)
	}
	if *update {
		var b strings.Builder
		w := csv.NewWriter(&b)
		if err := w.WriteAll(append([][]string{strings.Split(hpcHead, ",")}, out...)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range out {
		if want := strings.Join(row, ","); !strings.Contains(string(text), "\n"+want+"\n") {
			t.Errorf("%s lacks the row\n%s", file, want)
		}
	}
}

// hpcRows measures a log.
func hpcRows(t *testing.T, log, shape string) (out [][]string) {
	t.Helper()
	windows, top := hpcLog(t, log, shape)
	base := hpcMeans(t, "easy:by=request", windows, top)
	for _, s := range hpcSpecs {
		for _, clock := range []string{"log", "window"} {
			if clock == "log" && s[0][0] != 'f' || s[0] == "fcfs" && clock == "log" {
				continue // nothing counts from there
			}
			load := windows
			if clock == "window" {
				load = nil
				for _, w := range windows {
					load = append(load, fromZero(t, w))
				}
			}
			for i, spec := range s[1:] {
				got := hpcMeans(t, spec, load, top)
				ratio, better := make([]float64, len(got)), 0
				for k := range got {
					if ratio[k] = math.Log(got[k] / base[k]); got[k] < base[k] {
						better++
					}
				}
				m, r := stats.Student(got), stats.Student(ratio)
				row := []string{log, s[0], clock, []string{"none", "easy"}[i]}
				for _, x := range []float64{m.Point, math.Max(1, m.Lo), m.Hi, math.Exp(r.Point), math.Exp(r.Lo),
					math.Exp(r.Hi)} {
					row = append(row, fmt.Sprintf("%.4g", x))
				}
				out = append(out, append(row, fmt.Sprint(better)))
			}
		}
	}
	return out
}

// hpcLog gives windows of a log and its cluster.
func hpcLog(t *testing.T, log, shape string) ([]*sim.Workload, *cluster.Topology) {
	t.Helper()
	path := sharedata.Path(t, "traces", log, log+".swf")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	jobs := 0
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) > 3 && f[0][0] != ';' && f[3] != "0" {
			jobs++
		}
	}
	c := config.Default()
	c.Trace, c.Cluster, c.Speed, c.Policies = "swf-rlscheduler:"+path, shape, "counting", []string{"fifo"}
	for i := range hpcWindows {
		c.WindowStarts = append(c.WindowStarts, i*(jobs-hpcJobs)/hpcWindows)
	}
	c.WindowJobs, c.Replicates = hpcJobs, hpcWindows
	s, err := config.Build(c, simulation.All())
	if err != nil {
		t.Fatal(err)
	}
	var out []*sim.Workload
	var top *cluster.Topology
	for _, x := range s.Trials() {
		out, top = append(out, x.Workload), x.Topology
	}
	return out, top
}

// fromZero lets a window's times begin with its first job.
func fromZero(t *testing.T, w *sim.Workload) *sim.Workload {
	t.Helper()
	jobs := slices.Clone(w.Jobs)
	first := jobs[0].Submit
	for i := range jobs {
		jobs[i].Submit -= first
	}
	out, err := sim.NewWorkload(w.Name, jobs)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// hpcMeans gives the mean bounded slowdown of each window.
func hpcMeans(t *testing.T, spec string, windows []*sim.Workload, top *cluster.Topology) (out []float64) {
	t.Helper()
	_, build, err := policies.All().Parse(spec, cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range windows {
		p, err := build()
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top,
			Speed: speed.NewCounting(top, nil)}, p)
		if err != nil {
			t.Fatal(err)
		}
		sum, n := 0.0, 0
		for i := range w.Jobs {
			if r := e.Record(sim.JobID(i)); r.End != sim.Never {
				run := (r.End - r.Start).Seconds()
				sum += max(1, (r.End-w.Jobs[i].Submit).Seconds()/max(run, 10))
				n++
			}
		}
		out = append(out, sum/float64(n))
	}
	return out
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
