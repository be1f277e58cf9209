package agenttest

import (
	"testing"

	"tarry/agents/learn"
)

// trainee is a learner with frozen policies P.
type trainee[P Actor] interface {
	Train(each func(learn.Row) error) error
	Update() (learn.Row, error)
	Policy() P
	Close() error
}

// Trained trains a learner, or fails with the error of its maker, and gives its policy.
func Trained[L trainee[P], P Actor](t *testing.T, l L, err error, each func(learn.Row) error) P {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := l.Train(each); err != nil {
		t.Fatal(err)
	}
	return l.Policy()
}

// Steps is the benchmark of a learner's updates, in environment steps per second; it fails with the
// error of the learner's maker.
func Steps[L trainee[P], P Actor](b *testing.B, l L, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	steps := 0
	for b.Loop() {
		row, err := l.Update()
		if err != nil {
			b.Fatal(err)
		}
		steps = row.Steps
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}

// Saved gives the checkpoint of a learner.
func Saved(t testing.TB, l interface{ Save() ([]byte, error) }) []byte {
	t.Helper()
	b, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	return b
}
