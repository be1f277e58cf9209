package queueing_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// Closed forms: mean response times that queueing theory gives exactly, within a 99.9 % interval
// over independent replicates. Service has mean 1 s everywhere.

// service is a law of service times with mean 1.
type service struct {
	name string
	draw func(*rng.Stream) float64
	tail func(t float64) float64 // P(S > t)
	max  float64                 // where the tail may be taken as 0
}

func exponential() service {
	return service{"exponential", func(s *rng.Stream) float64 { return s.ExpFloat64() },
		func(t float64) float64 { return math.Exp(-t) }, 40}
}

func fixed() service {
	return service{"fixed", func(*rng.Stream) float64 { return 1 }, func(t float64) float64 { return b2f(t < 1) }, 1}
}

func uniform() service {
	return service{"uniform", func(s *rng.Stream) float64 { return 2 * s.Float64() },
		func(t float64) float64 { return max(0, 1-t/2) }, 2}
}

// hyper mixes short and long exponential jobs: squared coefficient of variation 3.
func hyper() service {
	const p, a, b = .9, .5263157894736842, 5.263157894736842 // p a + (1-p) b = 1
	return service{"hyperexponential", func(s *rng.Stream) float64 {
		x := s.ExpFloat64()
		if s.Float64() < p {
			return a * x
		}
		return b * x
	}, func(t float64) float64 { return p*math.Exp(-t/a) + (1-p)*math.Exp(-t/b) }, 200}
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// grid steps the integrals below; the laws are cut off at max.
const gridSteps = 40000

// walk visits a grid of x with the first two moments of min(S, x), which are the integrals of
// P(S > t) and 2 t P(S > t), and with the probability of each cell.
func (s service) walk(f func(x, h, m1, m2, p float64)) {
	h, m1, m2 := s.max/gridSteps, 0.0, 0.0
	for i := range gridSteps {
		x := (float64(i) + .5) * h
		half := h / 2 * s.tail(x)
		m1, m2 = m1+half, m2+2*x*half
		f(x, h, m1, m2, s.tail(x-h/2)-s.tail(x+h/2))
		m1, m2 = m1+half, m2+2*x*half
	}
}

// pollaczek is the mean response of M/G/1 FIFO (Pollaczek-Khinchine).
func pollaczek(s service, load float64) float64 {
	square := 0.0
	s.walk(func(_, _, _, m2, _ float64) { square = m2 })
	return load*square/(2*(1-load)) + 1
}

// erlang is the mean response of M/M/k (Erlang C).
func erlang(k int, load float64) float64 {
	a, sum, term := load*float64(k), 0.0, 1.0
	for i := range k {
		sum += term
		term *= a / float64(i+1)
	}
	c := term / (1 - load)
	return 1 + c/(sum+c)/(float64(k)*(1-load))
}

// schrage is the mean response of M/G/1 under SRPT (Schrage and Miller 1966).
func schrage(s service, load float64) float64 {
	mean, residence := 0.0, 0.0
	s.walk(func(x, h, m1, m2, p float64) {
		left := 1 - load*(m1-x*s.tail(x)) // what jobs up to x leave over
		residence += h / left
		mean += p * (load*m2/(2*left*left) + residence)
	})
	return mean
}

// foreground is the mean response of M/G/1 under continuous LAS (foreground-background).
func foreground(s service, load float64) float64 {
	mean := 0.0
	s.walk(func(x, _, m1, m2, p float64) {
		left := 1 - load*m1
		mean += p * (load*m2/(2*left*left) + x/left)
	})
	return mean
}

// measure gives the mean response over replicates and the half-width of its 99.9 % interval.
func measure(t *testing.T, name, params string, s service, servers int, load float64, reps, n int) (mean,
	half float64) {
	t.Helper()
	var xs []float64
	for rep := range reps {
		src := rng.Source{Seed: 1, Experiment: "closed forms", Cell: fmt.Sprint(name, s.name, servers, load),
			Replicate: uint64(rep)}
		arr, srv := src.Stream("arrivals"), src.Stream("service")
		js := make([]sim.Job, n)
		at := 0.0
		for i := range js {
			at += arr.ExpFloat64() / (load * float64(servers))
			js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: 1, Submit: sim.Seconds(at), Work: max(1, sim.Seconds(s.draw(srv)))}
		}
		w, err := sim.NewWorkload("closed", js)
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: topology(t, 1, 1, servers),
			Speed: simtest.Counting{}}, policy(t, name, params))
		if err != nil {
			t.Fatal(err)
		}
		xs = append(xs, responses(t, e, w))
	}
	sum, sq := 0.0, 0.0
	for _, x := range xs {
		sum += x
	}
	mean = sum / float64(reps)
	for _, x := range xs {
		sq += (x - mean) * (x - mean)
	}
	return mean, 3.883 * math.Sqrt(sq/float64(reps-1)/float64(reps)) // Student's t, 19 degrees of freedom
}

