package hived

import (
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `cells   what virtual clusters own: VC:LEVEL*N+LEVEL*N/VC:..., LEVEL rack, machine, slot, gpu or a number of GPUs, with @TYPE for one type of GPUs (from --quotas)
unit    machine | rack: the largest cells that a quota becomes
over    waiting: jobs run opportunistically while they wait for cells of their virtual cluster, and where they are larger | large: only where they are larger,
        which keeps the guarantee to the letter | none: larger ones are rejected
inside  fifo | las: the order within a virtual cluster
line    skip | strict: jobs that find no cells are passed over, or block those behind them
queues  bounds between the queues of las, GPU-seconds, ascending
lazy    true: a stronger job of the same virtual cluster takes a weaker one's cells first and its GPUs only when they are needed`

// config has the settings.
type config struct {
	bought []purchase
	racks  bool   // racks are bought where a quota has so many GPUs
	over   string // waiting, large or none
	bounds []sim.Time
	strict bool
	lazy   bool
}

// purchase is a number of cells that a virtual cluster owns.
type purchase struct {
	vc    string
	level string // rack, machine, slot, gpu, or empty: of so many GPUs
	gpus  int
	typ   string // of GPUs; any where typed is false
	typed bool
	n     int
}

// maxQueues bounds the queues of las, so that they and the classes of priority fit the priorities
// of cells.
const maxQueues = 16

func settings(s *param.Set) config {
	c := config{racks: s.Enum("unit", "machine", "rack") == "rack", over: s.Enum("over", "waiting", "large", "none"),
		strict: s.Enum("line", "skip", "strict") == "strict",
		lazy:   s.Bool("lazy", false)}
	las := s.Enum("inside", "fifo", "las") == "las"
	last := 0.0
	for _, b := range s.Floats("queues", []float64{3600}, 0.001, 1e12) {
		if b <= last {
			s.Fault("queues are %v after %v GPU-seconds, expected ascending", b, last)
		}
		if last = b; las {
			c.bounds = append(c.bounds, sim.Seconds(b))
		}
	}
	if len(c.bounds) >= maxQueues {
		s.Fault("queues names %d bounds, expected at most %d", len(c.bounds), maxQueues-1)
	}
	if text := s.Text("cells", ""); text != "" {
		for part := range strings.SplitSeq(text, "/") {
			vc, list, found := strings.Cut(part, ":")
			if !found {
				s.Fault("cells has %q, expected VC:LEVEL*N+LEVEL*N", part)
				continue
			}
			for item := range strings.SplitSeq(list, "+") {
				c.bought = append(c.bought, readPurchase(s, vc, item))
			}
		}
	}
	return c
}

// readPurchase reads LEVEL@TYPE*N.
func readPurchase(s *param.Set, vc, item string) purchase {
	p := purchase{vc: vc}
	what, number, found := strings.Cut(item, "*")
	n, err := strconv.Atoi(number)
	if !found || err != nil || n < 0 || n > 1e6 {
		s.Fault("cells has %q, expected a level and a number of cells, such as machine*2", item)
		return p
	}
	p.n = n
	what, p.typ, p.typed = strings.Cut(what, "@")
	switch what {
	case "rack", "machine", "slot", "gpu":
		p.level = what
	default:
		if p.gpus, err = strconv.Atoi(what); err != nil || p.gpus < 1 {
			s.Fault("cells has a level %q, expected rack, machine, slot, gpu or a number of GPUs", what)
		}
	}
	return p
}
