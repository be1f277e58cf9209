package place

import (
	"testing"

	"tarry/env/model"
	"tarry/env/place/deepshare"
	"tarry/env/scenario"
	"tarry/env/trait"
)

// Under the published protocol a rule's episode is the rule's run: the same means.
func TestPublishedRules(t *testing.T) {
	e, err := Make(scenario.Catalogues{}, "protocol=deepshare,acts=many,jobs=80,part=validation")
	if err != nil {
		t.Fatal(err)
	}
	m := e.(*model.Env[*rounds])
	if err := m.Follow("first"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Reset(nil, "window=3"); err != nil {
		t.Fatal(err)
	}
	w := deepshare.New(deepshare.Own(), true)
	w.Reset(m.Model().list)
	for w.Live() {
		deepshare.Rules()[2].Play(w, nil)
	}
	action, sum, steps := make([]float64, 1), 0.0, 0
	for {
		if err := m.Demonstrate(action); err != nil {
			t.Fatal(err)
		}
		s, err := m.Step(action)
		if err != nil {
			t.Fatal(err)
		}
		sum += s.Info.Elapsed
		if steps++; s.Done() {
			break
		}
	}
	cost, err := m.Cost()
	if got := m.Model().Means(); err != nil || got != w.Means() || cost != got.TrainedS || sum != float64(w.Round) {
		t.Errorf("%+v in %v rounds, the rule has %+v in %d (%v)", got, sum, w.Means(), w.Round, err)
	}
	if steps < w.Round {
		t.Errorf("%d steps in %d rounds", steps, w.Round)
	}
}

// As published an agent acts once in a round in training, and as often as it places jobs in other parts,
// of whatever part the environment was made.
func TestActs(t *testing.T) {
	e, err := Make(scenario.Catalogues{}, "protocol=deepshare,jobs=40")
	if err != nil {
		t.Fatal(err)
	}
	first := e.(*model.Env[*rounds])
	for part, want := range map[trait.Part]float64{trait.Train: 1, trait.Validation: 0, trait.Test: 0} {
		one, err := first.Another(part)
		if err != nil {
			t.Fatal(err)
		}
		m := one.(*model.Env[*rounds])
		if _, _, err := m.Reset(nil, "window=1"); err != nil {
			t.Fatal(err)
		}
		s, err := m.Step([]float64{float64(deepshare.First(m.Model().World))})
		if err != nil || s.Info.Elapsed != want {
			t.Errorf("part %s: an action takes %v rounds, expected %v (%v)", part, s.Info.Elapsed, want, err)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	for _, text := range []string{"protocol=deepshare", "protocol=deepshare,acts=many"} {
		b.Run(text, func(b *testing.B) {
			e, err := Make(scenario.Catalogues{}, text)
			if err != nil {
				b.Fatal(err)
			}
			m := e.(*model.Env[*rounds])
			action, done := make([]float64, 1), true
			b.ReportAllocs()
			for b.Loop() {
				if done {
					if _, _, err := m.Reset(nil, ""); err != nil {
						b.Fatal(err)
					}
				}
				action[0] = float64(deepshare.First(m.Model().World))
				s, err := m.Step(action)
				if err != nil {
					b.Fatal(err)
				}
				done = s.Done()
			}
		})
	}
}
