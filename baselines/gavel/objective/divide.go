package objective

// divide gives the time of a kind to few of its pairs, such that every job of a group has the same:
// rounds then change few partners, and a pair has a fraction that counts. Two groups are walked
// side by side, in the order of their jobs; the jobs of one group are partners by twos, and the
// last three of an odd number each of each.
func (a *Packed) divide(k *kind, time float64, give func(pair int32, time float64)) {
	if len(k.pairs) == 1 {
		give(k.pairs[0], time)
		return
	}
	number := make(map[[2]int32]int32, len(k.pairs))
	for _, p := range k.pairs {
		number[[2]int32{a.ends[p].A, a.ends[p].B}] = p
	}
	between := func(m, n int32, v float64) { give(number[[2]int32{min(m, n), max(m, n)}], v) }
	first := a.members(k.a)
	if k.a == k.b {
		n := len(first)
		for i := 0; i+1 < n-n%2*3; i += 2 {
			between(first[i], first[i+1], 2*time/float64(n))
		}
		if n%2 == 1 {
			u, v, w := first[n-3], first[n-2], first[n-1]
			between(u, v, time/float64(n))
			between(v, w, time/float64(n))
			between(u, w, time/float64(n))
		}
		return
	}
	// Whole numbers, so that nothing is left by rounding: a job of one group has as many parts as
	// the other has jobs.
	second := a.members(k.b)
	rows, columns := len(first), len(second)
	for i, j, left, right := 0, 0, columns, rows; i < rows && j < columns; {
		n := min(left, right)
		between(first[i], second[j], time*float64(n)/float64(rows*columns))
		if left -= n; left == 0 {
			i, left = i+1, columns
		}
		if right -= n; right == 0 {
			j, right = j+1, rows
		}
	}
}

// members lists the jobs of a group.
func (a *Packed) members(group int32) (jobs []int32) {
	for i, m := range a.crew.jobs {
		if a.crew.group[i] == group {
			jobs = append(jobs, m)
		}
	}
	return jobs
}
