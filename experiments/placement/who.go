package placement

import "tarry/experiments/forms"

// dally is what all are compared with.
const dally = "dally"

// removed are Dally with one part removed, and with all of them.
func removed() []string {
	return []string{dally, "dally-nowait", "dally-consolidated", "dally:preempt=false", "dally:order=fifo", "fifo-fit"}
}

// lasting are orders that do not preempt, preempting the orders that do, with every rule of places: a
// family each, the plain form first, of which validation chooses one.
func lasting() [][]string { return placed("fifo-fit", "easy", "conservative", "slurm") }

func preempting() [][]string {
	return append(placed("las", "srtf"), []string{"tiresias", "tiresias:place=skew"})
}

// placed are orders with every rule of places, and with delay timers of one hour.
func placed(policies ...string) [][]string {
	out := forms.Placed(policies...)
	for i := range out {
		out[i] = append(out[i], out[i][2]+", 1 h")
	}
	return out
}
