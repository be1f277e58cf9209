package rng

import "encoding/binary"

// many words at a time are made by groups, where the processor can.
const many = 256

// Words fills out with what as many calls of Uint64 give.
func (s *Stream) Words(out []uint64) {
	if vector && len(out) >= many {
		out = s.groups(out)
	}
	for i := range out {
		out[i] = s.src.Uint64()
	}
}

// perGroup is how many numbers a generator makes of one seed.
const perGroup = 124

// groups takes the state out of the generator and puts it back, which is made of a seed and of how
// many of its numbers are used: see math/rand/v2.ChaCha8.MarshalBinary. It gives what it did not
// fill: all of it when the state is of another form.
func (s *Stream) groups(out []uint64) []uint64 {
	const mark = "chacha8:"
	state, err := s.src.MarshalBinary()
	if err != nil || len(state) != len(mark)+5*8 || string(state[:len(mark)]) != mark {
		return out
	}
	seed, group, used := [4]uint64{}, [perGroup + 4]uint64{}, binary.BigEndian.Uint64(state[8:])
	for i := range seed {
		seed[i] = binary.LittleEndian.Uint64(state[16+8*i:])
	}
	before := out
	for chacha8(&seed, &group); len(out) > 0; {
		if used == perGroup {
			copy(seed[:], group[perGroup:])
			chacha8(&seed, &group)
			used = 0
		}
		n := copy(out, group[used:perGroup])
		out, used = out[n:], used+uint64(n)
	}
	binary.BigEndian.PutUint64(state[8:], used)
	for i, v := range seed {
		binary.LittleEndian.PutUint64(state[16+8*i:], v)
	}
	if s.src.UnmarshalBinary(state) != nil { // leaves the generator as it was
		return before
	}
	return nil
}
