//go:build unix

package results

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"tarry/catalogue/envs"
	every "tarry/catalogue/shipped"
	"tarry/catalogue/simulation"
	"tarry/experiments/questions"
	"tarry/experiments/sweep"
	"tarry/run/train"
)

// processor is the time that this process has had on processors.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCost trains each learner as the full grid does, on its first setting and with each of
// its seeds, and has the agent decide:
//
//	go test ./experiments/results -run '^$' -bench Cost -benchtime 1x -timeout 2h
//
// experiments/results/data/cost.txt keeps what it states, and the table of docs/explain/method.md
// is made from that. Decisions are greedy.
func BenchmarkCost(b *testing.B) {
	scale := sweep.Full
	if testing.Short() {
		scale = sweep.Tiny
	}
	for _, s := range questions.Shipped("results").Opened().Specs(scale) {
		if s.Axes[0].Name != "setting" || testing.Short() && s.Axes[1].Cases[0].Name != "timers-ppo" {
			continue
		}
		s.Axes[0].Cases = s.Axes[0].Cases[:1]
		delete(s.Base, "evaluate")
		delete(s.Axes[0].Cases[0].Set, "evaluate")
		for _, seed := range s.Seeds {
			b.Run(fmt.Sprintf("%s/seed=%d", s.Axes[1].Cases[0].Name, seed), func(b *testing.B) {
				s.Seeds = []uint64{seed}
				benchmarkCell(b, s)
			})
		}
	}
}

func benchmarkCell(b *testing.B, s sweep.Spec) {
	for b.Loop() {
		b.StopTimer()
		f, err := sweep.Plan(every.All(), filepath.Join(b.TempDir(), "sweep"), s, "bench", false)
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		from := processor(b)
		if err := f.Work(context.Background(), 0, sweep.WorkOptions{Version: "bench", Workers: 1}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric((processor(b) - from).Seconds(), "cpu-s/training")
		b.StopTimer()
		if s.Kind == "learn" {
			decide(b, filepath.Join(f.CellDir(0), "run"))
		}
		b.StartTimer()
	}
	b.ReportMetric(0, "ns/op") // it would count planning's files as well
}

// decide asks the agent of a run on windows of test.
func decide(b *testing.B, run string) {
	t, err := train.Open(every.All(), run, "best")
	if err != nil {
		b.Fatal(err)
	}
	e, err := envs.All().Make(simulation.All(), t.Config.Env+",part=test")
	if err != nil {
		b.Fatal(err)
	}
	p, err := t.Policy(e.Spec())
	if err != nil {
		b.Fatal(err)
	}
	const decisions = 2000
	type question struct {
		obs  []float64
		mask []bool
	}
	var asked []question
	action := make([]float64, e.Spec().Action.Len())
	obs, info, err := e.Reset(nil, "")
	from := processor(b)
	for range decisions {
		if err != nil {
			b.Fatal(err)
		}
		asked = append(asked, question{slices.Clone(obs), slices.Clone(info.Mask)})
		if err := p.Act(action, obs, info.Mask, nil); err != nil {
			b.Fatal(err)
		}
		step, fault := e.Step(action)
		if obs, info, err = step.Obs, step.Info, fault; err == nil && step.Done() {
			obs, info, err = e.Reset(nil, "")
		}
	}
	b.ReportMetric((processor(b)-from).Seconds()*1e6/decisions, "us/decision")
	from = processor(b)
	const rounds = 20 // what the system counts processors by is coarse
	for range rounds {
		for _, q := range asked {
			if err := p.Act(action, q.obs, q.mask, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric((processor(b)-from).Seconds()*1e6/(rounds*decisions), "us/answer")
}
