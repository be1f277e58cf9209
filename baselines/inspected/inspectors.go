package inspected

import (
	"fmt"
	"slices"
)

// Question is what a fixed inspector reads of the job in question: in the simulator or in
// the published loop.
type Question interface {
	// Fits reports whether the job can run now.
	Fits() bool
	// Wide reports whether it asks for more than a part of the cluster.
	Wide(part float64) bool
	// RefusedS is how long it has been refused so far, in seconds.
	RefusedS() float64
	// Stuck reports whether nothing runs and no job is to come.
	Stuck() bool
}

// Inspector is a fixed rule that refuses.
type Inspector struct {
	Name, Doc string
	Refuses   func(q Question) bool
}

// InspectorOf is the inspector of a name.
func InspectorOf(name string) (Inspector, error) {
	all := Inspectors()
	if i := slices.IndexFunc(all, func(r Inspector) bool { return r.Name == name }); i >= 0 {
		return all[i], nil
	}
	return Inspector{}, fmt.Errorf("inspector %q: unknown, expected one of %v", name, InspectorNames())
}

// InspectorNames lists the fixed inspectors.
func InspectorNames() []string {
	var out []string
	for _, r := range Inspectors() {
		out = append(out, r.Name)
	}
	return out
}

// Inspectors lists the fixed inspectors. The first has three conditions.
func Inspectors() []Inspector {
	return []Inspector{
		WideAndFull(Wide, RefusedS),
		{"never", "refuse nothing: the base rule as it is", func(Question) bool { return false }},
		{"full-once", "refuse what cannot run and was never refused",
			func(q Question) bool { return !q.Fits() && q.RefusedS() == 0 }},
		{"full", "refuse what cannot run: the rule picks anew at each event",
			func(q Question) bool { return !q.Fits() && !q.Stuck() }},
		{"always-6-times", "refuse each job six times, which is 3600 s",
			func(q Question) bool { return q.RefusedS() < 3600 }},
	}
}

// Wide and RefusedS are the bounds of wide-and-full as published: a part of the cluster, and seconds.
const Wide, RefusedS = 0.25, 4320

// WideAndFull is the inspector of three conditions with bounds of its own: what cannot run, is wider than
// a part of the cluster and was refused for less than refusedS seconds is refused.
func WideAndFull(wide, refusedS float64) Inspector {
	return Inspector{"wide-and-full",
		"refuse what cannot run, is wider than a quarter of the cluster and was refused less than 4320 s",
		func(q Question) bool { return !q.Fits() && q.Wide(wide) && q.RefusedS() < refusedS }}
}
