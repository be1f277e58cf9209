package envtest

import (
	"errors"
	"fmt"
	"math"

	"tarry/env"
	"tarry/internal/pack"
	"tarry/sim/rng"
)

// toy is a walk on 0 ... 9 with three actions (back, stay, on), of which back is masked out at 0.
// It is right in all respects but the fault that it is asked to have.
type toy struct {
	spec   env.Spec
	fault  string
	stream *rng.Stream
	obs    []float64
	mask   []bool
	figure []float64
	taken  int
	reward float64
	phase  int // 0 fresh, 1 running, 2 ended, 3 closed
	closes int
	leak   []byte
	shared *int
}

const walkLen = 30

func newToy(fault string, shared *int) *toy {
	t := &toy{fault: fault, obs: make([]float64, 2), mask: make([]bool, 3), figure: make([]float64, 1), shared: shared}
	t.spec = env.Spec{ID: "test/Toy-v0", Observation: env.NewBox(0, 10, 2), Action: env.Discrete{N: 3},
		Masked: true, Metrics: []string{"place"}, MaxSteps: walkLen}
	switch fault {
	case "bad id":
		t.spec.ID = "Toy"
	case "no action space":
		t.spec.Action = nil
	case "crossed box":
		t.spec.Observation = env.NewBox(1, 0, 2)
	case "empty dict":
		t.spec.Observation = env.Dict{}
	case "box masked":
		t.spec.Action = env.NewBox(-1, 1, 1)
	case "unmasked spec":
		t.spec.Masked = false
	case "tight bounds":
		t.spec.Observation = env.NewBox(0, 3, 2)
	case "wrong length":
		t.spec.Observation = env.NewBox(0, 10, 3)
	case "late limit":
		t.spec.MaxSteps = walkLen - 1
	}
	return t
}

func (t *toy) Spec() *env.Spec { return &t.spec }

func (t *toy) Close() error {
	t.closes++
	if t.fault == "close twice" && t.closes > 1 {
		return errors.New("closed already")
	}
	t.phase = 3
	return nil
}

func (t *toy) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	if t.phase == 3 && t.fault != "opens again" {
		return nil, env.Info{}, env.ErrClosed
	}
	if options != "" && options != "place=5" && t.fault != "any option" {
		if t.fault != "runs after failed reset" {
			t.phase = 0
		}
		return nil, env.Info{}, fmt.Errorf("unknown option %q", options)
	}
	if seed != nil || t.stream == nil || t.fault == "reseeds" {
		s := uint64(0)
		if seed != nil && t.fault != "ignores seeds" {
			s = *seed
		}
		if t.stream == nil && seed == nil && t.fault == "odd first seed" {
			s = 99
		}
		if t.fault != "keeps its stream" || t.stream == nil {
			t.stream = rng.Source{Seed: s}.Stream("toy")
		}
	}
	t.obs[0], t.obs[1] = float64(t.stream.IntN(4)), t.stream.Float64()
	if options != "" {
		t.obs[0] = 5
	}
	t.taken, t.reward, t.phase = 0, 0, 1
	t.look()
	info := t.info()
	if t.fault == "time at reset" {
		info.Elapsed = 1
	}
	return t.obs, info, nil
}

func (t *toy) look() {
	t.mask[0], t.mask[1], t.mask[2] = t.obs[0] > 0, true, true
	t.figure[0] = t.obs[0]
	if t.fault == "nothing legal" && t.taken == 5 {
		clear(t.mask)
	}
}

func (t *toy) info() env.Info {
	i := env.Info{Mask: t.mask, Metrics: t.figure}
	if t.taken > 0 {
		i.Elapsed = 1
	}
	switch t.fault {
	case "no mask":
		i.Mask = nil
	case "short mask":
		i.Mask = t.mask[:2]
	case "many metrics":
		i.Metrics = []float64{1, 2}
	case "time runs back":
		i.Elapsed = -i.Elapsed
	}
	return i
}

func (t *toy) refuse(action []float64) error {
	switch t.fault {
	case "accepts anything":
		if len(action) != 1 || !t.spec.Action.Contains(action) {
			return nil
		}
	case "ignores mask":
		return env.CheckAction(&t.spec, nil, action)
	case "untyped error":
		if env.CheckAction(&t.spec, t.mask, action) != nil {
			return errors.New("no")
		}
	case "refuses legal":
		if t.taken == 3 {
			return env.ErrInvalidAction
		}
	}
	return env.CheckAction(&t.spec, t.mask, action)
}

