package bounds

import (
	"strings"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/cluster"
)

// named are members with a length of their turns.
type named struct {
	members string
	everyS  float64
}

func (n named) Turns() (members []string, everyS float64) {
	return strings.Split(n.members, "+"), n.everyS
}

// ofTurns gives the rows of turns, by name.
func ofTurns(t *testing.T, windows int, n named) map[string][]*trial.Result {
	t.Helper()
	own, _ := measured(t, windows)
	turns := Turns(n, schedulers.All().Build)
	more, err := Trials(own, policy, turns...)
	if err != nil {
		t.Fatal(err)
	}
	first := len(more) - windows*(len(turns[0].candidates)+2)
	out := map[string][]*trial.Result{}
	for _, runs := range Pick(run(t, more[first:]), windows, 1, turns...) {
		out[runs[0].Row.Keys.Policy] = runs
	}
	if len(out) != 4 {
		t.Fatalf("%d rows, expected member and turns, each with a placebo", len(out))
	}
	return out
}

// The search begins with the best member of a window and is never behind it, copies of it are; where
// members differ it finds a better sequence, and copies of a rule that remembers nothing gain nothing.
func TestTurns(t *testing.T) {
	const windows = 2
	rows, gained := ofTurns(t, windows, named{"fifo+las+srtf", 3600}), 0
	for w := range windows {
		member, turns, placebo := rows["hindsight:member"][w].Row.JCTMean, rows["hindsight:turns"][w].Row.JCTMean,
			rows["placebo:turns"][w].Row.JCTMean
		if turns > member || placebo != member || rows["placebo:member"][w].Row.JCTMean < member {
			t.Errorf("window %d: the best member %v, sequences %v, copies %v, the member of the other half %v", w, member,
				turns, placebo, rows["placebo:member"][w].Row.JCTMean)
		}
		if turns < member {
			gained++
		}
	}
	if gained == 0 {
		t.Error("no sequence of members is better than the best member in any window")
	}
}

// Equal members have nothing to choose between: sequences of them gain what copies gain, by the same
// draws.
func TestTurnsOfEqualMembers(t *testing.T) {
	rows := ofTurns(t, 2, named{"dally-nowait+dally-nowait", 3600})
	for w := range 2 {
		if a, b := rows["hindsight:turns"][w].Row.JCTMean, rows["placebo:turns"][w].Row.JCTMean; a != b {
			t.Errorf("window %d: sequences of equal members have %v, copies %v", w, a, b)
		}
	}
}

// A sequence of one member is that member, whatever a turn lasts.
func TestSequenceOfOneMember(t *testing.T) {
	own, _ := measured(t, 1)
	s := search{parse: schedulers.All().Build, every: sim.Seconds(700)}
	for _, name := range []string{"las", "srtf", "dally-nowait"} {
		alone, mixed := own[0], own[0]
		alone.Policy = func() (sim.Policy, error) { return schedulers.All().Build(name, cluster.BestFit) }
		mixed.Policy = func() (sim.Policy, error) { return s.sequence([]string{"fifo", name}, []int{1}) }
		done := run(t, []trial.Trial{alone, mixed})
		if a, b := done[0].Row.JCTMean, done[1].Row.JCTMean; a != b {
			t.Errorf("%s has %v alone, %v as a sequence", name, a, b)
		}
	}
}

// A member that cannot take over is an error of the trial, with its name.
func TestTurnsWithoutTakeOver(t *testing.T) {
	own, _ := measured(t, 1)
	s := search{parse: schedulers.All().Build, members: []string{"las", "gavel"}, every: sim.Seconds(3600)}
	if _, err := s.policy(&own[0]); err == nil || !strings.Contains(err.Error(), "gavel cannot take over a run") {
		t.Errorf("error %v, expected the member", err)
	}
}
