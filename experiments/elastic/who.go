package elastic

import "slices"

// Names of schedulers that figures and tables refer to.
const (
	dally  = "dally"
	nowait = "dally-nowait"
	bare   = "nowait-" // what the names of rules without timers begin with
)

// rules names the rules of baselines/dally for elastic jobs: each alone, and together.
func rules() []string {
	return []string{"shrink", "shrink-least", "grow", "grow-first", "grow-over", "yield", "yield-loss", "all",
		"all-deep", "all-over"}
}

// isFew reports whether a scheduler is one of the sweeps with many other values.
func isFew(name string) bool {
	few := []string{"shrink", "grow", "grow-over", "yield", "all", "all-over"}
	return name == dally || name == nowait || slices.Contains(few, name) ||
		slices.ContainsFunc(few, func(rule string) bool { return name == bare+rule })
}
