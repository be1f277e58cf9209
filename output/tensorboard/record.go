package tensorboard

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// masked is the checksum of a record: CRC-32C, rotated and shifted by a constant so that a checksum
// of data which hold checksums stays a good one.
func masked(data []byte) uint32 {
	c := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
	return (c>>15 | c<<17) + 0xa282ead8
}

// appendRecord frames data.
func appendRecord(out, data []byte) []byte {
	start := len(out)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(data)))
	out = binary.LittleEndian.AppendUint32(out, masked(out[start:]))
	out = append(out, data...)
	return binary.LittleEndian.AppendUint32(out, masked(data))
}

// maxRecord bounds a record that is read; ours have some dozens of bytes.
const maxRecord = 1 << 20

// readRecord reads one record; io.EOF at the end of the file and nowhere else.
func readRecord(r io.Reader) ([]byte, error) {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the file ends inside a record's head")
		}
		return nil, err
	}
	if got, want := binary.LittleEndian.Uint32(head[8:]), masked(head[:8]); got != want {
		return nil, fmt.Errorf("checksum of the length is %08x, expected %08x", got, want)
	}
	n := binary.LittleEndian.Uint64(head[:8])
	if n > maxRecord {
		return nil, fmt.Errorf("record of %d bytes, expected at most %d", n, maxRecord)
	}
	data := make([]byte, n+4)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, errors.New("the file ends inside a record")
	}
	data, tail := data[:n], data[n:]
	if got, want := binary.LittleEndian.Uint32(tail), masked(data); got != want {
		return nil, fmt.Errorf("checksum of the data is %08x, expected %08x", got, want)
	}
	return data, nil
}
