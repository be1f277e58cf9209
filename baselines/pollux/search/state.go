package search

// one is a member of a population.
type one struct {
	rows             []uint64
	info             []info
	fitness, utility float64
	crowding         float64
	hash             uint64
}

// fresh makes a member without GPUs.
func (b *board) fresh() *one {
	o := &one{}
	b.shape(o)
	o.empty()
	return o
}

// shape gives a member the size of the problem; what is in it is of an earlier one.
func (b *board) shape(o *one) {
	o.rows, o.info = resize(o.rows, len(b.jobs)*b.w), resize(o.info, len(b.jobs))
}

// empty takes all GPUs away.
func (o *one) empty() {
	clear(o.rows)
	for i := range o.info {
		o.info[i].stale = true
	}
}

// read copies a matrix.
func (o *one) read(b *board, state [][]uint8) {
	o.empty()
	for i, row := range state {
		for n, g := range row {
			setCell(o.rows[i*b.w:(i+1)*b.w], n, int(g))
		}
	}
}

// write copies a row out.
func (o *one) write(b *board, i int, row []uint8) {
	for n := range row {
		row[n] = uint8(cell(o.rows[i*b.w:(i+1)*b.w], n))
	}
}
