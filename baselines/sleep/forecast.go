package sleep

import "math"

// model is a ridge regression of the targets on the inputs, kept up to date note by note; the
// normal equations are solved anew with each. Where nothing is learned the forecast is the last
// note.
type model struct {
	frame
	ridge  float64
	most   float64 // machines
	fits   bool    // forecast=fitted
	fitted bool    // there are weights
	n      float64 // pairs
	square [inputs][inputs]float64
	cross  [targets][inputs]float64
	weight [targets][inputs]float64
	x      [inputs]float64 // at the last note
	errors errors
}

func (m *model) start(c *config, machines int) {
	m.frame = newFrame(c.trend.Future, c.tick, machines)
	m.ridge, m.most, m.fits = c.ridge, float64(machines), c.forecast == "fitted"
	m.errors.ahead = make([]forecasts, c.trend.Future)
}

// reach is how many notes the model looks at.
func (m *model) reach() int { return m.week + 2*m.future + 2 }

// ready reports whether there are forecasts: after a day of pairs.
func (m *model) ready() bool { return m.fitted }

// learn takes in the latest note, and predicts from it. When the first pair comes that looks back a
// week, those before are forgotten; their weights serve for a day more.
func (m *model) learn(s *series) {
	i := s.n - 1
	if old := i - 2*m.future; m.fits && old >= 0 {
		var y [targets]float64
		m.look(s, old, &m.x)
		m.hit(s, old, &y)
		if old == m.week {
			m.forget()
		}
		if m.pair(&m.x, &y); m.n >= float64(m.day) {
			m.solve()
			m.fitted = true
		}
	}
	if m.fitted {
		m.look(s, i, &m.x)
	}
	m.score(s, i)
}

// forget begins the moments anew.
func (m *model) forget() {
	m.n, m.square, m.cross = 0, [inputs][inputs]float64{}, [targets][inputs]float64{}
}

// pair updates the moments.
func (m *model) pair(x *[inputs]float64, y *[targets]float64) {
	m.n++
	for a := range x {
		for b := 0; b <= a; b++ {
			m.square[a][b] += float64(x[a] * x[b])
		}
		for t := range y {
			m.cross[t][a] += float64(x[a] * y[t])
		}
	}
}

// solve gives the weights by Cholesky's method; an input without variance has none.
func (m *model) solve() {
	var l [inputs][inputs]float64
	for a := range inputs {
		for b := 0; b <= a; b++ {
			v := m.square[a][b]
			if a == b {
				v += m.ridge
			}
			for k := range b {
				v -= float64(l[a][k] * l[b][k])
			}
			switch {
			case a > b && l[b][b] > 0:
				l[a][b] = v / l[b][b]
			case a == b && v > 1e-12:
				l[a][a] = math.Sqrt(v)
			}
		}
	}
	for t := range targets {
		w := &m.weight[t]
		for a := range inputs {
			v := m.cross[t][a]
			for k := range a {
				v -= float64(l[a][k] * w[k])
			}
			w[a] = per(v, l[a][a])
		}
		for a := inputs - 1; a >= 0; a-- {
			v := w[a]
			for k := a + 1; k < inputs; k++ {
				v -= float64(l[k][a] * w[k])
			}
			w[a] = per(v, l[a][a])
		}
	}
}

func per(v, by float64) float64 {
	if by == 0 {
		return 0
	}
	return v / by
}

// value is the forecast of a target at the last note, now, in machines.
func (m *model) value(target int, now float64) float64 {
	v := 0.0
	for a := range m.x {
		v += float64(m.weight[target][a] * m.x[a])
	}
	return min(max(0, now+float64(v*m.most)), m.most)
}

// forecasts of one note.
type forecasts struct{ fitted, last, day float64 }

// errors are the errors of the note that lies future ahead: the symmetric absolute percentage error
// and the square, as the authors take them.
type errors struct {
	ahead       []forecasts // by note, in a ring
	n           float64
	sum, square forecasts
}

// score holds the note i against its forecasts, and makes the forecasts of the note at future from
// it. Nothing counts before the regression may predict.
func (m *model) score(s *series, i int) {
	from := m.day + 2*m.future // the first note from which is predicted
	e := &m.errors
	slot := &e.ahead[i%m.future]
	if got := s.at(i); i >= from+m.future {
		e.n++
		apart(&e.sum.fitted, &e.square.fitted, slot.fitted, got)
		apart(&e.sum.last, &e.square.last, slot.last, got)
		apart(&e.sum.day, &e.square.day, slot.day, got)
	}
	if i >= from {
		now := s.at(i)
		*slot = forecasts{last: now, day: s.at(i + m.future - m.day)}
		if m.ready() {
			slot.fitted = m.value(point, now)
		}
	}
}

// apart adds the errors of a forecast: symmetric and relative, in percent, of which two zeros have
// none, and squared.
func apart(sum, square *float64, a, b float64) {
	if d := math.Abs(a - b); d > 0 {
		*sum += 200 * d / (math.Abs(a) + math.Abs(b))
		*square += float64(d * d)
	}
}
