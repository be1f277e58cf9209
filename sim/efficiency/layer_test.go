package efficiency

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/goodput"
	"tarry/sim/models"
	"tarry/sim/stack"
)

// near reports whether two numbers are equal but for rounding.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-12*math.Abs(b) }

// common is a speed model that follows the common rule, with exposed communication that depends on
// the number of GPUs.
type common struct{ asked *sim.Query }

func (c common) Speed(q *sim.Query) (sim.Speed, error) {
	if c.asked != nil {
		*c.asked = *q
	}
	exposed := 0.1 * float64(len(q.GPUs)-1)
	s := float64(q.ShareMilli) / 1000
	return sim.Speed{Rate: float64(len(q.GPUs)) * s * q.Batch / (q.Batch/q.FreqFrac + exposed), ComputeFrac: q.Batch /
		q.FreqFrac / (q.Batch/q.FreqFrac + exposed)}, nil
}

func rule(t testing.TB, spec string) *Rule {
	t.Helper()
	r, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// on asks about a job on the first GPUs, with its own knobs.
func on(j *sim.Job, gpus int) *sim.Query {
	q := &sim.Query{Job: j, Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}}
	for g := range gpus {
		q.GPUs = append(q.GPUs, cluster.GPU(g))
	}
	return q
}

func resnet(gpus int32) *sim.Job {
	return &sim.Job{ID: "a", GPUs: gpus, Model: "ResNet-50", Work: 9000 * sim.Second}
}

func wrapped(t testing.TB, spec string) sim.Progressive {
	t.Helper()
	return over(common{}, layer(t, spec))
}

// layer is the layer of a rule, with the catalogue's profiles.
func layer(t testing.TB, spec string) *Layer {
	t.Helper()
	return NewLayer(rule(t, spec), models.NewSet(models.Catalogue()...), "")
}

// over is the progressive side of a model under a layer.
func over(m sim.SpeedModel, l *Layer) sim.Progressive { return sim.AsProgressive(stack.New(m, l)) }

func speed(t testing.TB, m sim.SpeedModel, q *sim.Query) sim.Speed {
	t.Helper()
	s, err := m.Speed(q)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// At the own batch, and without noise in every weak allocation, the speed equals the inner model's
// to the last bit, and there are no marks.
func TestOwnBatchIsTheModelWithin(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		gpus := 1 + draw.IntN(8)
		j := &sim.Job{ID: "a", GPUs: int32(gpus), BatchSize: draw.Int32N(1000),
			Model: []string{"resnet50", "dlrm", ""}[draw.IntN(3)], Work: sim.Time(1 + draw.IntN(1e9))}
		l := layer(t, []string{Measured, "noise=3x,scaling=strong", "noise=100,growth=9,fixed=0.4",
			"noise=inf,max=1000x"}[draw.IntN(4)])
		m, held := over(common{}, l), gpus
		if l.rule.noise.value == math.Inf(1) {
			held = 1 + draw.IntN(16)
		}
		q := on(j, held)
		q.Done, q.FreqFrac, q.ShareMilli = float64(j.Work)*draw.Float64(), 0.5+draw.Float64(), 1+draw.Int32N(1000)
		if got, want := speed(t, m, q), speed(t, common{}, q); got != want {
			t.Fatalf("%+v on %d GPUs: %+v, within %+v", j, held, got, want)
		}
		if mark := m.Mark(q); !math.IsInf(mark, 1) {
			t.Fatalf("%+v on %d GPUs has a mark at %v", j, held, mark)
		}
	}
}

// Weak: ResNet-50 with 64 samples per GPU on four times the GPUs has four times the batch, worth
// (phi+M0)/(phi+B) per sample.
func TestWeak(t *testing.T) {
	m, j := wrapped(t, "noise=8x,growth=16,epochs=3"), resnet(2)
	for e, noise := range []float64{8, 32, 128} {
		q := on(j, 8)
		q.Done = (float64(e) + 0.5) * 3000e6
		phi, own, all := 128*noise, 128.0, 512.0
		want := speed(t, common{}, q).Rate * (phi + own) / (phi + all)
		if got := speed(t, m, q).Rate; !near(got, want) {
			t.Errorf("epoch %d: rate %v, expected %v", e, got, want)
		}
		var o sim.Telemetry
		if !m.Telemetry(q, &o) || o.Batch != 512 || o.LocalBatch != 64 || o.AccumSteps != 1 || o.Epoch != int32(e) ||
			o.Epochs != 3 || !near(o.GradVar/o.GradSqr, noise) {
			t.Errorf("telemetry %+v", o)
		}
		next := float64(e+1) * 3000e6
		if e == 2 {
			next = math.Inf(1)
		}
		if got := m.Mark(q); got != next {
			t.Errorf("epoch %d: mark %v, expected %v", e, got, next)
		}
	}
	if q := on(j, 1); speed(t, m, q) != speed(t, common{}, q) {
		t.Error("on fewer GPUs samples are not worth 1")
	}
	q := on(j, 100) // the most is 32 times 128 samples: 41 each
	var o sim.Telemetry
	if m.Telemetry(q, &o); o.LocalBatch != 41 || o.Batch != 4100 {
		t.Errorf("beyond the most: %+v", o)
	}
}

