package digest

import "math"

// Best adds two series: name has, on each unit, the least number of those series that keep names,
// which is what the best choice for each unit by itself would reach if it were known beforehand;
// placebo has what the same choice reaches where it is made on the other half of the units, odd
// places for even ones, and reads nothing of the unit. Those series themselves are left out.
func (t *Table) Best(name, placebo string, keep func(series string) bool) {
	var from []int
	for i, s := range t.Series {
		if keep(s) {
			from = append(from, i)
		}
	}
	best, other := index(&t.Series, name), index(&t.Series, placebo)
	for x := range t.X {
		var rows []map[string]float64
		var units []string
		for _, i := range from {
			c := t.cells[place{x, i}]
			if c == nil {
				continue
			}
			row := map[string]float64{}
			for u, v := range c.grid(c.seeds, c.units)[0] {
				index(&units, c.units[u])
				row[c.units[u]] = v
			}
			rows = append(rows, row)
			delete(t.cells, place{x, i})
		}
		if len(units) == 0 {
			continue
		}
		t.cells[place{x, best}] = chosen(rows, units, func(u int) []string { return units[u : u+1] })
		t.cells[place{x, other}] = chosen(rows, units, func(u int) []string {
			var out []string
			for k := (u + 1) % 2; k < len(units); k += 2 {
				out = append(out, units[k])
			}
			return out
		})
	}
}

// chosen has, for each unit, the number of the row whose sum over some units is the least; of none,
// the first row's.
func chosen(rows []map[string]float64, units []string, by func(unit int) []string) *cell {
	out := &cell{seeds: []string{""}, units: units, at: map[[2]string]float64{}}
	for u, unit := range units {
		least := math.Inf(1)
		for _, row := range rows {
			sum := 0.0
			for _, other := range by(u) {
				v, ok := row[other]
				if !ok {
					v = math.Inf(1)
				}
				sum += v
			}
			v, ok := row[unit]
			if _, there := out.at[[2]string{"", unit}]; ok && (sum < least || !there) {
				least, out.at[[2]string{"", unit}] = sum, v
			}
		}
	}
	return out
}
