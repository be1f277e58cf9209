package pyactor

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// The kinds of frames: a byte, the length of what follows in four bytes, little-endian, and that.
const (
	greeting = 'h' // JSON, from either side
	question = 'q' // float64, little-endian: the observation, then 1 or 0 for each entry of the mask
	answer   = 'a' // float64: the action
	fault    = 'e' // text: what Python raised
)

// maxFrame bounds a frame: more is no frame.
const maxFrame = 1 << 24

const headBytes = 5

// frame gives a buffer for a frame with so many bytes, the head written.
func frame(buf []byte, kind byte, bytes int) []byte {
	buf = append(buf[:0], kind)
	return binary.LittleEndian.AppendUint32(buf, uint32(bytes))
}

// ask writes a question as a frame.
func ask(buf []byte, obs []float64, mask []bool) []byte {
	buf = frame(buf, question, 8*(len(obs)+len(mask)))
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

// receive reads a frame into buf, which it may replace.
func receive(r io.Reader, buf []byte) (kind byte, body []byte, err error) {
	var head [headBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, buf, err
	}
	n := binary.LittleEndian.Uint32(head[1:])
	if n > maxFrame {
		return 0, buf, fmt.Errorf("a frame of %d bytes, expected at most %d", n, maxFrame)
	}
	if int(n) > cap(buf) {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	_, err = io.ReadFull(r, buf)
	return head[0], buf, err
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
