package wrap

import (
	"tarry/env"
	"tarry/internal/pack"
)

type statistics struct {
	layer
	sum env.Episode
}

// EpisodeStatistics sums rewards, steps and time, and gives them as Info.Episode with the last
// step of each episode.
func EpisodeStatistics(e env.Env) env.Env {
	return &statistics{layer: newLayer(e, "EpisodeStatistics")}
}

func (t *statistics) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	t.sum = env.Episode{}
	return t.inner.Reset(seed, options)
}

func (t *statistics) Step(action []float64) (env.Step, error) {
	s, err := t.inner.Step(action)
	if err != nil {
		return s, err
	}
	t.sum.Return += s.Reward
	t.sum.Steps++
	t.sum.Elapsed += s.Info.Elapsed
	t.tell(&s)
	return s, nil
}

func (t *statistics) tell(s *env.Step) {
	if s.Done() {
		s.Info.Episode = &t.sum
	}
}

func (t *statistics) Snapshot() ([]byte, error) {
	return t.snapshot("statistics", func(w *pack.Writer) {
		w.Float64(t.sum.Return)
		w.Int(t.sum.Steps)
		w.Float64(t.sum.Elapsed)
	})
}

func (t *statistics) Restore(data []byte) (env.Step, error) {
	s, err := t.restore("statistics", data, func(r *pack.Reader) {
		t.sum = env.Episode{Return: r.Float64(), Steps: r.Int(), Elapsed: r.Float64()}
	})
	t.tell(&s)
	return s, err
}
