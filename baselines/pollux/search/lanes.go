package search

// A word holds eight cells of a row, a byte each, 0..most.
const (
	lanes = 8
	// most is the largest number of GPUs of a cell: the eighth bit is free for carries.
	most = 127

	ones  = 0x0101010101010101
	high  = 0x8080808080808080
	below = 0x7f7f7f7f7f7f7f7f
	evens = 0x00ff00ff00ff00ff
	sums  = 0x0001000100010001
	tops  = 0x8000800080008000
)

// some has the high bit of each cell that is not 0.
func some(w uint64) uint64 { return (w + below) & high }

// spread turns high bits into full bytes.
func spread(m uint64) uint64 { return m >> 7 * 0xff }

// total is the sum of the cells.
func total(w uint64) int { return int((w&evens + w>>8&evens) * sums >> 48) }

// reaches has the high bit of each cell where a >= b.
func reaches(a, b uint64) uint64 { return ((a | high) - b) & high }

// lesser is the smaller of each two cells.
func lesser(a, b uint64) uint64 {
	m := spread(reaches(b, a))
	return a&m | b&^m
}

// words is how many words hold n cells.
func words(n int) int { return (n + lanes - 1) / lanes }

// cell reads a cell of a row.
func cell(row []uint64, n int) int { return int(row[n/lanes] >> (n % lanes * 8) & 0xff) }

// setCell writes a cell of a row.
func setCell(row []uint64, n, v int) {
	shift := n % lanes * 8
	row[n/lanes] = row[n/lanes]&^(0xff<<shift) | uint64(v)<<shift
}

// mix makes a number of a word that no other word is likely to give: the finaliser of splitmix64.
func mix(w uint64) uint64 {
	w = (w ^ w>>30) * 0xbf58476d1ce4e5b9
	w = (w ^ w>>27) * 0x94d049bb133111eb
	return w ^ w>>31
}
