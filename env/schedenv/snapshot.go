package schedenv

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"tarry/env"
	"tarry/sim/rng"
)

// saved is a snapshot: where the episode began and what was done since. A run is a pure function of
// these, so Restore steps through the actions again; that takes at most as long as the episode did,
// and a snapshot stays small and does not depend on how the simulator is built.
type saved struct {
	ID, Options string
	Stream      []byte // nil before the first reset
	Window      int
	Episode     bool // a reset has been made, and it succeeded
	Mean0       float64
	Actions     []byte // what was read of each action, 8 bytes per number
	// Check is the hash of the last observation, reward included: a snapshot of other code is found
	// out.
	Check []byte
}

// Snapshot gives the state as bytes.
func (e *Env) Snapshot() ([]byte, error) {
	if e.closed {
		return nil, fmt.Errorf("%s: %w", e.spec.ID, env.ErrClosed)
	}
	s := saved{ID: e.spec.ID, Options: e.spec.Options, Mean0: e.mean0}
	if e.stream != nil {
		var err error
		if s.Stream, err = e.stream.MarshalBinary(); err != nil {
			return nil, err
		}
	}
	if e.win != nil {
		s.Episode, s.Window, s.Check = true, e.win.number, e.check()
		for _, a := range e.log {
			s.Actions = binary.LittleEndian.AppendUint64(s.Actions, math.Float64bits(a))
		}
	}
	data, err := json.Marshal(s)
	sum := sha256.Sum256(data)
	return append(data, sum[:]...), err
}

// check hashes what the agent saw last.
func (e *Env) check() []byte {
	h := sha256.New()
	var b []byte
	for _, x := range append(append([]float64{e.last.Reward, e.last.Info.Elapsed}, e.last.Obs...), e.metrics...) {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	h.Write(b)
	return h.Sum(nil)
}

// Restore sets the state and gives again what was given last.
func (e *Env) Restore(data []byte) (env.Step, error) {
	bad := func(format string, args ...any) (env.Step, error) {
		e.live, e.win = false, nil
		return env.Step{}, fmt.Errorf("%s: %w: %s", e.spec.ID, env.ErrSnapshot, fmt.Sprintf(format, args...))
	}
	if e.closed {
		return env.Step{}, fmt.Errorf("%s: %w", e.spec.ID, env.ErrClosed)
	}
	n := len(data) - sha256.Size
	if n < 0 {
		return bad("%d bytes, expected more", len(data))
	}
	if sum := sha256.Sum256(data[:n]); !bytes.Equal(sum[:], data[n:]) {
		return bad("the checksum does not match")
	}
	var s saved
	if err := json.Unmarshal(data[:n], &s); err != nil {
		return bad("%v", err)
	}
	if s.ID != e.spec.ID || s.Options != e.spec.Options {
		return bad("it is of %s with %q, expected %q", s.ID, s.Options, e.spec.Options)
	}
	e.stream, e.mean0, e.win, e.live, e.last = nil, s.Mean0, nil, false, env.Step{}
	if s.Stream != nil {
		e.stream = new(rng.Stream)
		if err := e.stream.UnmarshalBinary(s.Stream); err != nil {
			return bad("%v", err)
		}
	}
	if !s.Episode {
		return e.last, nil
	}
	if err := e.replay(s.Window, s.Actions); err != nil {
		return bad("%v", err)
	}
	if !bytes.Equal(s.Check, e.check()) {
		return bad("its actions now lead to another state, expected the same workload, cluster and code")
	}
	return e.last, nil
}

// replay takes the actions of a snapshot again.
func (e *Env) replay(window int, actions []byte) error {
	e.log = e.log[:0]
	if err := e.start(window); err != nil {
		return err
	}
	a := make([]float64, len(e.action))
	for len(actions) > 0 {
		head, tail := e.reads()
		if n := 8 * (head + tail); !e.live || len(actions) < n {
			return fmt.Errorf("%d bytes of actions are left, expected %d or an end", len(actions), n)
		}
		clear(a)
		actions = numbers(a[:head], actions)
		actions = numbers(a[len(a)-tail:], actions)
		if _, err := e.Step(a); err != nil {
			return err
		}
	}
	return nil
}

// numbers reads numbers from the beginning of data and gives the rest.
func numbers(to []float64, data []byte) []byte {
	for i := range to {
		to[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return data[8*len(to):]
}
