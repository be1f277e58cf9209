package variants

import (
	"slices"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// keys lists the settings that a maker reads.
func keys(t *testing.T, make maker) []string {
	t.Helper()
	s := param.Parse("", "")
	if _, err := make(s, cluster.BestFit); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, a := range s.Settings() {
		out = append(out, a.Key)
	}
	return out
}

// Dally has the settings of its paper, and each rule beside them is listed by a policy of its own.
func TestSettingsOfThePaper(t *testing.T) {
	paper := keys(t, makeAuto)
	if want := strings.Fields("lease timers t_rack t_net history min_rack min_net max_net delay preempt order ties " +
		"renew wake"); !slices.Equal(paper, want) {
		t.Errorf("dally reads %q, expected %q", paper, want)
	}
	var more []string
	for _, make := range []maker{NewEvict, NewElastic, NewShared, NewTenants} {
		all := keys(t, make)
		if !slices.Equal(all[:len(paper)], paper) {
			t.Errorf("a variant reads %q, expected Dally's first", all)
		}
		more = append(more, all[len(paper):]...)
	}
	if len(more) != 29 {
		t.Errorf("%d settings beside the paper's: %q, expected 29", len(more), more)
	}
	for _, k := range more {
		if !beside(k) {
			t.Errorf("dally:%s=... is not the setting of a variant", k)
		}
	}
}

// The old spelling takes rules together; a wrong key is an error that lists the paper's settings.
func TestOldSpelling(t *testing.T) {
	var p sim.Policy
	p, err := New(dally.Manual)(param.Parse("policy dally-manual", "evict=later,order=srpt,timers_by=vc"),
		cluster.BestFit)
	if err != nil || p.Knows() != know.Work {
		t.Errorf("%v, %v", p, err)
	}
	_, err = New(dally.Auto)(param.Parse("policy dally", "shrnk=most"), cluster.BestFit)
	if err == nil || !strings.Contains(err.Error(), `unknown key "shrnk", expected one of delay, history, lease`) {
		t.Errorf("%v", err)
	}
}
