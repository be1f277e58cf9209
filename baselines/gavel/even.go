package gavel

// An agnostic objective, which uses no speeds by type, has many optima: all of a job's time counts
// the same for it, and it leaves undecided who gets the time that its value does not depend on.
// This file chooses among them.

// spread divides each job's time over the types as evenly as their GPUs allow: the part p_j of a
// type is the same for all jobs, p_j = min(q, N_j / L) with a sum of 1, where L is the load, the
// sum of s_m x_m. To an agnostic objective all of a job's time counts the same: of its
// many optima this one prefers no type, as an interior-point solver's does. A job's part of a
// type on which it cannot run goes to its other types, but under rules that are Blind.
func (p *Book) spread() {
	load := 0.0
	for i := range p.jobs {
		for _, x := range p.x.Row(i) {
			load += float64(x * float64(p.in.Scale[i]))
		}
	}
	p.even(load)
	for i := range p.jobs {
		row, sum, able := p.x.Row(i), 0.0, 0.0
		for c, x := range row {
			if sum += x; p.in.Throughput[i*len(row)+c] > 0 {
				able += p.parts[c]
			}
		}
		for c, part := range p.parts {
			switch {
			case p.rules.Blind:
				row[c] = sum * part
			case p.in.Throughput[i*len(row)+c] > 0:
				row[c] = float64(sum*part) / able
			default:
				row[c] = 0
			}
		}
	}
}

// even sets parts to the most even division of a load over the types.
func (p *Book) even(load float64) {
	p.parts = append(p.parts[:0], make([]float64, len(p.in.Workers))...)
	left, open := 1.0, len(p.parts)
	for again := true; again && open > 0; {
		again = false
		q := left / float64(open)
		for c, n := range p.in.Workers {
			if most := float64(n) / load; p.parts[c] == 0 && most < q {
				p.parts[c], again = max(most, 1e-300), true
				left, open = left-most, open-1
				break
			}
		}
	}
	for c := range p.parts {
		if p.parts[c] == 0 {
			p.parts[c] = left / float64(open)
		}
	}
}
