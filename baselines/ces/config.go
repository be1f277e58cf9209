package ces

import (
	"math"
	"strconv"

	"tarry/sim"
	"tarry/sim/param"
)

// config is the settings; notes are one per tick.
type config struct {
	forecast                 string
	history, future          int
	hisBy, futBy, deBy       float64
	keep                     int
	buffer                   int // machines; -1 = auto
	tick, idle, boot         sim.Time
	ridge                    float64
	idleWatts, busyW, sleepW float64
}

// warm is the number of ticks at the start at which machines sleep without a look at trends: the
// authors' first hour.
const warm = 6

// all is more machines than there are.
const all = math.MaxInt32

// constants are the authors' for one of their clusters.
type constants struct {
	name               string
	history, future    int
	hisBy, futBy, deBy float64
	keep               int
}

// sites are from CES_Helios.py and CES_Philly.py, without the buffers.
func sites() []constants {
	return []constants{
		{"saturn", 6, 18, 1, 1, 1, 12},
		{"earth", 6, 18, 1, 1, 5, 12},
		{"venus", 3, 18, 0.5, 1, 2, 12},
		{"uranus", 3, 18, 1, 1, 1, 12},
		{"philly", 2, 30, 0.1, 0, 1, 10},
	}
}

// read takes the settings.
func (c *config) read(s *param.Set) {
	c.forecast = s.Enum("forecast", "fitted", "last", "day", "none", "perfect-off")
	names, site := []string{}, sites()[0]
	for _, x := range sites() {
		names = append(names, x.name)
	}
	name := s.Enum("site", names...)
	for _, x := range sites() {
		if x.name == name {
			site = x
		}
	}
	c.history, c.future = s.Int("history", site.history, 1, 1<<12), s.Int("future", site.future, 1, 1<<12)
	c.hisBy, c.futBy, c.deBy = s.Float("his_threshold", site.hisBy, -1e9, 1e9),
		s.Float("fut_threshold", site.futBy, -1e9, 1e9), s.Float("de_threshold", site.deBy, 0, 1e9)
	c.keep = s.Int("keep", site.keep, 0, 1<<20)
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
	c.tick = sim.Seconds(s.Float("tick_s", 600, 1, 86400))
	c.idle, c.boot = sim.Seconds(s.Float("idle_s", 600, 0, 1e9)), max(1, sim.Seconds(s.Float("boot_s", 300, 0, 1e9)))
	c.ridge = s.Float("ridge", 1, 0, 1e9)
	c.idleWatts, c.busyW, c.sleepW = s.Float("idle_w", 800, 0, 1e6), s.Float("busy_w", 250, 0, 1e6),
		s.Float("sleep_w", 0, 0, 1e6)
	if day := int(86400 * sim.Second / c.tick); c.forecast != "none" && c.forecast != "perfect-off" &&
		2*c.future > day {
		s.Fault("future is %d of %d ticks a day, expected at most half of them", c.future, day)
	}
}

// spare is the buffer on a cluster of n machines.
func (c *config) spare(n int) int {
	switch {
	case c.buffer >= 0:
		return c.buffer
	case c.forecast == "none":
		return 0
	}
	return (3*n + 99) / 100
}
