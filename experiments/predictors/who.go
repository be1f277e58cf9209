package predictors

import "strings"

// The predictors: exact has each run time, sigma-S are users' guesses of all jobs whose log is
// off by S N(0, 1), the others learn.
const (
	exact   = "exact"
	guesses = "sigma-"
	asked   = "request"
)

// fitted are the predictors that learn from jobs that ended and stand alone; learners has all.
func fitted() []string { return []string{"global", "size", "user-size", "last2", asked, "ridge"} }

// sigmas are the errors of guesses, the largest first.
func sigmas() []string { return []string{"2", "1", "0.5", "0.25"} }

// kind is a family of orders by predictions, and the rule of the same kind that needs none.
type kind struct {
	name, base, what string
	orders           []string
}

// kinds are the schedulers. srtf:by=gittins is gittins.
func kinds() []kind {
	own := ",evict=later,margin=1"
	return []kind{
		{"nonpreemptive", "fifo-fit", "orders that do not preempt",
			[]string{"sjf:by=estimate", "qssf", "easy", "conservative"}},
		{"preemptive", "las", "orders that preempt and place anywhere", []string{"srtf:by=left", "gittins"}},
		{"dally", "dally", "orders of Dally's contest, with a margin of 1",
			[]string{"dally:order=gittins" + own, "dally:order=psrpt" + own, "dally:order=psrsf" + own}},
	}
}

// bars are the clairvoyant orders without a margin.
func bars() []string { return []string{"dally:order=srpt,evict=later", "dally:order=srsf,evict=later"} }

// shortened leaves out what all of Dally's orders share.
func shortened(policy string) string { return strings.TrimSuffix(policy, ",evict=later,margin=1") }

// stating lists the settings whose users state run times; without them the predictor request has
// nothing to read.
func stating() []string {
	return []string{"kth-sp2", "sdsc-sp2", "sdsc-blue", "llnl-atlas", "curie-thin-120d"}
}
