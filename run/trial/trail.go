package trial

import (
	"math"

	"tarry/output/results"
	"tarry/sim"
	"tarry/sim/power"
	"tarry/sim/power/books"
	"tarry/sim/series"
)

// trail is what the cluster of a run drew over time, for the table power: a stretch for each multiple
// of a step at which something happened, so that memory is bounded whatever the length.
type trail struct {
	book  *books.Book
	model *power.Model
	step  sim.Time
	taken []stretch
}

// stretch is a part of a run that ends where the next one begins.
type stretch struct {
	from sim.Time
	sum  [4]books.Energy // off, boot, idle and busy, up to its beginning
	max  float64         // the most that was drawn within it
}

func newTrail(b *books.Book, m *power.Model) *trail {
	return &trail{book: b, model: m, step: firstStep, taken: []stretch{{}}}
}

// instant begins another stretch where one is due.
func (p *trail) instant(now sim.Time) {
	n := len(p.taken)
	if now/p.step == p.taken[n-1].from/p.step {
		return
	}
	p.book.Advance(now)
	p.taken[n-1].max = p.book.TakeMaxW()
	p.taken = append(p.taken, stretch{from: now, sum: p.sums()})
	if n+1 > maxSamples {
		p.thin()
	}
}

// thin doubles the step and joins the stretches of each.
func (p *trail) thin() {
	p.step *= 2
	n := 0
	for _, s := range p.taken {
		if n > 0 && s.from/p.step == p.taken[n-1].from/p.step {
			p.taken[n-1].max = max(p.taken[n-1].max, s.max)
			continue
		}
		p.taken[n] = s
		n++
	}
	p.taken = p.taken[:n]
}

func (p *trail) sums() [4]books.Energy {
	b := p.book
	return [4]books.Energy{b.Of(books.Off), b.Of(books.Boot), b.Of(books.Idle).Plus(b.Of(books.GPUIdle)),
		b.Of(books.Busy)}
}

// rows gives the rows of the table, the last one at the end of the run.
func (p *trail) rows(keys results.Keys) []results.PowerSample {
	end := stretch{from: p.book.Now(), sum: p.sums()}
	p.taken[len(p.taken)-1].max = max(p.taken[len(p.taken)-1].max, p.book.TakeMaxW())
	all := append(p.taken, end)
	rows := make([]results.PowerSample, 0, len(all))
	for i, s := range all {
		next := all[min(i+1, len(all)-1)]
		if next.from == s.from && i+1 < len(all) {
			continue // the run ends where its last stretch begins
		}
		mean := func(k int) float64 { return next.sum[k].Minus(s.sum[k]).MeanW(next.from - s.from) }
		if i+1 == len(all) {
			mean = func(k int) float64 { return 0 }
		}
		rows = append(rows, results.PowerSample{Keys: keys, Time: s.from.Seconds(), Off: mean(0), Boot: mean(1),
			Idle: mean(2), Busy: mean(3), Max: s.max, Price: at(p.model.Price, s.from), Carbon: at(p.model.Carbon, s.from),
			Cap: at(p.model.Cap, s.from)})
	}
	return rows
}

// at is a series at an instant; NaN where it is not stated.
func at(s *series.Series, t sim.Time) float64 {
	if s == nil {
		return math.NaN()
	}
	return s.At(int64(t))
}
