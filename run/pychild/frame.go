package pychild

import (
	"encoding/binary"
	"fmt"
	"io"
)

// The kinds of frames that each protocol has: a frame is a byte, the length of what follows in four
// bytes, little-endian, and that.
const (
	Greeting = 'h' // JSON, from either side
	Fault    = 'e' // text: what Python raised
)

// maxFrame bounds a frame: more is no frame.
const maxFrame = 1 << 28

const headBytes = 5

// Frame gives a buffer for a frame with so many bytes, the head written.
func Frame(buf []byte, kind byte, bytes int) []byte {
	buf = append(buf[:0], kind)
	return binary.LittleEndian.AppendUint32(buf, uint32(bytes))
}

// ReadFrame reads a frame into buf, which it may replace.
func ReadFrame(r io.Reader, buf []byte) (kind byte, body []byte, err error) {
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
