package objective

// Isolated is a static partition: every job has an M-th part of every type, x_mj = N_j / (M s_m),
// and a row whose sum is above 1 is divided by it. The objective is the sum of the throughputs.
type Isolated struct{}

// Clone implements Allocator.
func (i Isolated) Clone() Allocator { return i }

// Allocate implements Allocator.
func (Isolated) Allocate(in *Input, x *Matrix) (float64, error) {
	types := in.Types()
	x.Reset(in.Rows(), types)
	total := 0.0
	for m := range in.Scale {
		row := x.Row(m)
		isolatedShare(in, m, row)
		for j, v := range row {
			total += float64(v * in.Throughput[m*types+j])
		}
	}
	return total, nil
}

// isolatedShare writes the fractions of one job under a static partition.
func isolatedShare(in *Input, m int, row []float64) {
	sum := 0.0
	for j, n := range in.Workers {
		row[j] = float64(n) / float64(in.Jobs()) / float64(in.Scale[m])
		sum += row[j]
	}
	if sum > 1 {
		for j := range row {
			row[j] /= sum
		}
	}
}
