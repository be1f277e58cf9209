package sleep

import (
	"math"
	"strconv"

	"tarry/sim"
	"tarry/sim/param"
)

// config is the settings.
type config struct {
	rule           string
	forecast       string
	trend          Rule // Buffer is Policy.spare
	buffer         int  // machines; -1 = auto
	tick, idle     sim.Time
	patience       sim.Time
	oneBoot, grows bool
	early          bool // machines sleep before the host decides
	ridge          float64
}

// The rules, as values of the setting.
const (
	ByTimer    = "timer"
	ByCosts    = "break-even"
	ByForecast = "forecast"
)

// Params describes the settings for the catalogue.
const Params = `host       the policy that decides who runs where, NAME or "NAME:key=value,..."
rule       when machines sleep: break-even (idle for as long as a power-off and a boot cost; without watts for idle_s) |
           timer (idle for idle_s) | forecast (Helios': use has fallen and is forecast to fall on)
idle_s     rule=timer: idle time before sleep, s
buffer     idle machines kept awake: auto (forecast: 3 %, else none) | all | N
boots      all: machines boot for all jobs that wait | one: one at a time
grow       running jobs that hold fewer GPUs than they ask for want the rest
first      whom a machine is for that is to sleep as a job comes: host | sleep, over fifo, fifo-fit, sjf and qssf alone
patience_s waiting time after which a machine boots for jobs that do not lack GPUs, s
forecast   fitted: ridge regression on what was seen | last: as now | day: as a day ago
site       saturn | earth | venus | uranus | philly: whose constants are the defaults of the next six
history    notes that the present one is compared with
future     notes ahead
his_threshold  machines fewer in use than before
fut_threshold  machines fewer in use later
de_threshold   machines to put to sleep at least
keep       ticks without sleep after a wake-up
tick_s     time between notes, s
ridge      penalty of the regression`

// all is more machines than there are.
const all = math.MaxInt32

// site is the authors' constants for one of their clusters.
type site struct {
	name  string
	trend Rule
}

// sites are from CES_Helios.py and CES_Philly.py, without the buffers.
func sites() []site {
	return []site{
		{"saturn", Rule{History: 6, Future: 18, FellBy: 1, FallBy: 1, Least: 1, Keep: 12}},
		{"earth", Rule{History: 6, Future: 18, FellBy: 1, FallBy: 1, Least: 5, Keep: 12}},
		{"venus", Rule{History: 3, Future: 18, FellBy: 0.5, FallBy: 1, Least: 2, Keep: 12}},
		{"uranus", Rule{History: 3, Future: 18, FellBy: 1, FallBy: 1, Least: 1, Keep: 12}},
		{"philly", Rule{History: 2, Future: 30, FellBy: 0.1, FallBy: 0, Least: 1, Keep: 10}},
	}
}

// read takes the settings; rule is the default.
func (c *config) read(s *param.Set, rule string) {
	rules := []string{rule}
	for _, r := range []string{ByCosts, ByTimer, ByForecast} {
		if r != rule {
			rules = append(rules, r)
		}
	}
	c.rule = s.Enum("rule", rules...)
	c.idle = sim.Seconds(s.Float("idle_s", 600, 0, 1e9))
	switch text := s.Text("buffer", "auto"); text {
	case "auto":
		c.buffer = -1
	case "all":
		c.buffer = all
	default:
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			s.Wrong("buffer", "auto, all or a number of machines >= 0")
		}
		c.buffer = int(n)
	}
	c.oneBoot = s.Enum("boots", "all", "one") == "one"
	c.early = s.Enum("first", "host", "sleep") == "sleep"
	c.grows = s.Bool("grow", true)
	c.patience = sim.Seconds(s.Float("patience_s", 600, 0, 1e9))
	c.readForecast(s)
}

// readForecast takes the settings of rule=forecast.
func (c *config) readForecast(s *param.Set) {
	c.forecast = s.Enum("forecast", "fitted", "last", "day")
	of := sites()
	names := []string{}
	for i := range of {
		names = append(names, of[i].name)
	}
	at := of[0]
	name := s.Enum("site", names...)
	for i := range of {
		if of[i].name == name {
			at = of[i]
		}
	}
	t := at.trend
	c.trend = Rule{History: s.Int("history", t.History, 1, 1<<12), Future: s.Int("future", t.Future, 1, 1<<12),
		FellBy: s.Float("his_threshold", t.FellBy, -1e9, 1e9), FallBy: s.Float("fut_threshold", t.FallBy, -1e9, 1e9),
		Least: s.Float("de_threshold", t.Least, 0, 1e9), Keep: s.Int("keep", t.Keep, 0, 1<<20)}
	c.tick = sim.Seconds(s.Float("tick_s", 600, 1, 86400))
	c.ridge = s.Float("ridge", 1, 0, 1e9)
	if day := int(86400 * sim.Second / c.tick); c.rule == ByForecast && 2*c.trend.Future > day {
		s.Fault("future is %d of %d ticks a day, expected at most half of them", c.trend.Future, day)
	}
}

// spare is the buffer on a cluster of n machines.
func (c *config) spare(n int) int {
	switch {
	case c.buffer >= 0:
		return c.buffer
	case c.rule == ByForecast:
		return (3*n + 99) / 100
	}
	return 0
}
