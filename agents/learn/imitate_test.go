package learn

import (
	"errors"
	"testing"

	"tarry/env"
)

func TestImitationCheck(t *testing.T) {
	good := Imitation{Episodes: 2, Epochs: 1, LearningRate: 0.1}
	for _, c := range []struct {
		set     func(*Imitation)
		updates int
		failed  string
		want    string
	}{
		{nil, 0, "", ""},
		{func(i *Imitation) { i.Episodes, i.Updates = 0, 3 }, 0, "", ""},
		{func(i *Imitation) { i.Episodes = 0 }, 0, "", "x: imitation has 0 episodes, 0 updates, 1 epochs, learning " +
			"rate 0.1, expected at least 1 of the first two, 1 and more than 0"},
		{func(i *Imitation) { i.LearningRate = 0 }, 0, "", "x: imitation has 2 episodes, 0 updates, 1 epochs, " +
			"learning rate 0, expected at least 1 of the first two, 1 and more than 0"},
		{nil, 0, "it broke", "x: a former update failed: it broke"},
		{nil, 4, "", "x: imitation after 4 updates, expected before the first"},
	} {
		how := good
		if c.set != nil {
			c.set(&how)
		}
		got := ""
		if err := (&Run{Agent: "x", Updates: c.updates, Failed: c.failed}).Startable(&how); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("error is %q, want %q", got, c.want)
		}
	}
}

func TestEnough(t *testing.T) {
	for _, c := range []struct {
		how               Imitation
		updates, episodes int
		want              bool
	}{
		{Imitation{Episodes: 5}, 100, 4, false}, {Imitation{Episodes: 5}, 1, 5, true},
		{Imitation{Updates: 3}, 2, 100, false},
		{Imitation{Updates: 3}, 3, 0, true}, {Imitation{Updates: 3, Episodes: 5}, 2, 7, true},
	} {
		if got := c.how.Enough(c.updates, c.episodes); got != c.want {
			t.Errorf("%+v after %d updates and %d episodes: %v, want %v", c.how, c.updates, c.episodes, got, c.want)
		}
	}
}

// What a demonstrator does goes by the environment's rules.
func TestAsk(t *testing.T) {
	spec := &env.Spec{ID: "t/A-v0", Observation: env.NewBox(0, 1, 1), Action: env.Discrete{N: 3}, Masked: true}
	mask, dst := []bool{true, false, true}, []float64{0}
	says := func(a float64, err error) Demonstrator {
		return func(i int, obs []float64, mask []bool, dst []float64) error {
			if i != 4 || obs[0] != 0.5 || len(mask) != 3 {
				t.Errorf("environment %d, observation %v, mask %v", i, obs, mask)
			}
			dst[0] = a
			return err
		}
	}
	ask := func(d Demonstrator) error { return d.Ask(spec, 4, []float64{0.5}, mask, dst) }
	if err := ask(says(2, nil)); err != nil || dst[0] != 2 {
		t.Errorf("action %v, error %v", dst, err)
	}
	if err := ask(says(1, nil)); !errors.Is(err, env.ErrInvalidAction) {
		t.Errorf("a forbidden action gives %v", err)
	}
	if err := ask(says(0, errors.New("no idea"))); err == nil || err.Error() != "demonstrator: no idea" {
		t.Errorf("a demonstrator that fails gives %v", err)
	}
}
