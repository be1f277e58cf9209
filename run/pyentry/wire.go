package pyentry

import (
	"encoding/binary"
	"fmt"

	"tarry/run/pychild"
)

// The kinds of frames beside the kinds of every protocol. Numbers are words of 64 bits, little-endian.
const (
	refused   = 'r' // text: what the user named is wrong
	decide    = 'd' // session, words of its buffer, the header: decide; answered by operations and done
	operation = 'o' // number, the words of the request from word 1 on
	answer    = 'a' // the words of its answer
	done      = 'z' // the decision is made, or what was asked for is
	clone     = 'c' // session, session of the copy; answered by done
	drop      = 'x' // session: nothing is asked of it any more
	where     = 'l' // session, decision; answered by the line as text, of kind where
)

// words writes a frame of words.
func words(buf []byte, kind byte, all ...[]int64) []byte {
	n := 0
	for _, w := range all {
		n += len(w)
	}
	buf = pychild.Frame(buf, kind, 8*n)
	for _, w := range all {
		for _, x := range w {
			buf = binary.LittleEndian.AppendUint64(buf, uint64(x))
		}
	}
	return buf
}

// request reads an operation into the words of a session, from word 1 on.
func request(w []int64, body []byte) (op int, err error) {
	n := len(body)/8 - 1
	if len(body)%8 != 0 || n < 0 || n >= len(w) {
		return 0, fmt.Errorf("a request of %d bytes, expected whole words, at most %d", len(body), len(w))
	}
	for i := range n {
		w[1+i] = int64(binary.LittleEndian.Uint64(body[8+8*i:]))
	}
	return int(binary.LittleEndian.Uint64(body)), nil
}
