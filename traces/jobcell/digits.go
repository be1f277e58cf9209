package jobcell

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// Unsigned makes a cell of a whole number, as text where it is too large for an Int.
func Unsigned(n uint64) Value {
	if n > math.MaxInt64 {
		return Value{Kind: Text, Text: strconv.FormatUint(n, 10)}
	}
	return Value{Kind: Whole, Int: int64(n)}
}

// Decimal makes a cell of a number with so many digits behind the point, as the text of CSV.
func Decimal(n *big.Int, scale int) Value {
	s := fmt.Sprintf("%0*s", scale+1, new(big.Int).Abs(n).String())
	if scale > 0 {
		s = s[:len(s)-scale] + "." + s[len(s)-scale:]
	}
	if n.Sign() < 0 {
		s = "-" + s
	}
	return Value{Kind: Text, Text: s}
}

// maxDecimal is the most bytes of a decimal: for 76 digits.
const maxDecimal = 32

// Twos reads a number in two's complement, the largest byte first; a longer one than decimals have
// is cut, and refused as too large.
func Twos(b []byte) *big.Int {
	n := new(big.Int).SetBytes(b[:min(len(b), maxDecimal)])
	if len(b) > 0 && b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n
}