// Strong: the batch stays, a GPU's part shrinks, and a part of the time to compute it does not.
func TestStrong(t *testing.T) {
	m, j := wrapped(t, "noise=8x,scaling=strong,fixed=0.2,max_local=1x"), resnet(4)
	for _, c := range []struct {
		gpus          int
		local, update int32
		steps         int32
	}{{2, 64, 256, 2}, {4, 64, 256, 1}, {8, 32, 256, 1}, {16, 16, 256, 1}, {32, 16, 512, 1}, {3, 43, 258, 2}} {
		q := on(j, c.gpus)
		var o sim.Telemetry
		if !m.Telemetry(q, &o) || o.LocalBatch != c.local || o.Batch != c.update || o.AccumSteps != c.steps {
			t.Errorf("on %d GPUs: %+v", c.gpus, o)
		}
		b := float64(c.local) / 64
		compute := 0.2254 * (0.2 + 0.8*b) // ResNet-50 computes 64 samples in about 225.4 ms
		sync := 0.1 * float64(c.gpus-1) * 0.2254
		if math.Abs(o.StepS/(compute+sync)-1) > 1e-3 || c.gpus > 1 && math.Abs(o.SyncS/sync-1) > 1e-3 {
			t.Errorf("on %d GPUs a step takes %v s, of which it synchronises %v; expected %v and %v", c.gpus, o.StepS,
				o.SyncS, compute+sync, sync)
		}
	}
}

// The rate is what goodput.Function states of a job with the same step times and noise, for every
// batch and number of micro-steps.
func TestGoodput(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	set := models.NewSet(models.Catalogue()...)
	profile, _ := set.Lookup("resnet50")
	step := profile.ComputeNS() / 1e9
	for range 3000 {
		demand, gpus := 1+draw.Int32N(4), 1+draw.IntN(16)
		j := resnet(demand)
		fixed, noise := 0.5*draw.Float64(), 20*draw.Float64()
		m := over(common{}, NewLayer(&Rule{noise: span{size{noise, true, true}, noise},
			growth: span{size{1, false, true}, 1}, epochs: span{size{1, false, true}, 1},
			most: size{64, true, true}, least: size{1, false, true}, fill: size{2, true, true}, fixed: fixed}, set, ""))
		q := on(j, gpus)
		q.Batch, q.AccumSteps = 1+20*draw.Float64(), 1+draw.Int32N(4)
		var o sim.Telemetry
		if !m.Telemetry(q, &o) {
			t.Fatal("no telemetry")
		}
		own := float64(64 * demand)
		if o.AccumSteps < q.AccumSteps || o.LocalBatch > 128 || float64(o.Batch) < math.Round(q.Batch*own) ||
			float64(o.Batch-int32(gpus)*o.AccumSteps) >= math.Round(q.Batch*own) {
			t.Fatalf("batch %v of %v on %d GPUs: %+v", q.Batch, own, gpus, o)
		}
		// Time of a step: alpha_c + beta_c m computes, nothing overlaps (gamma 1), and the exchange
		// takes as long as common states.
		exchange := 0.1 * float64(gpus-1) * step
		f := goodput.Function{Params: goodput.Params{AlphaC: fixed * step, BetaC: (1 - fixed) * step / 64,
			AlphaR: exchange, Gamma: 1},
			Noise: goodput.Noise{Sqr: 1, Var: noise}, Limits: goodput.Limits{Initial: int(own)}}
		// a sample at M0 is so many GPU-seconds of work
		want := f.Goodput(1, gpus, int(o.LocalBatch), int(o.AccumSteps)-1) * step / 64
		got := speed(t, m, q).Rate
		if math.Abs(got/want-1) > 1e-6 { // goodput has 1e-8 s where nothing is exchanged
			t.Fatalf("%+v on %d GPUs, fixed %v, noise %v: rate %v, goodput %v", o, gpus, fixed, noise, got, want)
		}
		update := float64(o.StepS) + float64(o.AccumSteps-1)*(o.StepS-o.SyncS)
		grad, net, _ := f.StepTimes(1, gpus, int(o.LocalBatch))
		if whole := float64(o.AccumSteps)*grad + net; math.Abs(update/whole-1) > 1e-6 {
			t.Fatalf("an update takes %v s, expected %v", update, whole)
		}
	}
}

