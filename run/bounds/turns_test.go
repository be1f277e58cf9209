package bounds

import (
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/catalogue/simulation"
	"tarry/env/racks"
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

// rowsOfTurns gives the rows of turns, by name.
func rowsOfTurns(t *testing.T, windows int, n named) map[string][]*trial.Result {
	t.Helper()
	own, _ := measured(t, windows)
	turns := turns(n, schedulers.All().Build)
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
	rows, gained := rowsOfTurns(t, windows, named{"fifo+las+srtf", 3600}), 0
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
	rows := rowsOfTurns(t, 2, named{"dally-nowait+dally-nowait", 3600})
	for w := range 2 {
		if a, b := rows["hindsight:turns"][w].Row.JCTMean, rows["placebo:turns"][w].Row.JCTMean; a != b {
			t.Errorf("window %d: sequences of equal members have %v, copies %v", w, a, b)
		}
	}
}

// A sequence of one member is that member, whatever a turn lasts.
func TestSequenceOfOneMember(t *testing.T) {
	own, _ := measured(t, 1)
	s := byTurn{parse: schedulers.All().Build, every: sim.Seconds(700)}
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
	s := byTurn{parse: schedulers.All().Build, members: []string{"las", "gavel"}, every: sim.Seconds(3600)}
	if _, err := s.policy(&own[0]); err == nil || !strings.Contains(err.Error(), "gavel cannot take over a run") {
		t.Errorf("error %v, expected the member", err)
	}
}

// In a mixture a placebo chooses on the windows of the same scenario in the other half: of two scenarios
// in turn, windows 0 and 4 of the first are one half, 2 and 6 the other.
func TestOthersOfAMixture(t *testing.T) {
	scores := make([][]float64, 8)
	for w := range scores {
		scores[w] = []float64{float64(w)}
	}
	for _, c := range []struct {
		window, regimes int
		want            []float64
	}{{0, 1, []float64{1, 3, 5, 7}}, {3, 1, []float64{0, 2, 4, 6}}, {0, 2, []float64{2, 6}}, {3, 2, []float64{1, 5}},
		{5, 2, []float64{3, 7}}, {4, 3, []float64{1, 7}}, {7, 8, nil}} {
		var got []float64
		for _, one := range others(scores, c.window, c.regimes) {
			got = append(got, one[0])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("window %d of %d regimes: chosen on %v, expected %v", c.window, c.regimes, got, c.want)
		}
	}
}

// Names choose bounds with their placebos, in the order of the list; a name that the list has not is an
// error with the nearest.
func TestNamed(t *testing.T) {
	e, err := racks.Make(simulation.All(), "")
	if err != nil {
		t.Fatal(err)
	}
	list := slices.Concat(All(), turns(named{"fifo+las", 60}, schedulers.All().Build), Own(e, nil))
	got, err := Named(list, []string{"turns", "member", "clairvoyant"})
	want := []string{"hindsight:clairvoyant", "placebo:clairvoyant", "hindsight:member", "placebo:member",
		"hindsight:turns", "placebo:turns"}
	if err != nil || !slices.Equal(RowsOf(got), want) {
		t.Errorf("rows %v (%v), expected %v", RowsOf(got), err, want)
	}
	for _, name := range Choices() {
		if got, err := Named(list, []string{name}); err != nil || len(got) == 0 {
			t.Errorf("%s: %d bounds, %v", name, len(got), err)
		}
	}
	if _, err := Named(list, []string{"membr"}); err == nil || !strings.Contains(err.Error(), `did you mean "member"`) {
		t.Errorf("a wrong name: %v", err)
	}
	if _, err := Named(All(), []string{"member"}); err == nil {
		t.Error("members are chosen where there are none")
	}
}
