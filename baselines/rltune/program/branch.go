package program

// branch searches the places of the jobs from the i-th of the order on; sum is the value of the jobs
// before it.
func (p *Program) branch(i int, sum float64) {
	if p.left--; p.left < 0 || p.reached() {
		return
	}
	if sum > p.sum {
		p.keep()
	}
	if i == len(p.order) || sum+p.linear(i) <= p.sum+near(p.sum) {
		return
	}
	j := p.order[i]
	from := p.byValue(j)
	for at, end := from, len(p.kinds); at < end; at++ {
		p.branchOn(i, j, p.kinds[at], sum)
	}
	p.kinds = p.kinds[:from]
	p.branch(i+1, sum) // the job waits
}

// branchOn searches below each place of a job on a type that differs from the others.
func (p *Program) branchOn(i, j, on int, sum float64) {
	whole, rest := p.split(j, on)
	sum += p.Value(j, on)
	if whole > 0 && !p.takeWhole(j, on, whole) {
		return
	}
	if rest == 0 {
		p.branch(i+1, sum)
		p.leave(j)
		return
	}
	from := p.candidates(j, on, rest)
	for at, end := from, len(p.try); at < end; at++ {
		p.add(j, Part{p.try[at], rest})
		p.branch(i+1, sum)
		p.drop(j)
	}
	p.try = p.try[:from]
	p.leave(j)
}
