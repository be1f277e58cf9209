package objective

// spare is the part of a type's GPUs, and of the capacity, that is taken for rounding when GPUs are
// left over.
const spare = 1e-9

// idle reports whether the last solve, with the given factor, left GPUs of some type.
func (l *level) idle(stretch float64) bool {
	if stretch < 1-spare {
		return true
	}
	for i, p := range l.solver.Price {
		if p*l.caps[i] < spare {
			return true
		}
	}
	return false
}

// fill hands out what the level leaves over: of all mixes in which every job has the rate that it
// needs at q, one of the largest sum of rates, each as a part of what the job needs. The ways of a
// job are then the vertices of {sum_j T_j x_j >= r, sum_j x_j <= 1} again, and the ways with all of
// the time on one type.
func (l *level) fill(q float64) error {
	l.problem.Reset(l.caps)
	l.ways = l.ways[:0]
	for i := range l.needs {
		r, _ := l.needs[i].rate(q)
		l.vertices(i, r, 1/r)
	}
	_, err := l.filler.Minimise(&l.problem)
	return err
}

// vertices adds the group of one job that needs the rate r, with the benefit of a unit of rate.
func (l *level) vertices(i int, r, benefit float64) {
	floor := r * reach
	row := l.row(i)
	for j, a := range row {
		if a < floor || a == 0 {
			continue
		}
		l.option(i, j, -1, 1, 0, -a*benefit)
		if r == 0 {
			continue
		}
		if x := r * l.inverse[i*len(row)+j]; x < 1-sliver {
			l.option(i, j, -1, x, 0, -r*benefit)
		}
		for k, b := range row {
			if b < floor && b > 0 {
				if x := (r - b) / (a - b); x < 1-sliver {
					l.option(i, j, k, x, 1-x, -r*benefit)
				}
			}
		}
	}
	l.problem.Close()
}
