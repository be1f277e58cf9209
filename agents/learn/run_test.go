package learn

import (
	"errors"
	"math"
	"testing"
)

// An update counts and reports; one that fails ends the run, and its error is kept.
func TestRun(t *testing.T) {
	r := Run{Agent: "x", Steps: 7}
	row, err := r.Do(func() (Row, error) { r.Tally.Add(3, 2); return Row{PolicyLoss: 5}, nil })
	if err != nil || row.Update != 1 || row.Steps != 7 || row.Episodes != 1 || row.Return != 3 || row.PolicyLoss != 5 {
		t.Errorf("first update gives %+v, %v", row, err)
	}
	broke := errors.New("it broke")
	if _, err = r.Do(func() (Row, error) { return Row{}, broke }); !errors.Is(err, broke) ||
		err.Error() != "x: update 2: it broke" || r.Updates != 1 {
		t.Errorf("error is %v after %d updates", err, r.Updates)
	}
	_, err = r.Do(func() (Row, error) { t.Error("a failed run continues"); return Row{}, nil })
	if err == nil || err.Error() != "x: a former update failed: x: update 2: it broke" {
		t.Errorf("error is %v", err)
	}
}

// three is a learner of three updates, the second of which may fail.
type three struct {
	made int
	fail error
}

func (l *three) Done() bool { return l.made == 3 }

func (l *three) Update() (Row, error) {
	if l.made++; l.made == 2 && l.fail != nil {
		return Row{}, l.fail
	}
	return Row{Update: l.made}, nil
}

func TestTrain(t *testing.T) {
	bad := errors.New("bad")
	for _, c := range []struct {
		fail, stop error
		rows, made int
	}{{nil, nil, 3, 3}, {bad, nil, 1, 2}, {nil, bad, 1, 1}} {
		l, rows := &three{fail: c.fail}, 0
		err := Train(l, func(Row) error { rows++; return c.stop })
		if wrong := c.fail != nil || c.stop != nil; rows != c.rows || l.made != c.made ||
			wrong != errors.Is(err, bad) || !wrong && err != nil {
			t.Errorf("%+v: %d rows of %d updates, error %v", c, rows, l.made, err)
		}
	}
}

// Each fault is named with its value and what was expected.
func TestFaults(t *testing.T) {
	type settings struct {
		Envs   int     `json:"envs"`   // [1,inf)
		Lambda float64 `json:"lambda"` // [0,1]
		Gamma  float64 `json:"gamma"`  // (0,1]
		Hidden []int   `json:"hidden"`
	}
	f := Faults{Agent: "x"}
	f.Ranges(settings{1, 0, 1, []int{64, 1}})
	f.Positive("rollouts", 1)
	f.Add(nil)
	if f.Err() != nil {
		t.Errorf("good settings give %v", f.Err())
	}
	f.Ranges(settings{0, math.NaN(), 0, []int{64, 0}})
	f.Ranges(settings{Gamma: 1}, "envs")
	f.Positive("rollouts", 0)
	want := `x: envs is 0, expected at least 1
x: lambda is NaN, expected a number from 0 to 1
x: gamma is 0, expected a number from 0 to 1
x: hidden[1] is 0, expected at least 1
x: rollouts is 0, expected at least 1`
	if f.Err() == nil || f.Err().Error() != want {
		t.Errorf("faults are\n%v\nexpected\n%s", f.Err(), want)
	}
}
