package synth

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/rng"
)

// Recur states how the jobs of users recur; with Templates 0 they do not, and the other fields do
// not matter.
type Recur struct {
	// Templates is how many a user has; the k-th has a share of the user's jobs proportional to
	// 1/k.
	Templates int
	// Signal is the share of the variance of log run time, among jobs of one demand, that lies
	// between templates, 0..1; the rest is the spread inside each.
	Signal float64
	// Session is how many jobs of a user in a row are runs of one template, on average; >= 1.
	Session float64
	// Renew is after how many jobs of a user, on average, one of the templates is replaced by a new
	// one; >= 1, 0 = never.
	Renew float64
	// Drift is over how many of its runs a template's median run forgets where it was (the
	// correlation is 1/e); > 0, 0 = it stays.
	Drift float64
	// Stay is after how many jobs of a user, on average, a new user comes in place; >= 1, 0 = all
	// stay.
	Stay float64
	// Site is the seed of users and templates: workloads of one site share them. 0 = each has its
	// own.
	Site uint64
	// Request is what users ask for over the median run of the template, in the median; 0 = they
	// ask for nothing.
	Request float64
	// RequestError is the standard deviation of the log of that factor from template to template;
	// >= 0.
	RequestError float64
}

// template is what a user runs again and again.
type template struct {
	model string
	class *table
	gpus  int32
	// score is the place of the template's median among the runs of its demand, as a normal score.
	score float64
	// factor is what its user asks for, over the median run.
	factor float64
	// request is the time asked for, in seconds; 0 = none.
	request float64
	// work is the expected GPU-seconds of a run.
	work float64
}

// owner is a user with the stream that all his templates come from, in turn.
type owner struct {
	name      string
	stream    *rng.Stream
	templates []template
	// last is the template that ran last.
	last int
}

// site is the users and their templates at one time.
type site struct {
	c      *Config
	seeds  rng.Source
	law    []table
	demand *rng.Choice
	model  *rng.Choice
	owners []owner
	came   int
	// userShare and share are the shares of users, and of templates among a user's.
	userShare, share []float64
	// work is the expected GPU-seconds of the next job.
	work float64
}

// newSite draws the users and templates of Site, or of the source when that is 0.
func newSite(c *Config, src rng.Source) *site {
	if t := c.tables; t != nil && t.first != nil && c.sameSite(t.first.c) {
		return t.first.clone(c)
	}
	s := &site{c: c, seeds: src}
	if c.Recur.Site > 0 {
		s.seeds = rng.Source{Seed: c.Recur.Site}
	}
	s.law = c.tabled()
	var shares, models []float64
	for _, cl := range c.classes() {
		shares = append(shares, cl.share)
	}
	s.demand = rng.NewChoice(shares)
	for _, m := range c.Models {
		models = append(models, m.Weight)
	}
	if len(models) > 0 {
		s.model = rng.NewChoice(models)
	}
	s.userShare, s.share = zipf(c.Users), zipf(c.Recur.Templates)
	s.owners = make([]owner, c.Users)
	for i := range s.owners {
		s.come(i)
	}
	return s
}

// sameSite reports whether two configurations of a Site > 0 have the same users at first.
func (c *Config) sameSite(of *Config) bool {
	return c.sameLaw(of) && c.Users == of.Users && c.Recur == of.Recur && slices.Equal(c.Models, of.Models)
}

// clone is a copy of s as it is now. Laws and shares do not change: both have
// the same ones.
func (s *site) clone(c *Config) *site {
	out := *s
	out.c, out.owners = c, slices.Clone(s.owners)
	for i := range out.owners {
		o := &out.owners[i]
		o.stream, o.templates = o.stream.Clone(), slices.Clone(o.templates)
	}
	return &out
}

