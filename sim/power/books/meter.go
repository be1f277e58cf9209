package books

import (
	"tarry/sim"
	"tarry/sim/power"
)

// meter counts energy at a rate per kWh that changes.
type meter struct {
	rate  float64 // in force
	from  Energy  // of the cluster when it began
	sum   float64 // up to then
	carry float64 // what sum lacks by its rounding
}

// read is the count at a total of the cluster.
func (m *meter) read(total Energy) float64 {
	return m.sum + (m.carry + float64(m.rate*total.Minus(m.from).KWh()))
}

// turn lets another rate begin.
func (m *meter) turn(total Energy, rate float64) {
	add := float64(m.rate*total.Minus(m.from).KWh()) + m.carry
	sum := m.sum + add
	// the rounding error of that sum, exactly (two-sum)
	part := sum - m.sum
	m.carry = (m.sum - (sum - part)) + (add - part)
	m.sum, m.from, m.rate = sum, total, rate
}

// meters are what changes with the series of a model.
type meters struct {
	price, carbon meter
	capNW         int64    // in force
	shift         sim.Time // when a series changes next
	over          sim.Time // time with more than the cap
	overE         Energy   // energy beyond the cap
}

// turn takes the values of the series at an instant.
func (m *meters) turn(of *power.Model, now sim.Time, total Energy) {
	m.shift = sim.Never
	for s := range of.Series {
		m.shift = min(m.shift, sim.Time(s.Next(int64(now))))
		switch v := s.At(int64(now)); s {
		case of.Price:
			m.price.turn(total, v)
		case of.Carbon:
			m.carbon.turn(total, v)
		case of.Cap:
			m.capNW = nanowatts(max(0, v))
		}
	}
}