func (t *toy) Step(action []float64) (env.Step, error) {
	if t.phase != 1 && !(t.phase == 2 && t.fault == "steps on") &&
		!(t.phase == 0 && t.fault == "steps unreset" && t.stream != nil) {
		if t.phase == 3 {
			return env.Step{}, env.ErrClosed
		}
		if t.fault == "untyped order" {
			return env.Step{}, errors.New("not now")
		}
		return env.Step{}, env.ErrResetNeeded
	}
	if t.fault == "refusal moves" && len(action) == 1 && !t.spec.Action.Contains(action) {
		t.stream.Float64()
	}
	if err := t.refuse(action); err != nil {
		return env.Step{}, err
	}
	move := 0.0
	if len(action) == 1 && t.spec.Action.Contains(action) {
		move = action[0] - 1
	}
	t.obs[0] = max(0, min(9, t.obs[0]+move))
	if t.fault != "keeps its stream" {
		t.obs[1] = t.stream.Float64()
	}
	t.taken++
	t.reward = t.obs[0]
	t.spoil(action)
	t.look()
	if t.taken == walkLen {
		t.phase = 2
	}
	if t.fault == "ends at once" {
		t.phase = 2
	}
	return t.told(), nil
}

// spoil has the faults of a step.
func (t *toy) spoil(action []float64) {
	switch t.fault {
	case "own draws":
		if t.taken > 3 {
			*t.shared++
			t.obs[1] = float64(*t.shared%7) / 7
		}
	case "reward NaN":
		t.reward = math.NaN()
	case "reward infinite":
		t.reward = math.Inf(-1)
	case "shared state":
		*t.shared = (*t.shared*5 + int(t.obs[0]) + 1) % 11
		t.reward += float64(*t.shared)
	case "writes action":
		action[0] = 1
	case "allocates":
		t.leak = make([]byte, 8+t.taken)
	case "obs NaN":
		t.obs[1] = math.NaN()
	}
}

func (t *toy) told() env.Step {
	return env.Step{Obs: t.obs, Reward: t.reward, Truncated: t.phase == 2, Info: t.info()}
}

func (t *toy) Snapshot() ([]byte, error) {
	if t.fault == "no snapshots" {
		return nil, errors.ErrUnsupported
	}
	w := pack.NewWriter("toy")
	w.Int(t.phase)
	if t.phase > 0 {
		state, err := t.stream.MarshalBinary()
		if err != nil {
			return nil, err
		}
		if t.fault != "forgets its stream" {
			w.Bytes(state)
		}
		w.Float64s(t.obs)
		w.Float64(t.reward)
		if t.fault != "forgets its count" {
			w.Int(t.taken)
		}
	}
	return w.Seal(), nil
}

func (t *toy) Restore(data []byte) (env.Step, error) {
	if t.fault == "runs after bad snapshot" {
		if pack.NewReader("toy", data).Err() != nil {
			return env.Step{}, env.ErrSnapshot
		}
	}
	t.phase = 0
	r := pack.NewReader("toy", data)
	if t.fault == "believes anything" && r.Err() != nil {
		return env.Step{}, nil
	}
	phase := r.Int()
	if phase > 0 {
		if t.fault != "forgets its stream" {
			t.stream = &rng.Stream{}
			if state := r.Bytes(); r.Err() == nil {
				if err := t.stream.UnmarshalBinary(state); err != nil {
					r.Fail(err)
				}
			}
		}
		r.Float64s(t.obs)
		t.reward = r.Float64()
		if t.fault != "forgets its count" {
			t.taken = r.Int()
		}
	} else {
		t.stream = nil
	}
	if err := r.Close(); err != nil {
		t.stream = nil
		return env.Step{}, fmt.Errorf("%w: %w", env.ErrSnapshot, err)
	}
	t.phase = phase
	if phase == 0 {
		return env.Step{}, nil
	}
	if t.fault != "forgets its mask" {
		t.look()
	}
	s := t.told()
	if t.fault == "forgets its reward" {
		s.Reward = 0
	}
	return s, nil
}
