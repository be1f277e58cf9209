package assign

// Batch assigns jobs to machines and to places in their order such that the sum of completion times
// is least: a job at the k-th place from the end of a machine delays itself and the k - 1 jobs
// behind it, so it costs when the machine is available plus k times its run time there (W. Horn,
// "Minimizing Average Flow Time with Parallel Machines", Operations Research 21, 1973; J. Bruno, E.
// Coffman and R. Sethi, "Scheduling Independent Tasks to Reduce Mean Finishing Time", CACM 17,
// 1974). Machines of one class run a job equally long. The zero value is ready for Begin.
//
// Of each machine the solver sees the places that are taken and one more. That loses nothing: a
// later place costs more for every job.
type Batch struct {
	solver  Solver
	classes int
	times   []float64 // of each job in each class
	avail   []float64 // of each machine
	class   []int
	columns []spot
	length  []int       // places shown of each machine
	rows    [][]float64 // costs of each job in the first columns
}

// spot is a place of a machine: 1 = the last. avail and class are the machine's.
type spot struct {
	avail, place   float64
	class, machine int
}

// Begin starts a batch without jobs: when each machine is available, and its class, 0..classes-1.
// The slices are kept until the next Begin.
func (b *Batch) Begin(avail []float64, class []int, classes int) {
	b.avail, b.class, b.classes = avail, class, classes
	b.times, b.columns, b.length = b.times[:0], b.columns[:0], b.length[:0]
	for i := range b.rows {
		b.rows[i] = b.rows[i][:0]
	}
	for i := range avail {
		b.length = append(b.length, 0)
		b.show(i)
	}
	b.solver.Begin(b, len(avail))
}

// Add adds a job that runs for some time in each class, above 0; +Inf = not there. False = it can
// run on no machine, and is left out: it gets no number.
func (b *Batch) Add(times []float64) bool {
	b.times = append(b.times, times[:b.classes]...)
	c, err := b.solver.Add()
	if err != nil {
		b.times = b.times[:len(b.times)-b.classes]
		b.rows[len(b.times)/b.classes] = b.rows[len(b.times)/b.classes][:0]
		return false
	}
	b.show(b.columns[c].machine)
	b.solver.Grow(1)
	return true
}

// show adds the next place of a machine to the columns.
func (b *Batch) show(machine int) {
	b.length[machine]++
	b.columns = append(b.columns, spot{b.avail[machine], float64(b.length[machine]), b.class[machine], machine})
}

// Row gives the costs of a job, for the solver.
func (b *Batch) Row(job int, out []float64) { copy(out, b.Kept(job, len(out))) }

// Kept gives the costs of a job, for the solver.
func (b *Batch) Kept(job, n int) []float64 {
	for job >= len(b.rows) {
		b.rows = append(b.rows, nil)
	}
	row := b.rows[job]
	if len(row) < n {
		times := b.times[job*b.classes : (job+1)*b.classes]
		for _, s := range b.columns[len(row):n] {
			row = append(row, s.avail+float64(s.place*times[s.class]))
		}
		b.rows[job] = row
	}
	return row[:n]
}

// Jobs is the number of jobs, numbered in the order in which they were added.
func (b *Batch) Jobs() int { return b.solver.Rows() }

// At is a job's machine, and its place from the end: 1 = the last.
func (b *Batch) At(job int) (machine, place int) {
	s := b.columns[b.solver.Column(job)]
	return s.machine, int(s.place)
}

// First writes the job that each machine runs first into dst, -1 = none.
func (b *Batch) First(dst []int) []int {
	dst = dst[:0]
	for range b.avail {
		dst = append(dst, -1)
	}
	for job := range b.Jobs() {
		m, k := b.At(job)
		if f := dst[m]; f < 0 || b.placeOf(f) < k {
			dst[m] = job
		}
	}
	return dst
}

func (b *Batch) placeOf(job int) int {
	_, k := b.At(job)
	return k
}

// Cost is the sum over jobs of when they end.
func (b *Batch) Cost() float64 {
	sum := 0.0
	for job := range b.Jobs() {
		m, k := b.At(job)
		sum += b.avail[m] + float64(float64(k)*b.times[job*b.classes+b.class[m]])
	}
	return sum
}
