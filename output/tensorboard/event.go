package tensorboard

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Scalar is one value of one curve.
type Scalar struct {
	// Tag names the curve, with "/" between a group and a name.
	Tag string
	// Step is its place on the x axis, >= 0.
	Step int64
	// Value is stored as a float32: that is what the format has.
	Value float64
	// Wall is when it was measured, in seconds since 1970 UTC; 0 = not known.
	Wall float64
}

// fileVersion is in the first event of every file.
const fileVersion = "brain.Event:2"

// Kinds of fields on the wire: an integer of variable length, eight bytes, bytes, four bytes.
const (
	wireVarint = 0
	wire64     = 1
	wireBytes  = 2
	wire32     = 5
)

func appendKey(b []byte, field, wire int) []byte {
	return binary.AppendUvarint(b, uint64(field<<3|wire))
}

func appendBytes(b []byte, field int, data []byte) []byte {
	b = binary.AppendUvarint(appendKey(b, field, wireBytes), uint64(len(data)))
	return append(b, data...)
}

func appendDouble(b []byte, field int, v float64) []byte {
	return binary.LittleEndian.AppendUint64(appendKey(b, field, wire64), math.Float64bits(v))
}

func appendInt(b []byte, field int, v uint64) []byte {
	return binary.AppendUvarint(appendKey(b, field, wireVarint), v)
}

// appendEvent encodes an Event: 1 wall_time (double), 2 step (int64), 3 file_version, 5 summary. A
// step of zero, no version and no summary are left out, as encoders do.
func appendEvent(b []byte, wall float64, step int64, version string, summary []byte) []byte {
	b = appendDouble(b, 1, wall)
	if step != 0 {
		b = appendInt(b, 2, uint64(step))
	}
	if version != "" {
		b = appendBytes(b, 3, []byte(version))
	}
	if len(summary) > 0 {
		b = appendBytes(b, 5, summary)
	}
	return b
}

// appendScalar encodes a value of a summary: 1 value = {1 tag, 2 simple_value (float)}.
func appendScalar(summary []byte, s Scalar) []byte {
	value := appendBytes(nil, 1, []byte(s.Tag))
	value = binary.LittleEndian.AppendUint32(appendKey(value, 2, wire32), math.Float32bits(float32(s.Value)))
	return appendBytes(summary, 1, value)
}

// Encode gives the bytes of an event file. Scalars with the same step that follow each other share
// an event, with the time of the first. Values that are not finite are left out. With a session the
// file also states with which settings the run was made.
func Encode(scalars []Scalar, s *Session) []byte {
	begin := 0.0
	if s != nil {
		begin = s.Start
	} else if len(scalars) > 0 {
		begin = scalars[0].Wall
	}
	out := appendRecord(nil, appendEvent(nil, begin, 0, fileVersion, nil))
	if s != nil {
		for _, summary := range s.start() {
			out = appendRecord(out, appendEvent(nil, begin, 0, "", summary))
		}
	}
	for i := 0; i < len(scalars); {
		first := scalars[i]
		var summary []byte
		for ; i < len(scalars) && scalars[i].Step == first.Step; i++ {
			if v := scalars[i].Value; !math.IsNaN(v) && !math.IsInf(v, 0) {
				summary = appendScalar(summary, scalars[i])
			}
		}
		if len(summary) > 0 {
			out = appendRecord(out, appendEvent(nil, first.Wall, first.Step, "", summary))
		}
	}
	if s != nil {
		out = appendRecord(out, appendEvent(nil, s.End, 0, "", s.end()))
	}
	return out
}

// Decode reads the scalars of an event file; other values, a session's among them, are
// passed over. It takes what Encode writes, passes over fields that it does not read and states in
// which record a fault is.
func Decode(r io.Reader) ([]Scalar, error) {
	var out []Scalar
	for n := 0; ; n++ {
		data, err := readRecord(r)
		if errors.Is(err, io.EOF) {
			if n == 0 {
				return nil, errors.New("tensorboard: the file is empty, expected an event with its version")
			}
			return out, nil
		}
		if err == nil {
			out, err = decodeEvent(out, data, n == 0)
		}
		if err != nil {
			return out, fmt.Errorf("tensorboard: record %d: %w", n, err)
		}
	}
}

// field is one field of a message: a number, or bytes.
type field struct {
	number int
	wire   int
	value  uint64
	data   []byte
}

// next cuts a field off a message.
func next(b []byte) (field, []byte, error) {
	key, n := binary.Uvarint(b)
	if n <= 0 || key>>3 == 0 || key>>3 > 1<<29 {
		return field{}, nil, errors.New("broken field")
	}
	f, b := field{number: int(key >> 3), wire: int(key & 7)}, b[n:]
	size := 0
	switch f.wire {
	case wireVarint:
		if f.value, size = binary.Uvarint(b); size <= 0 {
			return f, nil, fmt.Errorf("field %d is no whole number", f.number)
		}
	case wire64:
		if size = 8; len(b) >= size {
			f.value = binary.LittleEndian.Uint64(b)
		}
	case wire32:
		if size = 4; len(b) >= size {
			f.value = uint64(binary.LittleEndian.Uint32(b))
		}
	case wireBytes:
		long, n := binary.Uvarint(b)
		if n <= 0 || long > uint64(len(b)-n) {
			return f, nil, fmt.Errorf("field %d is cut", f.number)
		}
		f.data, size = b[n:n+int(long)], n+int(long)
	default:
		return f, nil, fmt.Errorf("field %d has the unknown kind %d", f.number, f.wire)
	}
	if size > len(b) {
		return f, nil, fmt.Errorf("field %d is cut", f.number)
	}
	return f, b[size:], nil
}

// fields visits the fields of a message.
func fields(b []byte, visit func(field) error) error {
	for len(b) > 0 {
		f, rest, err := next(b)
		if err == nil {
			err = visit(f)
		}
		if err != nil {
			return err
		}
		b = rest
	}
	return nil
}

func decodeEvent(out []Scalar, data []byte, first bool) ([]Scalar, error) {
	var step int64
	var wall float64
	var summary, version []byte
	err := fields(data, func(f field) error {
		switch {
		case f.number == 1 && f.wire == wire64:
			wall = math.Float64frombits(f.value)
		case f.number == 2 && f.wire == wireVarint:
			step = int64(f.value)
		case f.number == 3 && f.wire == wireBytes:
			version = f.data
		case f.number == 5 && f.wire == wireBytes:
			summary = f.data
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	if first && !bytes.Equal(version, []byte(fileVersion)) {
		return out, fmt.Errorf("file version is %q, expected %q", version, fileVersion)
	}
	return out, fields(summary, func(f field) error {
		if f.number != 1 || f.wire != wireBytes {
			return nil
		}
		s, scalar := Scalar{Step: step, Wall: wall}, false
		err := fields(f.data, func(f field) error {
			switch {
			case f.number == 1 && f.wire == wireBytes:
				s.Tag = string(f.data)
			case f.number == 2 && f.wire == wire32:
				s.Value, scalar = float64(math.Float32frombits(uint32(f.value))), true
			}
			return nil
		})
		if err == nil && scalar {
			out = append(out, s)
		}
		return err
	})
}
