package stats

// Windows of a mixture of n regimes take turns: window i is of regime i mod n.

// Over divides each row by the same numbers.
func (g Grid) Over(by []float64) Grid {
	out := make(Grid, len(g))
	for s, row := range g {
		for i, v := range row {
			out[s] = append(out[s], v/by[i])
		}
	}
	return out
}

// Every keeps the windows of regime k of n.
func (g Grid) Every(n, k int) Grid {
	out := make(Grid, len(g))
	for s, row := range g {
		for i := k; i < len(row); i += n {
			out[s] = append(out[s], row[i])
		}
	}
	return out
}

// Rounds takes the mean of each n windows in a row, one of each regime: numbers of a mixture in
// which regimes weigh alike however windows are drawn again. Windows that do not fill a round are
// left out.
func (g Grid) Rounds(n int) Grid {
	out := make(Grid, len(g))
	for s, row := range g {
		for i := 0; i+n <= len(row); i += n {
			out[s] = append(out[s], Mean(row[i:i+n]))
		}
	}
	return out
}

// Ones is a grid of one row of n ones.
func Ones(n int) Grid {
	row := make([]float64, n)
	for i := range row {
		row[i] = 1
	}
	return Grid{row}
}
