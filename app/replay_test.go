package app

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tarry/output/report"
	"tarry/output/results"
)

// replayPage is what the browser gets of a replay.
type replayPage struct {
	Timelines []struct {
		Label       string
		Start, Tick float64
		GPUs        int
		Workload    int
		Every       float64
		Until       int
		Gone, Spans []int
		Ends        []string
		Timers      bool
	}
	Workloads []struct {
		Jobs   []string
		Submit []*float64
		GPUs   []int
		Whole  bool
	}
}

// held is one allocation of a replay, on one or more blocks of GPUs.
type held struct {
	from, to float64
	gpus     int
	end      string
}

// played is a trial of the page, decoded without the browser.
type played struct {
	submit []float64
	gone   map[int]float64
	spans  map[int][]held // of each job
	tick   float64
}

func (p *replayPage) decode(i int) played {
	t, w := p.Timelines[i], p.Workloads[p.Timelines[i].Workload]
	out := played{gone: map[int]float64{}, spans: map[int][]held{}, tick: t.Tick}
	for _, s := range w.Submit {
		out.submit = append(out.submit, *s)
	}
	start := 0
	for k := 0; k < len(t.Spans); k += 7 {
		s := t.Spans[k : k+7]
		start += s[0]
		from := t.Start + float64(start)*t.Tick
		out.spans[s[2]] = append(out.spans[s[2]], held{from, from + float64(s[1])*t.Tick, s[6], t.Ends[s[4]]})
	}
	for k := 0; k < len(t.Gone); k += 2 {
		out.gone[t.Gone[k]] = t.Start + float64(t.Gone[k+1])*t.Tick
	}
	return out
}

// at counts at a time: busy GPUs, jobs that run, jobs that wait.
func (p *played) at(t float64) [3]int64 {
	var out [3]int64
	for j, submit := range p.submit {
		gone, left := p.gone[j]
		done, runs := left && gone <= t, false
		for _, s := range p.spans[j] {
			if s.from <= t && (t < s.to || s.end == "horizon") {
				runs = true
				out[0] += int64(s.gpus)
			}
			done = done || s.end == "finish" && s.to <= t
		}
		switch {
		case runs:
			out[1]++
		case !done && submit <= t:
			out[2]++
		}
	}
	return out
}

// TestReplayIsTheTables compares what the replay's page holds with the tables of the same folder:
// GPU-seconds with the trial's, and busy GPUs, running and waiting jobs with the table cluster.
func TestReplayIsTheTables(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, "compare", "--trace", "synth:demo,jobs=120", "--cluster", "2x4x4", "--policy", "dally", "--policy",
		"tiresias", "--policy", "fifo", "--until", "90000", "--out", "runs")
	p := pageOf(t, filepath.Join(dir, "runs"))
	if len(p.Timelines) != 3 || len(p.Workloads) != 1 || !p.Workloads[0].Whole || len(p.Workloads[0].Jobs) != 120 {
		t.Fatalf("%d timelines, %d workloads", len(p.Timelines), len(p.Workloads))
	}
	trials := rowsOf[results.Trial](t, filepath.Join(dir, "runs", "trials"))
	samples := rowsOf[results.Sample](t, filepath.Join(dir, "runs", "cluster"))
	unfinished := int64(0)
	for i, tl := range p.Timelines {
		policy := strings.TrimSuffix(tl.Label, ", replicate 0")
		if tl.Every != 0 || tl.Timers != (policy == "dally") {
			t.Errorf("%s: every %v, timers %v", tl.Label, tl.Every, tl.Timers)
		}
		one := p.decode(i)
		sum := 0.0
		for _, spans := range one.spans {
			for _, s := range spans {
				sum += (s.to - s.from) * float64(s.gpus)
			}
		}
		for _, row := range trials {
			if row.Policy != policy {
				continue
			}
			unfinished += row.Unfinished
			want := row.GPUUtil * row.Makespan * float64(tl.GPUs)
			if !(math.Abs(sum-want) < 1e-5*want) {
				t.Errorf("%s: %v GPU-seconds drawn, the trial has %v", policy, sum, want)
			}
		}
		agree(t, policy, &one, samples, 90000)
	}
	if unfinished == 0 {
		t.Error("no job is cut off by the end: the test lost its case")
	}
}

// agree compares a trial with its samples. A sample is of an instant, and the page rounds times to
// ticks: the state just behind the instant counts, and the state at the end is passed over, when
// all GPUs are taken back.
func agree(t *testing.T, policy string, one *played, samples []results.Sample, until float64) {
	t.Helper()
	n, deepest := 0, int64(0)
	for _, s := range samples {
		if s.Policy != policy || s.Time >= until {
			continue
		}
		want, got := [3]int64{s.Busy, s.Running, s.Waiting}, one.at(s.Time+0.51*one.tick)
		if got != want {
			t.Errorf("%s at %v: busy, running, waiting %v, the table has %v", policy, s.Time, got, want)
		}
		n, deepest = n+1, max(deepest, s.Waiting)
	}
	if n < 60 || deepest < 5 {
		t.Errorf("%s: %d samples, at most %d jobs wait: the test lost its case", policy, n, deepest)
	}
}

func pageOf(t *testing.T, dir string) replayPage {
	t.Helper()
	page, err := report.NewReader(dir, report.Options{Policies: shipped().Policies}).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := page.JSON()
	var out replayPage
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", dir, err))
	}
	return out
}

func rowsOf[T results.Row](t *testing.T, dir string) []T {
	t.Helper()
	rows, err := results.ReadDir[T](t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