// responses gives the mean response of the middle 80 % of the jobs, and holds Little's law to the
// microsecond.
func responses(t *testing.T, e *sim.Engine, w *sim.Workload) float64 {
	t.Helper()
	var all, part sim.Time
	n := len(w.Jobs)
	for id := range w.Jobs {
		r := e.Record(sim.JobID(id)).End - w.Jobs[id].Submit
		if all += r; id >= n/10 && id < n-n/10 {
			part += r
		}
	}
	if area, _, _ := e.Areas(); area != [2]uint64{0, uint64(all)} {
		t.Errorf("Little: area %v, times in the system add up to %d", area, all)
	}
	return part.Seconds() / float64(n-2*(n/10))
}

func TestClosedForms(t *testing.T) {
	const reps = 20
	for _, c := range []struct {
		law, policy, params string
		s                   service
		servers             int
		load                float64
		jobs                int
		want, bias          float64 // bias: what the discretisation may add, relative
	}{
		{"M/M/1", "fifo", "", exponential(), 1, .7, 8000, 1 / .3, 0},
		{"M/M/4", "fifo", "", exponential(), 4, .8, 8000, erlang(4, .8), 0},
		{"M/M/16, fit-first", "fit-first", "", exponential(), 16, .8, 8000, erlang(16, .8), 0},
		{"M/D/1", "fifo", "", fixed(), 1, .7, 8000, 1 + .7/(2*.3), 0},
		{"M/U/1", "easy", "", uniform(), 1, .7, 8000, pollaczek(uniform(), .7), 0},
		{"M/H2/1", "conservative", "", hyper(), 1, .4, 12000, pollaczek(hyper(), .4), 0},
		{"M/M/1 SRPT", "srtf", "", exponential(), 1, .7, 8000, schrage(exponential(), .7), 0},
		{"M/U/1 SRPT", "srsf", "", uniform(), 1, .7, 8000, schrage(uniform(), .7), 0},
		// Service without memory: every policy that does not know the work has the mean of
		// processor sharing, E[S]/(1-load), whatever its quantum.
		{"M/M/1 LAS = PS", "las", "quantum_s=0.5", exponential(), 1, .7, 8000, 1 / .3, 0},
		// Otherwise a small quantum approaches foreground-background, which for such service is
		// below the E[S]/(1-load) of processor sharing.
		{"M/H2/1 LAS", "las", "quantum_s=0.05", hyper(), 1, .6, 2500, foreground(hyper(), .6), .03},
	} {
		t.Run(c.law, func(t *testing.T) {
			t.Parallel()
			mean, half := measure(t, c.policy, c.params, c.s, c.servers, c.load, reps, c.jobs)
			t.Logf("%.4f +- %.4f, theory %.4f", mean, half, c.want)
			if math.Abs(mean-c.want) > half+c.bias*c.want {
				t.Errorf("mean response %.4f s +- %.4f, theory says %.4f", mean, half, c.want)
			}
			if half > .1*c.want {
				t.Errorf("the interval %.4f +- %.4f is too wide to say anything", mean, half)
			}
		})
	}
	if fb, ps := foreground(hyper(), .6), 1/(1-.6); fb > .95*ps {
		t.Errorf("foreground-background %v is not below processor sharing %v", fb, ps)
	}
	if fb := foreground(exponential(), .7); math.Abs(fb-1/.3) > .01 {
		t.Errorf("foreground-background without memory %v, expected %v", fb, 1/.3)
	}
}

// Without contention every policy serves every job at once: at vanishing load, and when arrivals
// and services are fixed and do not overlap (D/D/1 and D/D/k).
func TestNoQueueNoWait(t *testing.T) {
	for name := range constructors {
		for servers := range 4 {
			var js []sim.Job
			for i := range 50 {
				g := int32(1 + i%(servers+1))
				js = append(js, sim.Job{ID: fmt.Sprint(i), GPUs: g, Submit: sim.Time(2*i) * sim.Second, Work: 2 *
					sim.Second * sim.Time(g)})
			}
			w, err := sim.NewWorkload("apart", js)
			if err != nil {
				t.Fatal(err)
			}
			e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: topology(t, 1, 1, servers+1),
				Speed: simtest.Counting{}, Check: true}, policy(t, name, ""))
			if err != nil {
				t.Fatal(err)
			}
			for id := range js {
				if r := e.Record(sim.JobID(id)); r.Queue != 0 || r.Run != 2*sim.Second || r.Preemptions != 0 ||
					r.Allocations != 1 {
					t.Fatalf("%s: job %d was not served at once: %+v", name, id, r)
				}
			}
		}
	}
}