// What the model within is asked is the batch that takes as long to compute.
func TestWithin(t *testing.T) {
	var asked sim.Query
	m := over(common{&asked}, NewLayer(rule(t, "noise=8x,fixed=0.5,max_local=1x"), nil, ""))
	j := &sim.Job{ID: "a", GPUs: 2, BatchSize: 100, Work: 1000}
	q := on(j, 2)
	q.Batch = 2
	speed(t, m, q) // 200 samples, 100 on each GPU, in two steps of 50
	if asked.Batch != 2 || asked.AccumSteps != 0 || q.Batch != 2 {
		t.Errorf("asked of a batch of %v", asked.Batch)
	}
	q.AccumSteps = 4 // four steps of 25, each 0.75 times as long
	if speed(t, m, q); asked.Batch != 3 {
		t.Errorf("asked of a batch of %v", asked.Batch)
	}
}

// Each epoch is the same part of the work, and one that lacks a millionth is over.
func TestEpochs(t *testing.T) {
	o := own{epochs: 3, first: 1, last: 9}
	for _, c := range []struct {
		done float64
		want int32
	}{{0, 0}, {99.9, 0}, {100, 1}, {100 - 1e-5, 1}, {199, 1}, {200, 2}, {300, 2}, {1e9, 2}} {
		if got := o.epoch(c.done, 300); got != c.want {
			t.Errorf("at %v of 300: epoch %d, expected %d", c.done, got, c.want)
		}
	}
	for e, want := range []float64{1, 3, 9} {
		if got := o.noise(int32(e)); !near(got, want) {
			t.Errorf("epoch %d: noise %v, expected %v", e, got, want)
		}
	}
}

// A job's numbers depend on the seed, its name and its work, not on when it is asked for; they
// spread over the range by logarithm.
func TestDraws(t *testing.T) {
	m := layer(t, "noise=2x..32x,growth=1..4,epochs=10..40,seed=3")
	var noise []float64
	first := map[string]own{}
	for i := range 10000 {
		j := &sim.Job{ID: string(rune('a'+i%26)) + string(rune('0'+i/26%10)), GPUs: 1, Work: sim.Time(1 + i)}
		o := m.own(j, sim.JobID(i))
		noise = append(noise, o.first)
		if o.first < 2 || o.first > 32 || o.last < o.first || o.last > 4*o.first || o.epochs < 10 || o.epochs > 40 {
			t.Fatalf("%+v", o)
		}
		if i < 5 {
			first[j.ID] = o
		}
		if again := m.own(j, sim.JobID(9999-i)); again != o {
			t.Fatalf("%+v, then %+v", o, again)
		}
	}
	slices.Sort(noise)
	if middle := noise[len(noise)/2]; math.Abs(math.Log(middle/8)) > 0.1 {
		t.Errorf("median %v, expected about 8", middle)
	}
	other := layer(t, "noise=2x..32x,growth=1..4,epochs=10..40,seed=4")
	same := layer(t, "noise=2x..32x,growth=1..4,epochs=10..40,seed=3")
	j := &sim.Job{ID: "b0", GPUs: 1, Work: 2}
	if a := other.own(j, 1); a.first == first["b0"].first {
		t.Error("another seed draws the same")
	}
	if a := same.own(j, 77); a != first["b0"] {
		t.Errorf("%+v, then %+v", first["b0"], a)
	}
}

// The draws are frozen: runs are repeated by them.
func TestDrawsAreFrozen(t *testing.T) {
	o := layer(t, "noise=2x..32x,seed=1").own(&sim.Job{ID: "7", GPUs: 1, Work: 1000}, 0)
	if want := 8.1681841473734522; math.Abs(o.first-want) > 1e-12 {
		t.Errorf("noise %.17g, want %v", o.first, want)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	m := wrapped(t, "noise=2x..32x,growth=4")
	j := resnet(2)
	q := on(j, 8)
	q.Done = 100
	var o sim.Telemetry
	if n := testing.AllocsPerRun(100, func() {
		_, _ = m.Speed(q)
		_ = m.Mark(q)
		_ = m.Telemetry(q, &o)
		_ = m.Batches(j)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSpeed(b *testing.B) {
	m, q := wrapped(b, "noise=2x..32x,growth=4"), on(resnet(2), 8)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Speed(q); err != nil {
			b.Fatal(err)
		}
	}
}
