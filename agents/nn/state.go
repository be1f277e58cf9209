package nn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// stateMagic starts every encoded State; the last byte is the version of the format.
const stateMagic = "tarry state\x01"

// State is what a learner must keep to continue: named sections of bytes in the order in
// which they were put. Numbers survive bit by bit. The zero value is empty.
type State struct {
	names []string
	data  map[string][]byte
}

// Put adds a section; a second one of the same name replaces the first.
func (s *State) Put(name string, data []byte) {
	if s.data == nil {
		s.data = map[string][]byte{}
	}
	if _, ok := s.data[name]; !ok {
		s.names = append(s.names, name)
	}
	s.data[name] = data
}

// Names lists the sections in the order in which they were put.
func (s *State) Names() []string { return slices.Clone(s.names) }

// PutFloats adds a section of numbers.
func (s *State) PutFloats(name string, x []float64) {
	b := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	s.Put(name, b)
}

// Get gives a section; a missing one is an error.
func (s *State) Get(name string) ([]byte, error) {
	d, ok := s.data[name]
	if !ok {
		return nil, fmt.Errorf("saved state has no section %q", name)
	}
	return d, nil
}

// Floats fills dst from a section of numbers, which must have exactly its length.
func (s *State) Floats(name string, dst []float64) error {
	d, err := s.Get(name)
	if err != nil {
		return err
	}
	if len(d) != 8*len(dst) {
		return fmt.Errorf("saved state: section %q has %d bytes, expected %d for %d numbers", name, len(d), 8*len(dst),
			len(dst))
	}
	for i := range dst {
		dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(d[8*i:]))
	}
	return nil
}

// Encode gives the bytes: magic, count, sections with lengths, SHA-256 of all before.
func (s *State) Encode() []byte {
	b := []byte(stateMagic)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(s.names)))
	for _, name := range s.names {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(name)))
		b = append(b, name...)
		b = binary.LittleEndian.AppendUint64(b, uint64(len(s.data[name])))
		b = append(b, s.data[name]...)
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// DecodeState reads what Encode wrote. A foreign, truncated or damaged state is an error.
func DecodeState(b []byte) (*State, error) {
	if len(b) == 0 {
		return nil, errors.New("the file is empty, expected what training saved: a full disk or a copy that broke " +
			"off leaves such a file")
	}
	if !bytes.HasPrefix(b, []byte(stateMagic)) {
		return nil, fmt.Errorf("saved state does not start with %q: it is of another kind or version", stateMagic)
	}
	if len(b) < len(stateMagic)+8+sha256.Size {
		return nil, fmt.Errorf("saved state has %d bytes: it is truncated", len(b))
	}
	body, want := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], want) {
		return nil, errors.New("saved state is truncated or damaged: its checksum does not match")
	}
	r := reader{rest: body[len(stateMagic):]}
	s := &State{}
	for range r.number() {
		name := string(r.bytes())
		data := r.bytes()
		if _, twice := s.data[name]; twice || r.bad {
			r.bad = true
			break
		}
		s.Put(name, data)
	}
	if r.bad || len(r.rest) > 0 {
		return nil, errors.New("saved state is damaged: its sections do not fill it")
	}
	return s, nil
}

// reader takes numbers and byte strings from the front of a slice.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) number() uint64 {
	if len(r.rest) < 8 {
		r.bad, r.rest = true, nil
		return 0
	}
	v := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return v
}

func (r *reader) bytes() []byte {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.bad, r.rest = true, nil
		return nil
	}
	d := r.rest[:n:n]
	r.rest = r.rest[n:]
	return d
}

// PutParams saves weights.
func (s *State) PutParams(params []*Param) {
	for _, p := range params {
		s.PutFloats("weights/"+p.Name, p.W)
	}
}

// Params restores weights of the same names and sizes. If it fails nothing is changed.
func (s *State) Params(params []*Param) error {
	var errs []error
	loaded := make([][]float64, len(params))
	for i, p := range params {
		loaded[i] = make([]float64, len(p.W))
		errs = append(errs, s.Floats("weights/"+p.Name, loaded[i]))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i, p := range params {
		copy(p.W, loaded[i])
	}
	return nil
}

// PutAdam saves an optimiser under a name.
func (s *State) PutAdam(name string, a *Adam) {
	s.Put(name+"/steps", binary.LittleEndian.AppendUint64(nil, a.steps))
	for i, p := range a.params {
		s.PutFloats(name+"/m/"+p.Name, a.m[i])
		s.PutFloats(name+"/v/"+p.Name, a.v[i])
	}
}

// Adam restores an optimiser of the same weights.
func (s *State) Adam(name string, a *Adam) error {
	steps, err := s.Get(name + "/steps")
	if err == nil && len(steps) != 8 {
		err = fmt.Errorf("saved state: section %q has %d bytes, expected 8", name+"/steps", len(steps))
	}
	errs := []error{err}
	for i, p := range a.params {
		errs = append(errs, s.Floats(name+"/m/"+p.Name, a.m[i]), s.Floats(name+"/v/"+p.Name, a.v[i]))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	a.steps = binary.LittleEndian.Uint64(steps)
	return nil
}
