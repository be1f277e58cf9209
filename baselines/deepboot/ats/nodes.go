package ats

// Node chooses where a job gets its next GPUs: of the nodes with so many free GPUs the one with fewest, else
// the one with most; the first of equals, -1 where no GPU is free.
func Node(free []int, need int) int {
	fits, most := -1, -1
	for n, f := range free {
		if f >= need && f > 0 && (fits < 0 || f < free[fits]) {
			fits = n
		}
		if f > 0 && (most < 0 || f > free[most]) {
			most = n
		}
	}
	if fits >= 0 {
		return fits
	}
	return most
}

// Loser chooses the training GPU that a service takes: the job and node without one of whose GPUs there the
// speedups of all jobs have the largest sum; the first of equals by job, then node; -1 where no job has a GPU.
// held has the GPUs of each job by node, speedup the speedup of a job on GPUs of several nodes; it is asked
// for 0 GPUs too.
func Loser(held [][]int, speedup func(job, nodes, gpus int) float64) (job, node int) {
	job, node = -1, -1
	best := 0.0
	now := make([]float64, len(held))
	for j, row := range held {
		now[j] = speedup(j, used(row), total(row))
	}
	for j, row := range held {
		nodes, gpus := used(row), total(row)
		for n, has := range row {
			if has == 0 {
				continue
			}
			left := nodes
			if has == 1 {
				left--
			}
			sum := 0.0
			for i := range held {
				if i == j {
					sum += speedup(j, left, gpus-1)
				} else {
					sum += now[i]
				}
			}
			if job < 0 || sum > best {
				job, node, best = j, n, sum
			}
		}
	}
	return job, node
}

// used counts the nodes on which a job has GPUs, total its GPUs.
func used(row []int) (n int) {
	for _, g := range row {
		if g > 0 {
			n++
		}
	}
	return n
}

func total(row []int) (n int) {
	for _, g := range row {
		n += g
	}
	return n
}
