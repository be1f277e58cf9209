package config

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/catalogue/traces"
	"tarry/internal/sharedata"
	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/rng"
)

// engine runs one trial without tables, timing the simulation alone.
func engine(b *testing.B, tr trial.Trial) {
	b.Helper()
	b.ReportAllocs()
	events := int64(0)
	for b.Loop() {
		p, err := tr.Policy()
		if err != nil {
			b.Fatal(err)
		}
		m, err := tr.Speed()
		if err != nil {
			b.Fatal(err)
		}
		e, err := sim.Run(context.Background(), sim.Config{Workload: tr.Workload, Topology: tr.Topology, Speed: m,
			Costs: tr.Costs, MarkEvery: tr.MarkEvery}, p)
		if err != nil {
			b.Fatal(err)
		}
		events = e.Events()
	}
	b.ReportMetric(float64(events), "events/op")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/1e6, "MB-sys")
}

func trialOf(b *testing.B, trace, clusterName, speed, policy string) trial.Trial {
	b.Helper()
	c := Default()
	c.Trace, c.Cluster, c.Speed, c.Policies, c.History = trace, clusterName, speed, []string{policy}, "none"
	s, err := Build(c, simulation.All())
	if err != nil {
		b.Fatal(err)
	}
	return s.Trials()[0]
}

// The paper's week list: 411 jobs on 512 GPUs.
func BenchmarkWeekList(b *testing.B) {
	list := "artistsim:" + sharedata.Path(b, "traces", "artist-sim", "sense_500jobs_poisson_1proc-week.json")
	for _, policy := range []string{"dally", "tiresias", "gandiva"} {
		b.Run(policy, func(b *testing.B) { engine(b, trialOf(b, list, "paper", "collective", policy)) })
	}
}

// The simulator of Pollux: 160 jobs on 64 GPUs, 1 400 decisions.
func BenchmarkPolluxSim(b *testing.B) {
	c := Default()
	if err := c.ApplyPreset("pollux"); err != nil {
		b.Fatal(err)
	}
	c.Trace, c.Speed = "pollux:"+sharedata.Path(b, "traces", "pollux", "workload-1.csv"),
		"pollux:"+sharedata.Path(b, "profiles", "pollux-sim")
	for _, policy := range []string{"tiresias", "optimus"} {
		b.Run(policy, func(b *testing.B) {
			c := c
			c.Policies, c.History = []string{policy}, "none"
			s, err := Build(c, simulation.All())
			if err != nil {
				b.Fatal(err)
			}
			engine(b, s.Trials()[0])
		})
	}
}

// The whole Philly list: 82 247 jobs on 512 GPUs.
func BenchmarkPhilly(b *testing.B) {
	list := "philly:" + sharedata.Path(b, "traces", "philly", "philly.csv")
	for _, c := range []struct{ policy, speed string }{
		{"fifo", "counting"}, {"dally", "counting"}, {"dally", "collective"}, {"tiresias", "counting"},
		{"easy", "counting"}, {"gandiva", "counting"},
	} {
		b.Run(c.policy+"/"+c.speed, func(b *testing.B) { engine(b, trialOf(b, list, "8x8x8", c.speed, c.policy)) })
	}
}

// A million generated jobs on 10 000 machines of 8 GPUs; 20 000 of them with -short.
func BenchmarkMillion(b *testing.B) {
	trace := "synth:million"
	if testing.Short() {
		trace += ",jobs=20000"
	}
	b.Run("dally", func(b *testing.B) { engine(b, trialOf(b, trace, "500x20x8", "tiers", "dally")) })
}

// The cost per event as queue and cluster grow together, at a load of 1.1 so that the queue is
// long.
func BenchmarkGrowth(b *testing.B) {
	for _, policy := range []string{"fifo", "dally"} {
		for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
			if testing.Short() && n > 10_000 {
				continue
			}
			racks := max(1, n/2000)
			b.Run(fmt.Sprintf("%s/jobs=%d", policy, n), func(b *testing.B) {
				w, _, err := traces.All().Open(fmt.Sprintf("synth:philly,jobs=%d,gpus=%d,load=1.1", n, racks*16*8),
					entry.TraceOptions{Source: rng.Source{Seed: 1}})
				if err != nil {
					b.Fatal(err)
				}
				tr := trialOf(b, "synth:demo,jobs=10", fmt.Sprintf("%dx16x8", racks), "tiers", policy)
				tr.Workload = w
				if tr.Topology, err = cluster.New(cluster.Uniform(racks, 16, 8, 1)); err != nil {
					b.Fatal(err)
				}
				engine(b, tr)
			})
		}
	}
}

// Generated jobs that are drawn while they run: time, and the memory that the run holds beyond its
// start for each job that has ended. It is measured after a collection when nine of ten jobs have
// ended; columns that are made at once count for the tenth, too.
func BenchmarkStreamed(b *testing.B) {
	for _, jobs := range []int{100_000, 1_000_000} {
		if testing.Short() && jobs > 100_000 {
			continue
		}
		b.Run(fmt.Sprintf("dally/jobs=%d", jobs), func(b *testing.B) {
			c := Default()
			c.Trace, c.Cluster, c.Speed, c.Policies, c.Streamed = fmt.Sprintf("synth:million,jobs=%d", jobs),
				"500x20x8", "tiers", []string{"dally"}, true
			s, err := Build(c, simulation.All())
			if err != nil {
				b.Fatal(err)
			}
			var events int64
			held := 0.0
			for b.Loop() {
				before, ended := heap(), 0
				done, err := trial.Run(context.Background(), s.Trials(), trial.Options{Progress: func(_, n int) {
					if was := ended; was*10 < jobs*9 && (was+n)*10 >= jobs*9 {
						b.StopTimer()
						held = (heap() - before) / float64(jobs)
						b.StartTimer()
					}
					ended += n
				}})
				if err != nil {
					b.Fatal(err)
				}
				events = done[0].Events
			}
			b.ReportMetric(held, "heap-B/job")
			b.ReportMetric(float64(events), "events/op")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
		})
	}
}

// heap is what is in use after a collection, in bytes.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
