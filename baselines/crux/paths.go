package crux

// Congestion is the volume on each link, in seconds of transfer per iteration, of jobs that have a
// path.
type Congestion []float64

// Least is the index of the least congested of several paths, each given by its links: of which the
// fullest link carries least, the first of equals.
func (c Congestion) Least(paths [][]int32) int { return c.least(paths, 0) }

// least is Least of the paths that are not in a set.
func (c Congestion) least(paths [][]int32, beside uint64) int {
	best, least := -1, 0.0
	for i, links := range paths {
		if beside>>i&1 == 1 {
			continue
		}
		most := 0.0
		for _, l := range links {
			most = max(most, c[l])
		}
		if best < 0 || most < least {
			best, least = i, most
		}
	}
	return best
}

// Add counts the volume of a job on its links.
func (c Congestion) Add(links []int32, volume float64) {
	for _, l := range links {
		c[l] += volume
	}
}
