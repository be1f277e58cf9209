package reinforce

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/delaytimer"
	"tarry/env/offer"
	"tarry/env/preempt"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
)

// witness notes of each episode which jobs it had, which actions were taken and what was earned.
type witness struct {
	*schedenv.Env
	log  *log
	sum  float64
	acts []float64
}

type log struct {
	sync.Mutex
	jobs, acts map[string]int // how often each was seen
	sums       []float64
	faults     []error
}

func (w *witness) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	w.sum, w.acts = 0, nil
	return w.Env.Reset(seed, options)
}

func (w *witness) Step(a []float64) (env.Step, error) {
	w.acts = append(w.acts, a...)
	s, err := w.Env.Step(a)
	w.sum += s.Reward
	if err == nil && s.Done() {
		hash := func(x any) string { return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, x))) }
		w.log.Lock()
		defer w.log.Unlock()
		w.log.jobs[hash(w.Workload())]++
		w.log.acts[hash(w.acts)]++
		w.log.sums = append(w.log.sums, w.sum)
		if err := w.Identity(w.sum); err != nil {
			w.log.faults = append(w.log.faults, err)
		}
	}
	return s, err
}

// All rollouts of a sequence meet the same jobs and differ in what is done; the rewards of each sum
// to minus the jobs' time in the system by the kernel's own account, and the return from the first
// decision is that sum.
func TestRolloutsOfOneSequence(t *testing.T) {
	const small = "cluster=4x2x4,windows=1000,load=1.2,warm=6,horizon=24"
	for name, fresh := range map[string]func(string) (env.Env, error){
		"DelayTimer":         schedtest.Over(simulation.All(), delaytimer.Make),
		"DelayTimerDiscrete": schedtest.Over(simulation.All(), delaytimer.MakeDiscrete),
		"Preempt":            schedtest.Over(simulation.All(), preempt.Make),
		"Offer":              schedtest.Over(simulation.All(), offer.Make),
	} {
		cfg := Default()
		cfg.Sequences, cfg.Rollouts, cfg.Hidden = 3, 4, []int{8}
		seen := &log{jobs: map[string]int{}, acts: map[string]int{}}
		l, err := New(cfg, 2, func(int) (env.Env, error) {
			e, err := fresh(small)
			if err != nil {
				return nil, err
			}
			return &witness{Env: e.(*schedenv.Env), log: seen}, nil
		})
		if err != nil {
			t.Fatal(name, err)
		}
		tracks, err := l.collect()
		if err != nil {
			t.Fatal(name, err)
		}
		total, earned := 0.0, 0.0
		for _, k := range tracks {
			if k.finish(1); k.togo[0]-k.sum() > 1e-9 || k.sum()-k.togo[0] > 1e-9 || !(k.end > 0) {
				t.Errorf("%s: return %g, sum %g, end %g", name, k.togo[0], k.sum(), k.end)
			}
			total += k.togo[0]
		}
		for _, s := range seen.sums {
			earned += s
		}
		if d := total - earned; len(seen.faults) > 0 || d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: returns %g, rewards %g, faults %v", name, total, earned, seen.faults)
		}
		if len(seen.jobs) != 3 || len(seen.acts) < 9 {
			t.Errorf("%s: %d sequences of jobs and %d of actions, expected 3 and about 12", name, len(seen.jobs),
				len(seen.acts))
		}
		for jobs, n := range seen.jobs {
			if n != 4 {
				t.Errorf("%s: jobs %.8s were met by %d rollouts, expected 4", name, jobs, n)
			}
		}
		if _, err := l.Update(); err != nil {
			t.Error(name, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
