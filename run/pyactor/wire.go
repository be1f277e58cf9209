package pyactor

import (
	"encoding/binary"
	"fmt"
	"math"

	"tarry/run/pychild"
)

// The kinds of frames beside the kinds of every protocol.
const (
	question = 'q' // float64, little-endian: the observation, then 1 or 0 for each entry of the mask
	answer   = 'a' // float64: the action
)

// ask writes a question as a frame.
func ask(buf []byte, obs []float64, mask []bool) []byte {
	buf = pychild.Frame(buf, question, 8*(len(obs)+len(mask)))
	for _, x := range obs {
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(x))
	}
	for _, legal := range mask {
		x := 0.0
		if legal {
			x = 1
		}
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(x))
	}
	return buf
}

// numbers reads an answer.
func numbers(dst []float64, body []byte) error {
	if len(body) != 8*len(dst) {
		return fmt.Errorf("an answer of %d bytes, expected %d numbers of 8", len(body), len(dst))
	}
	for i := range dst {
		dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(body[8*i:]))
	}
	return nil
}
