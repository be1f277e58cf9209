package order

import (
	"context"
	"os"
	"testing"

	"tarry/env/schedenv"
	"tarry/env/schedtest"
)

// BenchmarkPlay plays a window under vectors about the start: the time of a search per window.
// horizon=0 windows are as in docs/results/timers.md.
func BenchmarkPlay(b *testing.B) {
	const common = ",checkpoint_s=5,restore_s=10,workload=poisson,warm=12,horizon=48,windows=40"
	type windows struct{ name, options string }
	list := []windows{
		{"64 GPUs, linear", "cluster=ethernet:2x4x8,load=0.9" + common},
		{"64 GPUs, overload", "cluster=ethernet:2x4x8,load=1.1" + common},
		{"64 GPUs, 8 units", "cluster=ethernet:2x4x8,load=0.9,hidden=8" + common},
		{"512 GPUs, rank", "cluster=ethernet:16x4x8,load=0.9,features=rank" + common},
		{"512 GPUs, linear", "cluster=ethernet:16x4x8,load=0.9" + common},
		{"512 GPUs, overload", "cluster=ethernet:16x4x8,load=1.1" + common},
		{"512 GPUs, 8 units", "cluster=ethernet:16x4x8,load=0.9,hidden=8" + common},
	}
	if file := os.Getenv("TARRY_PHILLY_CSV"); file != "" {
		of := "trace=csv:" + file + ",shares=40:20:40,warm=12,speed=collective,checkpoint_s=5,restore_s=10,"
		const small, large = "cluster=ethernet:2x4x8,gap=1,rate=3,thin=4,horizon=29",
			"cluster=ethernet:16x4x8,rate=54,batch_jobs=6300,windows=100,horizon=35"
		list = append(list, windows{"Philly, 64 GPUs", of + small},
			windows{"Philly, 64 GPUs, ridge", of + small + ",predict=ridge"}, windows{"Philly, 512 GPUs", of + large})
	}
	for _, x := range list {
		b.Run(x.name, func(b *testing.B) {
			e := made(b, config(b, x.options))
			vs := vectors(e)
			w, err := e.window(context.Background(), schedenv.Train, 3)
			if err != nil {
				b.Fatal(err)
			}
			events, k := int64(0), 0
			b.ReportAllocs()
			for b.Loop() {
				o, err := e.Play(context.Background(), vs[k%len(vs)], schedenv.Train, 3)
				if err != nil || o.Cost > 10 {
					b.Fatal(o, err)
				}
				events += w.Engine.Events()
				k++
			}
			b.ReportMetric(float64(events)/float64(k), "events/op")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
			b.ReportMetric(float64(len(w.Jobs)), "jobs")
		})
		b.Run(x.name+", Dally", func(b *testing.B) {
			e := made(b, config(b, x.options))
			w, err := e.window(context.Background(), schedenv.Train, 3)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				w.begin()
				if err := w.Play(context.Background(), schedenv.Alone{Scheduler: w.policy.scheduler, Asked: &w.asked}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(w.Engine.Events()), "events/op")
		})
	}
}

// BenchmarkStep is an episode stepped from outside.
func BenchmarkStep(b *testing.B) {
	e := made(b, config(b, schedtest.Busy+",jobs=512"))
	schedtest.BenchmarkStep(b, e.Env, make([]float64, e.Spec().Action.Len()))
}
