package books_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/power/books"
	"tarry/sim/series"
)

func topology(t testing.TB, machines, gpus int) *cluster.Topology {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, machines, gpus, 1))
	if err != nil {
		t.Fatal(err)
	}
	return top
}

func open(t testing.TB, m *power.Model, top *cluster.Topology, ended func(*sim.Record, books.Energy)) *books.Book {
	t.Helper()
	b, err := books.New(m, top, ended)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func model(machines int, s power.Spec) *power.Model {
	return &power.Model{Specs: []power.Spec{s}, Of: make([]int32, machines)}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
		t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

// Two machines of two GPUs by hand: 100 W and 2 x 10 W each. Job 0 uses GPUs 1 and 2 half the time at
// clock 1 (2 x .5 x 60 W) from 10 s, pauses at 30 s, resumes at 40 s and ends at 50 s. Machine 0
// leaves service at 60 s, is off at 65 s, boots at 80 s and is ready at 90 s. Price 2 up to 30 s, 4
// after; a cap of 290 W.
func TestByHand(t *testing.T) {
	m := model(2, power.Spec{OffW: 5, BootW: 150, IdleW: 100, GPUIdleW: 10, LinearW: 60, CycleJ: 1000})
	m.Price = &series.Series{Steps: []series.Step{{At: 0, Value: 2}, {At: int64(30 * sim.Second), Value: 4}}}
	m.Carbon, m.Cap = series.Constant(300), series.Constant(290)
	s, of := sim.Second, books.Energy{}
	b := open(t, m, topology(t, 2, 2), func(r *sim.Record, busy books.Energy) { of = busy })
	use := []cluster.GPU{1, 2}
	b.Draw(0, use, .5, 1, 10*s)
	b.Instant(&sim.Gauge{Now: 10 * s})
	b.Draw(0, use, 0, 1, 30*s)
	b.Draw(0, use, .5, 1, 40*s)
	b.Instant(&sim.Gauge{Now: 30 * s})
	near(t, "watts in the pause", b.W(), 240)
	b.Draw(0, nil, 0, 1, 50*s)
	b.Job(&sim.Record{Job: 0})
	b.Machine(0, power.Stopping, 60*s)
	b.Machine(0, power.Off, 65*s)
	b.Machine(0, power.Booting, 80*s)
	b.Instant(&sim.Gauge{Now: 80 * s})
	b.Machine(0, power.On, 90*s)
	b.Advance(100 * s)
	near(t, "job", of.J(), 30*60)
	near(t, "busy of machine 1", b.OfMachine(1, books.Busy).J(), 30*30)
	near(t, "off", b.Of(books.Off).J(), 15*5)
	near(t, "boot", b.Of(books.Boot).J(), 10*150+1000)
	near(t, "idle", b.Of(books.Idle).J(), 100*(100+75))
	near(t, "idle GPUs", b.Of(books.GPUIdle).J(), 20*(100+75))
	total := 30*60. + 75 + 2500 + 120*175
	near(t, "total", b.Total().J(), total)
	first := 30*240. + 20*60
	near(t, "cost", b.Cost(), (2*first+4*(total-first))/3.6e6)
	near(t, "carbon", b.CarbonKg(), .3*total/3.6e6)
	near(t, "maximum", b.MaxW(), 300)
	near(t, "beyond the cap", b.Beyond().J(), 30*10)
	if b.OverCap() != 30*s || b.Boots() != 1 || b.Stops() != 1 {
		t.Errorf("over the cap for %v, %d boots, %d stops", b.OverCap(), b.Boots(), b.Stops())
	}
	if from, to := b.LastBoot(0); from != 80*s || to != 90*s {
		t.Errorf("the boot at %v-%v", from, to)
	}
}

// A later call replaces what has not begun: a pause that is prolonged, a draw that ends in a pause.
func TestChangesThatDoNotBegin(t *testing.T) {
	s, use := sim.Second, []cluster.GPU{0}
	b := open(t, model(1, power.Spec{LinearW: 100}), topology(t, 1, 1), nil)
	b.Draw(0, use, 1, 1, 20*s) // begins in a pause
	b.Draw(0, use, 0, 1, 10*s) // is paused anew
	b.Draw(0, use, 1, 1, 30*s)
	b.Advance(35 * s)
	near(t, "after the second pause", b.Total().J(), 500)
	b.Draw(0, use, 0, 1, 40*s)
	b.Draw(0, use, 1, 1, 60*s)
	b.Draw(0, nil, 0, 1, 50*s)
	b.Advance(100 * s)
	near(t, "in the end", b.Total().J(), 1000)
}

// A spec that draws more than a cluster may is refused; so is a clock.
func TestLimits(t *testing.T) {
	top := topology(t, 5, 1)
	if _, err := books.New(model(5, power.Spec{IdleW: 1e9}), top, nil); err == nil {
		t.Error("5 GW are taken")
	}
	if _, err := books.New(model(4, power.Spec{IdleW: 1}), top, nil); err == nil {
		t.Error("a model of other machines is taken")
	}
	b := open(t, model(5, power.Spec{CubicW: 1e8}), top, nil)
	b.Draw(0, []cluster.GPU{0}, 1, 3, 0)
	if b.Err() != nil {
		t.Error(b.Err())
	}
	b.Draw(1, []cluster.GPU{1}, 1, 3, 0)
	if b.Err() == nil || b.W() != 2.7e9 {
		t.Errorf("%v, %v W", b.Err(), b.W())
	}
	if b = open(t, model(5, power.Spec{CubicW: 1e8}), top, nil); b.Err() != nil {
		t.Error(b.Err())
	}
	if b.Draw(1, []cluster.GPU{0, 1}, 1, 3, 0); b.Err() == nil {
		t.Error("5.4 GW of one job are taken")
	}
}

// drive lets jobs start, pause, change and end, and machines sleep.
func drive(b *books.Book, r *rand.Rand, gpus []cluster.GPU, at, steps sim.Time) sim.Time {
	return (&driver{b: b}).drive(r, gpus, at, steps)
}

// driver holds what it hands to a book, so that it allocates nothing.
type driver struct {
	b *books.Book
	r sim.Record
	g sim.Gauge
}

func (d *driver) drive(r *rand.Rand, gpus []cluster.GPU, at, steps sim.Time) sim.Time {
	b := d.b
	for range steps {
		at += sim.Time(r.IntN(1e7))
		id := sim.JobID(r.IntN(8))
		switch r.IntN(5) {
		case 0:
			b.Draw(id, nil, 0, 1, at)
			d.r.Job = id
			b.Job(&d.r)
		case 1:
			b.Machine(int32(r.IntN(4)), power.State(r.IntN(4)), at)
		default:
			b.Draw(id, gpus, 0, 1, at)
			b.Draw(id, gpus, .7, float64(1+r.IntN(3))/3, at+sim.Time(r.IntN(2e7)))
		}
		d.g.Now = at
		b.Instant(&d.g)
	}
	return at
}

// A copy continues as its original does, into a book of its own.
func TestCopy(t *testing.T) {
	m, top := model(4, power.Spec{OffW: 1, BootW: 2, IdleW: 3, LinearW: 70}), topology(t, 4, 2)
	m.Price = &series.Series{Every: 9e6, Steps: []series.Step{{Value: 1}, {At: 4e6, Value: 3}}}
	b, c, gpus := open(t, m, top, nil), open(t, m, top, nil), []cluster.GPU{1, 2, 3}
	drive(c, rand.New(rand.NewPCG(9, 9)), gpus, 0, 300)
	for range 3 { // into what is there already
		at := drive(b, rand.New(rand.NewPCG(1, 1)), gpus, b.Now(), 200)
		c.CopyFrom(b)
		drive(b, rand.New(rand.NewPCG(2, 2)), gpus, at, 200)
		if c.Now() != at {
			t.Fatal("a book moved its copy")
		}
		drive(c, rand.New(rand.NewPCG(2, 2)), gpus, at, 200)
		for p := range books.Parts {
			if b.Of(p) != c.Of(p) {
				t.Errorf("part %d: %v, of the copy %v", p, b.Of(p), c.Of(p))
			}
		}
		if b.Total() != c.Total() || b.Cost() != c.Cost() || b.Boots() != c.Boots() {
			t.Errorf("%v %v, of the copy %v %v", b.Total(), b.Cost(), c.Total(), c.Cost())
		}
	}
}

// Once warm nothing is allocated.
func TestAllocations(t *testing.T) {
	b, gpus := open(t, model(4, power.Spec{IdleW: 3, LinearW: 70}), topology(t, 4, 2), nil), []cluster.GPU{1, 2, 3, 5}
	r := rand.New(rand.NewPCG(3, 3))
	d := &driver{b: b}
	at := d.drive(r, gpus, 0, 1000)
	if n := testing.AllocsPerRun(20, func() { at = d.drive(r, gpus, at, 100) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Watts doubled are joules doubled, and nothing else; so with other names of machines and jobs, and
// with an interval in pieces.
func TestScaledRenamedSplit(t *testing.T) {
	top, s := topology(t, 4, 2), power.Spec{OffW: 1.5, BootW: 2.25, IdleW: 3, GPUIdleW: .5, LinearW: 70}
	one := open(t, model(4, s), top, nil)
	s.OffW, s.BootW, s.IdleW, s.GPUIdleW, s.LinearW = 3, 4.5, 6, 1, 140
	two, named, cut := open(t, model(4, s), top, nil), open(t, model(4, s), top, nil), open(t, model(4, s), top, nil)
	for _, b := range []*books.Book{one, two} {
		b.Draw(0, []cluster.GPU{0, 1, 2}, .75, .5, 1e6)
		b.Machine(3, power.Off, 2e6)
		b.Draw(0, nil, 0, 1, 9e6)
		b.Advance(20e6)
	}
	named.Draw(7, []cluster.GPU{4, 6, 7}, .75, .5, 1e6)
	named.Machine(0, power.Off, 2e6)
	named.Draw(7, nil, 0, 1, 9e6)
	for at := sim.Time(1e6); at < 9e6; at += 123457 {
		cut.Draw(0, []cluster.GPU{0, 1, 2}, .75, .5, at)
		if cut.Advance(at); at < 2e6 {
			cut.Machine(3, power.Off, 2e6)
		}
	}
	cut.Draw(0, nil, 0, 1, 9e6)
	for _, b := range []*books.Book{named, cut} {
		if b.Advance(20e6); b.Total() != two.Total() || b.Of(books.Busy) != two.Of(books.Busy) || b.MaxW() != two.MaxW() {
			t.Errorf("%v, expected %v", b.Total(), two.Total())
		}
	}
	if one.Total().Plus(one.Total()) != two.Total() || one.Stops() != two.Stops() {
		t.Errorf("%v twice is not %v", one.Total(), two.Total())
	}
}

// A constant price is a factor, to the last bit.
func TestConstantPrice(t *testing.T) {
	m := model(4, power.Spec{IdleW: 31.7, LinearW: 70.1})
	m.Price, m.Carbon = series.Constant(.37), series.Constant(412)
	b := open(t, m, topology(t, 4, 2), nil)
	drive(b, rand.New(rand.NewPCG(5, 5)), []cluster.GPU{1, 6}, 0, 500)
	if got, want := b.Cost(), .37*b.Total().KWh(); got != want || b.CarbonKg() != 412*b.Total().KWh()/1000 {
		t.Errorf("%v, expected %v; %v kg", got, want, b.CarbonKg())
	}
}

func BenchmarkDraw(b *testing.B) {
	book := open(b, model(4, power.Spec{IdleW: 3, LinearW: 70}), topology(b, 4, 2), nil)
	d := &driver{b: book}
	r, gpus, at := rand.New(rand.NewPCG(3, 3)), []cluster.GPU{1, 2, 3, 5}, sim.Time(0)
	for b.Loop() {
		at = d.drive(r, gpus, at, 1)
	}
}
