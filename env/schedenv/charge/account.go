package charge

import (
	"cmp"
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/power/books"
	"tarry/sim/series"
)

// Account is what the energy of a run costs an agent, by a book that observes the run. A nil Account
// is of a run without watts.
type Account struct {
	book  *books.Book
	law   Law
	lease float64 // microseconds
	lnG   float64
	most  float64 // the most that the cluster draws, W
	mean  float64 // of the series by which energy is priced

	from  sim.Time // beginning of the step
	begun Spent    // so far, at the beginning of the step
	at    sim.Time // up to which is charged
	seen  Spent    // so far, then
	step  float64  // charge of the step
}

// Spent is energy and what it costs.
type Spent struct{ KWh, Cost, CarbonKg, OverKWh, Charge float64 }

// Add adds up what steps spent.
func (s *Spent) Add(o *Spent) {
	s.KWh += o.KWh
	s.Cost += o.Cost
	s.CarbonKg += o.CarbonKg
	s.OverKWh += o.OverKWh
	s.Charge += o.Charge
}

// Append appends what Metrics names.
func (s *Spent) Append(dst []float64) []float64 {
	return append(dst, s.KWh, s.Cost, s.CarbonKg, s.OverKWh)
}

func (s *Spent) minus(o *Spent) Spent {
	return Spent{s.KWh - o.KWh, s.Cost - o.Cost, s.CarbonKg - o.CarbonKg, s.OverKWh - o.OverKWh, 0}
}

const (
	micro = 1e6
	kWhJ  = 3.6e6
)

// Open opens the account of a run; nil where it states no watts. gamma discounts charges within a
// step, per lease.
func Open(m *power.Model, top *cluster.Topology, law Law, lease sim.Time, gamma float64) (*Account, error) {
	if m == nil {
		return nil, nil
	}
	book, err := books.New(m, top, nil)
	if err != nil {
		return nil, err
	}
	a := &Account{book: book, law: law, lease: float64(lease), mean: 1, most: MostW(m, top)}
	if gamma != 1 {
		a.lnG = math.Log(gamma)
	}
	if s := law.of(m); s != nil {
		a.mean = MeanOf(s)
	}
	return a, nil
}

// MostW is the most that the machines of a run draw while they are on.
func MostW(m *power.Model, top *cluster.Topology) (sum float64) {
	for i := range top.Machines() {
		lo, hi := top.MachineGPUs(i)
		sum += m.Spec(i).MaxW(int(hi - lo))
	}
	return sum
}

// MeanOf is the mean of the magnitude of a series over its repetition, or over its steps; 0 of none.
func MeanOf(s *series.Series) float64 {
	if s == nil {
		return 0
	}
	end := s.Every
	if end == 0 {
		end = s.Steps[len(s.Steps)-1].At
	}
	if end == 0 {
		return math.Abs(s.Steps[0].Value)
	}
	sum := 0.0
	for i, p := range s.Steps {
		until := end
		if i+1 < len(s.Steps) {
			until = s.Steps[i+1].At
		}
		sum += float64(math.Abs(p.Value) * float64(until-p.At))
	}
	return sum / float64(end)
}

// Observers lists the observers of the run that keep the account.
func (a *Account) Observers() []sim.Observer {
	if a == nil {
		return nil
	}
	return []sim.Observer{a.book}
}

// so is what was spent so far.
func (a *Account) so() Spent {
	return Spent{KWh: a.book.Total().KWh(), Cost: a.book.Cost(), CarbonKg: a.book.CarbonKg(),
		OverKWh: a.book.Beyond().KWh()}
}

// Settle charges up to an instant; with a discount it is called at each one. What was spent since the
// last counts as spent evenly.
func (a *Account) Settle(to sim.Time) {
	if a == nil {
		return
	}
	a.book.Advance(to)
	now := a.so()
	d := now.minus(&a.seen)
	a.step += float64(a.Due(&d) * a.discount(a.at, to))
	a.at, a.seen = to, now
}

// discount is the mean of gamma^t over a time, t in leases since the step's beginning.
func (a *Account) discount(from, to sim.Time) float64 {
	if a.lnG == 0 {
		return 1
	}
	x, y := float64(from-a.from)/a.lease, float64(to-a.from)/a.lease
	if x == y {
		return fixmath.Exp(float64(a.lnG * x))
	}
	return (fixmath.Exp(float64(a.lnG*y)) - fixmath.Exp(float64(a.lnG*x))) / float64(a.lnG*(y-x))
}

// FullKWh is the energy of a lease at the most that the cluster draws.
func (a *Account) FullKWh() float64 { return a.most * a.lease / micro / kWhJ }

// Due is the charge, without a discount, for what was spent.
func (a *Account) Due(s *Spent) float64 {
	priced := s.KWh
	switch a.law.Of {
	case "cost":
		priced = s.Cost / a.mean
	case "carbon":
		priced = s.CarbonKg * 1000 / a.mean
	}
	return (float64(a.law.Weight*priced) + float64(a.law.Over*s.OverKWh)) / a.FullKWh()
}

// Take gives what the step spent up to an instant, and begins the next one.
func (a *Account) Take(at sim.Time) Spent {
	if a == nil {
		return Spent{}
	}
	a.Settle(at)
	now := a.so()
	s := now.minus(&a.begun)
	s.Charge = a.step
	a.begun, a.seen, a.from, a.at, a.step = now, now, at, at, 0
	return s
}

// CopyFrom makes the account equal to another one of the same run, in its own memory.
func (a *Account) CopyFrom(o *Account) {
	if a == nil {
		return
	}
	book := cmp.Or(a.book, new(books.Book))
	*a = *o
	a.book = book
	book.CopyFrom(o.book)
}

// Copy gives an independent one.
func (a *Account) Copy() *Account {
	if a == nil {
		return nil
	}
	c := new(Account)
	c.CopyFrom(a)
	return c
}
