package predict

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces/intake"
	"tarry/traces/swf"
	"tarry/traces/tracetest"
)

// uneven gives jobs of users whose run times spread unevenly: jobs of the first half by a tenth, the
// others' by e^2.
func uneven(n int, seed uint64) (out []sim.Job) {
	r := rng.Source{Seed: seed}.Stream("uneven")
	for i := range n {
		user, sd := r.IntN(10), 0.1
		if user >= 5 {
			sd = 2
		}
		out = append(out, job(fmt.Sprint("u", user), 1, float64(i)*20_000, math.Exp(7+sd*r.NormFloat64())))
	}
	return out
}

// covers gives the part of the jobs of some users that end between quantiles of 10 and 90 %.
func covers(of Predictor, jobs []sim.Job, users string) float64 {
	p, in, all := of.Clone(), 0.0, 0.0
	for i := range jobs {
		l, run := p.Predict(sim.JobID(i), hidden(&jobs[i])), jobs[i].RunTime()
		if s := run.Seconds(); jobs[i].User >= "u5" == (users == "wild") {
			all++
			if s >= l.Quantile(0.1) && s <= l.Quantile(0.9) {
				in++
			}
		}
		p.Ended(sim.JobID(i), hidden(&jobs[i]), run)
	}
	return in / all
}

// With a law for jobs whose errors are alike 80 % of each user's jobs are within the interval of 80 %.
// With one law for all of them it holds nearly all jobs of the one and too few of the others'.
func TestAlikeCoversEachUser(t *testing.T) {
	past, future := uneven(3000, 1), uneven(3000, 2)
	for _, name := range []string{"global", "user-size", "ridge", "mix", "stack", "last2"} {
		for spec, off := range map[string]bool{name: true, name + ":errors=alike": false} {
			p := parse(t, spec)
			p.Fit(past)
			for _, users := range []string{"steady", "wild"} {
				got := covers(p, future, users)
				t.Logf("%-24s %-6s %.3f", spec, users, got)
				if off != (math.Abs(got-0.8) > 0.06) {
					t.Errorf("%s covers %.3f of %s users' jobs, expected 0.8: %v", spec, got, users, !off)
				}
			}
		}
	}
}

// The class of a job and its error are as stated at its submit: neither what ended since nor how
// long it ran moves them.
func TestAlikeIsAsAtTheSubmit(t *testing.T) {
	jobs := uneven(300, 1)
	p := parse(t, "ridge:errors=alike,refit=0").(*online)
	p.Fit(jobs)
	of := jobs[7]
	said := p.Predict(1000, &of).LogMedian - p.size[p.scale.said[1000].class].centre
	was := p.scale.said[1000]
	if math.Abs(was.y-said) > 1e-9 {
		t.Fatalf("%v is kept, %v was stated", was.y, said)
	}
	for i := range jobs {
		jobs[i].User = of.User
		p.Predict(sim.JobID(i), &jobs[i])
		p.Ended(sim.JobID(i), &jobs[i], 1_000_000*sim.Second)
	}
	p.Predict(2000, &of)
	if got := p.scale.said[1000]; got != was {
		t.Errorf("%+v, expected %+v", got, was)
	}
	if p.scale.said[2000].class <= was.class {
		t.Errorf("class %d after errors of e^7, class %d before", p.scale.said[2000].class, was.class)
	}
	if n := len(p.scale.said); n != 2 {
		t.Errorf("%d predictions are kept, expected those of the two jobs that have not ended", n)
	}
}

// Fit forgets, and what it learned of errors does not depend on which job ends last.
func TestAlikeFitsAnew(t *testing.T) {
	past, future := asking(400, 1, 1), asking(300, 1, 2)
	a, b := parse(t, "mix:errors=alike"), parse(t, "mix:errors=alike")
	a.Fit(past)
	b.Fit(uneven(500, 3))
	b.Fit(past)
	if x, y := Assess(a, future), Assess(b, future); !reflect.DeepEqual(x, y) {
		t.Errorf("%+v, after another fit %+v", x, y)
	}
	if n := len(a.(*online).scale.said); n != 0 {
		t.Errorf("%d jobs of the past are kept as running", n)
	}
}

// On two logs the part of each user's jobs that ends between the quantiles of 10 and 90 % is nearer to 80 %
// where jobs whose errors are alike make a law, and the laws are narrower.
func TestAlikeOnLogs(t *testing.T) {
	for _, log := range []string{"sdsc-sp2", "kth-sp2"} {
		w, _, err := swf.Read(tracetest.Shared(t, log+"/"+log+".swf"), intake.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := w.Jobs[len(w.Jobs)-1].Submit * 7 / 10
		var past, future []sim.Job
		for _, j := range w.Jobs {
			switch {
			case j.Submit >= at:
				future = append(future, j)
			case j.Submit+j.RunTime() < at:
				past = append(past, j)
			}
		}
		gap, width := gapsByUser(t, "ridge", past, future)
		alike, narrow := gapsByUser(t, "ridge:errors=alike", past, future)
		t.Logf("%s: users' parts are off by %.3f, alike %.3f; the interval is of e^%.2f, alike e^%.2f", log, gap, alike,
			width, narrow)
		if !(alike < gap && narrow < width) {
			t.Errorf("%s: laws of errors that are alike gain nothing", log)
		}
	}
}

// gapsByUser is how far the part of a user's jobs within the interval of 80 % is from that, in the mean over
// jobs, and the mean logarithm of the interval's ends' ratio.
func gapsByUser(t *testing.T, spec string, past, future []sim.Job) (gap, width float64) {
	t.Helper()
	p := parse(t, spec)
	p.Fit(past)
	all, in := map[string]float64{}, map[string]float64{}
	next, ends := 0, endings(future)
	for i := range future {
		for ; next < len(ends) && ends[next].at <= future[i].Submit; next++ {
			k := ends[next].job
			p.Ended(sim.JobID(k), hidden(&future[k]), future[k].RunTime())
		}
		l, run := p.Predict(sim.JobID(i), hidden(&future[i])), future[i].RunTime().Seconds()
		lo, hi := l.Quantile(0.1), l.Quantile(0.9)
		width += math.Log(hi/lo) / float64(len(future))
		all[future[i].User]++
		if run >= lo && run <= hi {
			in[future[i].User]++
		}
	}
	for user, n := range all {
		gap += math.Abs(in[user]-float64(0.8*n)) / float64(len(future))
	}
	return gap, width
}
