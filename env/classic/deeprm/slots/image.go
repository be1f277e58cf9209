package slots

// mostIdle bounds the steps since the last arrival that are shown.
const mostIdle = 10

// Width is how many columns the image has: for each resource the units of the machine and of every
// slot, the backlog, and one for the steps since the last arrival.
func (c *Config) Width() int { return Resources*c.Units*(1+c.Slots) + c.backlogWidth() + 1 }

// backlogWidth is how many jobs of the backlog stand in a row of the image.
func (c *Config) backlogWidth() int { return (c.Backlog + c.Horizon - 1) / c.Horizon }

// Image draws rows of Width cells, one for each step of the horizon: 1 for a unit in use, 0 for one
// that is free. The original gives every running job a colour of its own, drawn at random; the
// units of a step are used from the left.
func (m *Machine) Image(cells []float64) {
	width := m.Width()
	clear(cells)
	for t := range m.Horizon {
		row, at := cells[t*width:(t+1)*width], 0
		for r := range Resources {
			fill(row[at : at+m.Units-m.Free[t][r]])
			at += m.Units
			for _, job := range m.Visible {
				if job != Nowhere && t < m.Jobs[job].Length {
					fill(row[at : at+m.Jobs[job].Need[r]])
				}
				at += m.Units
			}
		}
		wide := m.backlogWidth()
		fill(row[at : at+min(wide, max(0, min(m.Backlogged(), m.Backlog)-t*wide))])
		row[at+wide] = float64(m.Idle) / mostIdle
	}
}

func fill(cells []float64) {
	for i := range cells {
		cells[i] = 1
	}
}
