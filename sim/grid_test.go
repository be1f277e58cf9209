package sim

import (
	"fmt"
	"testing"

	"tarry/sim/know"
)

// seconds is a play with marks and ends on whole seconds and an instant at each of the given times.
func seconds(m SpeedModel, at ...Time) play {
	p := play{cfg: Config{Speed: m, MarkEvery: Second}, know: know.Progress, plan: map[Time][]Decision{0: {begin(0, 0)}}}
	for _, x := range at {
		p.plan[x] = append(p.plan[x], Decision{Kind: WakeAt, At: Never})
	}
	return p
}

// plain is a progressive model with one epoch.
var plain = epochal{1e18, []float64{1}}

// Ends fall on the nearest second, half to even. One that is rounded down to an instant comes a
// microsecond after its decisions, and so does one that would come with the start; one that is
// rounded up, or is exact, comes before the decisions.
func TestEndsOnTheGrid(t *testing.T) {
	for _, c := range []struct {
		work Time
		at   []Time
		want string
	}{
		{60_300_000, nil, "60s"}, {59_700_000, nil, "60s"}, {60 * Second, nil, "60s"},
		{60_300_000, []Time{60 * Second}, "60.000001s"}, {59_700_000, []Time{60 * Second}, "60s"},
		{60 * Second, []Time{60 * Second}, "60s"},
		{60_300_000, []Time{60 * Second, 60*Second + 1}, "60.000001s"},
		{60_300_000, []Time{59 * Second, 61 * Second}, "60s"},
		{2_500_000, nil, "2s"}, {3_500_000, nil, "4s"}, {3_500_001, nil, "4s"}, {2_500_001, nil, "3s"},
		{2_500_000, []Time{2 * Second}, "2.000001s"}, {500_000, nil, "1e-06s"}, {1, nil, "1e-06s"},
		{500_001, nil, "1s"},
		{59_700_000, []Time{59_800_000}, "60s"}, // done, and still there
	} {
		p := seconds(plain, c.at...)
		o := p.mustRun(t, 1, Job{GPUs: 1, Work: c.work})
		if got := o.e.Record(0).End.String(); got != c.want {
			t.Errorf("%v of work with instants at %v: ends at %s, expected %s", c.work, c.at, got, c.want)
		}
	}
}

// A job that is still there in the decisions of the instant to which its end was rounded may be
// preempted there; what is left of it is then done after the next start. One whose work is done
// before its end was rounded up to has nothing left.
func TestPreemptedBeforeARoundedEnd(t *testing.T) {
	for work, want := range map[Time]string{60_300_000: "done: start 0s end 70.000001s queue 10s run 60.000001s " +
		"overhead 0s lost 0s in 0s",
		60_700_000: "done: start 0s end 71s queue 10s run 61s overhead 0s lost 0s in 0s"} {
		p := seconds(plain)
		p.plan[60*Second], p.plan[70*Second] = []Decision{{Kind: Preempt}}, []Decision{begin(0, 0)}
		if got := p.mustRun(t, 1, Job{GPUs: 1, Work: work}).life(0); got != want {
			t.Errorf("%v of work: %s, expected %s", work, got, want)
		}
	}
	p := seconds(plain)
	p.plan[59_800_000], p.plan[62*Second] = []Decision{{Kind: Preempt}}, []Decision{begin(0, 0)}
	if got := p.mustRun(t, 1, Job{GPUs: 1, Work: 59_700_000}).life(0); got != "done: start 0s end 62.000001s queue "+
		"2.2s run 59.800001s overhead 0s lost 0s in 0s" {
		t.Errorf("preempted when its work was done: %s", got)
	}
}

// Epochs of 10.4 s end at 10, 20, 30 and 41 s: each from where the last was rounded to, with its
// work exactly done. With a round each 10 s the policy sees the old epoch there, and the times are
// the same; what comes a microsecond later counts from the second.
func TestMarksOnTheGrid(t *testing.T) {
	m := epochal{10.4e6, []float64{1, 2, 1, .5}}
	for _, rounds := range []bool{false, true} {
		var got []string
		p := seconds(m)
		if rounds {
			for at := 10 * Second; at < 60*Second; at += 10 * Second {
				p.plan[at] = nil
			}
		}
		p.look = func(v *View) {
			if v.Run(0).State() == Running && v.Now() > 0 {
				got = append(got, fmt.Sprint(v.Now(), v.Run(0).Done()/1e6, v.Run(0).Speed().Rate, v.Run(0).NextMark()/1e6))
			}
		}
		o := p.mustRun(t, 1, Job{GPUs: 1, Work: 40 * Second})
		// 10.4 at 1 = 10 s, 10.4 at 2 = 5.2 -> 15 s, 10.4 at 1 -> 25 s, 8.8 at 1/2 = 17.6 -> 43 s
		if rounds {
			same(t, "seen", got, "10s 10 1 10.4", "20s 25.8 1 31.2", "30s 33.7 0.5 +Inf", "40s 38.7 0.5 +Inf")
			same(t, "tape", o.tape[:2], "job 0 on [0] 0s-10s run 10s mark", "job 0 on [0] 10s-15s run 5s mark")
		} else {
			same(t, "tape", o.tape[:3], "job 0 on [0] 0s-10s run 10s mark", "job 0 on [0] 10s-15s run 5s mark",
				"job 0 on [0] 15s-25s run 10s mark")
		}
		if end := o.e.Record(0).End; end != 43*Second {
			t.Errorf("ends at %v, expected 43s", end)
		}
	}
}

// Many marks in one second are passed at once, and none is lost.
func TestManyMarksInASecond(t *testing.T) {
	factor := make([]float64, 101)
	for i := range factor {
		factor[i] = 1 + float64(i%2)
	}
	p := seconds(epochal{1e5, factor}, Second, 2*Second)
	o := p.mustRun(t, 1, Job{GPUs: 1, Work: 10 * Second})
	if r := o.e.Record(0); r.State != Done || r.End > 2*Second {
		t.Errorf("%+v: rounding each tenth of a second down leaves nothing", r)
	}
}

// Without a progressive model MarkEvery changes nothing.
func TestGridWithoutMarks(t *testing.T) {
	p := play{cfg: Config{MarkEvery: Second}, plan: map[Time][]Decision{0: {begin(0, 0)}}}
	if got := p.mustRun(t, 1, Job{GPUs: 1, Work: 1_234_567}).e.Record(0).End; got != 1_234_567 {
		t.Errorf("ends at %v", got)
	}
}
