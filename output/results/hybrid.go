//go:build !js

package results

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// idBits is the width in which numbers of a dictionary of so many entries are written.
func idBits(entries int) int { return max(1, bits.Len(uint(entries-1))) }

// shortestRun is the number of equal values from which on a run is shorter than eight packed values
// at a time.
const shortestRun = 16

// appendHybrid appends ids of the given width in the hybrid of runs and packed groups of Parquet's
// encoding RLE: a run is a varint of twice its length and the value in whole bytes; packed groups
// of eight are a varint of twice their number plus 1 and the bits, lowest first. What fills the
// last group up is 0.
func appendHybrid(dst []byte, ids []uint16, width int) []byte {
	for len(ids) > 0 {
		if n := runOf(ids); n >= shortestRun || n == len(ids) {
			dst = binary.AppendUvarint(dst, uint64(n)<<1)
			for at := 0; at < width; at += 8 {
				dst = append(dst, byte(ids[0]>>at))
			}
			ids = ids[n:]
			continue
		}
		n := min(len(ids), 8)
		for n < len(ids) && runOf(ids[n:min(len(ids), n+shortestRun)]) < shortestRun {
			n = min(len(ids), n+8)
		}
		dst = binary.AppendUvarint(dst, uint64(n+7)/8<<1|1)
		dst = appendPacked(dst, ids[:n], width)
		ids = ids[n:]
	}
	return dst
}

// runOf counts the values at the beginning that are the same.
func runOf(ids []uint16) int {
	for i, id := range ids {
		if id != ids[0] {
			return i
		}
	}
	return len(ids)
}

// appendPacked appends ids bit by bit, in groups of eight.
func appendPacked(dst []byte, ids []uint16, width int) []byte {
	want := len(dst) + (len(ids)+7)/8*width
	held, word := 0, uint64(0)
	for _, id := range ids {
		word |= uint64(id) << held
		if held += width; held >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(word))
			word >>= 32
			held -= 32
		}
	}
	for ; held > 0; held -= 8 {
		dst = append(dst, byte(word))
		word >>= 8
	}
	for len(dst) < want {
		dst = append(dst, 0)
	}
	return dst
}

// appendSame appends one number n times.
func appendSame(ids []uint16, id uint16, n int) []uint16 {
	ids = roomFor(ids, n, groupRows)
	to := ids[len(ids) : len(ids)+n]
	for i := range to {
		to[i] = id
	}
	return ids[:len(ids)+n]
}

// roomFor makes room for n more values: a column that is not short gets room for all of a row group,
// which would else be copied at each of a dozen growths.
func roomFor[E any](s []E, n, all int) []E {
	const short = 8 // times as long is a row group
	if free := cap(s) - len(s); free >= n {
		return s
	}
	if len(s)+n > all/short && len(s)+n <= all {
		return slices.Grow(s, all-len(s))
	}
	return slices.Grow(s, n)
}