// zipf is shares proportional to 1/k, of sum 1.
func zipf(n int) []float64 {
	shares, sum := make([]float64, n), 0.0
	for i := range shares {
		shares[i] = 1 / float64(i+1)
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}

// come puts a new user in a place.
func (s *site) come(place int) {
	s.came++
	o := owner{name: "u" + strconv.Itoa(s.came), templates: make([]template, s.c.Recur.Templates)}
	o.stream = s.seeds.Stream("site/" + o.name)
	for k := range s.owners[place].templates {
		s.count(place, k, -1)
	}
	s.owners[place] = o
	for k := range o.templates {
		o.templates[k] = s.draw(o.stream)
		s.count(place, k, +1)
	}
}

// renew replaces a template.
func (s *site) renew(place, k int) {
	s.count(place, k, -1)
	s.owners[place].templates[k] = s.draw(s.owners[place].stream)
	s.count(place, k, +1)
}

// move shifts the median of a template by a draw of N(0, 1), so that over all templates it keeps
// its law.
func (s *site) move(place, k int, draw float64) {
	keep := fixmath.Exp(-1 / s.c.Recur.Drift)
	t := &s.owners[place].templates[k]
	s.count(place, k, -1)
	t.score = float64(keep*t.score) + float64(math.Sqrt(1-float64(keep*keep))*draw)
	s.price(t)
	s.count(place, k, +1)
}

// count adds a template's share of the expected work, or takes it away.
func (s *site) count(place, k int, sign float64) {
	s.work += float64(sign * float64(s.userShare[place]*s.share[k]*s.owners[place].templates[k].work))
}

// draw makes a template.
func (s *site) draw(r *rng.Stream) template {
	class := s.demand.Pick(r)
	t := template{class: &s.law[class], gpus: s.law[class].gpus}
	if s.model != nil {
		t.model = s.c.Models[s.model.Pick(r)].Name
	}
	t.score = r.NormFloat64()
	t.factor = s.c.Recur.Request * fixmath.Exp(float64(s.c.Recur.RequestError*r.NormFloat64()))
	s.price(&t)
	return t
}

// price sets what follows from the score.
func (s *site) price(t *template) {
	between, inside := s.spread()
	t.work = float64(t.gpus) * t.class.mean(float64(between*t.score), inside)
	if s.c.Recur.Request > 0 {
		t.request = round(t.factor * t.class.run(float64(between*t.score)))
	}
}

// spread is the deviations between templates and inside each, of scores.
func (s *site) spread() (between, inside float64) {
	return math.Sqrt(s.c.Recur.Signal), math.Sqrt(1 - s.c.Recur.Signal)
}

// round is the next time that people ask for, in seconds: 5, 10, 15 and 30 minutes, 1, 2, 3, 4, 6,
// 8, 12 and 24 hours, then whole days.
func round(seconds float64) float64 {
	for _, minutes := range [...]float64{5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720} {
		if seconds <= minutes*60 {
			return minutes * 60
		}
	}
	return math.Ceil(seconds/86400) * 86400
}

// asks is the request for a run of the template: what the user always asks for, or enough for a
// longer run.
func (t *template) asks(run sim.Time) sim.Time {
	if t.request == 0 {
		return 0
	}
	return sim.Seconds(max(t.request, round(run.Seconds())))
}

// String reports the rule, for origins.
func (r *Recur) String() string {
	text := fmt.Sprintf("%d templates a user, the k-th with a share proportional to 1/k, %g of the variance of log "+
		"run time between templates", r.Templates, r.Signal)
	if r.Session > 1 {
		text += fmt.Sprintf(", %g jobs of one in a row", r.Session)
	}
	for _, p := range []struct {
		value float64
		what  string
	}{{r.Renew, "a template replaced after %g jobs of the user"}, {r.Stay, "a user replaced after %g jobs"},
		{r.Drift, "medians drift over %g runs"}} {
		if p.value > 0 {
			text += ", " + fmt.Sprintf(p.what, p.value)
		}
	}
	if r.Site > 0 {
		text += fmt.Sprintf("; users and templates of site %d", r.Site)
	}
	return text
}
