package objective

// FIFO is Gavel's fifo_perf: from scratch at every call, in order of arrival, each job takes the
// fastest of the types that have room for all its GPUs (equal speeds: the lowest column), all of
// the time. The first job for which no type has room ends it; a job whose best type has rate 0 is
// left out. The objective is the sum of the throughputs.
type FIFO struct{ free []int }

// Clone implements Allocator.
func (*FIFO) Clone() Allocator { return &FIFO{} }

// Allocate implements Allocator.
func (f *FIFO) Allocate(in *Input, x *Matrix) (float64, error) {
	types := in.Types()
	x.Reset(in.Rows(), types)
	f.free = append(f.free[:0], in.Workers...)
	sum := 0.0
	for m, s := range in.Scale {
		best := -1
		rates := in.Throughput[m*types : (m+1)*types]
		for j, n := range f.free {
			if n >= s && (best < 0 || rates[j] > rates[best]) {
				best = j
			}
		}
		if best < 0 {
			break
		}
		if rates[best] > 0 {
			f.free[best] -= s
			x.Row(m)[best] = 1
			sum += rates[best]
		}
	}
	return sum, nil
}
