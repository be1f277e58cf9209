package mix

import (
	"slices"
	"strconv"
	"strings"

	"tarry/baselines/mixture"
	"tarry/env/mix/queues"
	"tarry/env/model"
	"tarry/env/schedenv"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// The protocols, and what is observed beside nothing.
const (
	fair      = "fair"
	improper  = "improper"
	ofCluster = "cluster"
	ofQueues  = "queues"
)

// options are settings in the words in which they are given.
type options struct {
	protocol, observe string
	members, mixture  []string
	every             float64
	arrivals          [2]float64
	buffer, slots     int
	discount          float64
}

// Rows are all settings of Make.
func Rows() []setting.Row {
	var o options
	return slices.Concat(o.rows(), []setting.Row{schedenv.MixtureRow(&o.mixture)}, schedenv.Rows())
}

// own lists the settings of one protocol.
func own(protocol string) []string {
	if protocol == improper {
		return []string{"arrivals", "buffer", "slots", "discount"}
	}
	return []string{"every", "mixture"}
}

func (o *options) rows() []setting.Row {
	*o = options{protocol: fair, observe: "none", every: 0.25, arrivals: [2]float64{0.49, 0.49}, buffer: 25, slots: 200,
		discount: 0.9}
	return []setting.Row{
		{Key: "protocol", To: &o.protocol, Names: []string{fair, improper}, Doc: "fair: schedulers over the simulator | " +
			"improper: two queues with one server, of which exact values are known"},
		{Key: "members", Read: o.readMembers, Show: func() string { return strings.Join(mixture.Members(), "+") },
			Doc: "policies that take turns, NAME+NAME+..., with settings NAME:key=value; with protocol=improper of serve1, " +
				"serve2, longest, by default serve1+serve2"},
		{Key: "observe", To: &o.observe, Names: []string{"none", ofCluster, ofQueues}, Doc: "none: the constant 1 | " +
			"cluster: features of the cluster | queues: both queues, with protocol=improper"},
		{Key: "every", To: &o.every, Low: 1e-3, High: 1e4, Unit: "leases", Doc: "length of a turn, with protocol=fair"},
		{Key: "arrivals", Read: o.readArrivals, Show: func() string { return "0.49+0.49" },
			Doc: "chance of a job in each queue per slot, a+b, with protocol=improper"},
		{Key: "buffer", To: &o.buffer, Low: 1, High: 1000, Doc: "most jobs in a queue, with protocol=improper"},
		{Key: "slots", To: &o.slots, Low: 1, High: 1e6, Doc: "slots of an episode, with protocol=improper"},
		{Key: "discount", To: &o.discount, High: 0.999999, Doc: "discount of the cost per slot, with protocol=improper"},
	}
}

func (o *options) readMembers(s *param.Set) {
	def := mixture.Members()
	if o.protocol == improper {
		def = queues.Rules()[:2]
	}
	o.members = s.Texts("members", def)
}

func (o *options) readArrivals(s *param.Set) {
	texts := s.Texts("arrivals", []string{"0.49", "0.49"})
	for i, one := range texts {
		p, err := strconv.ParseFloat(strings.TrimSpace(one), 64)
		if err != nil || len(texts) != len(o.arrivals) {
			s.FaultAt("arrivals", "arrivals are %s, expected two numbers, a+b", strings.Join(texts, "+"))
			return
		}
		o.arrivals[i] = p
	}
}

// read reads the settings of a protocol.
func (o *options) read(s *param.Set) {
	setting.Read(s, o.rows())
	other, wrong := improper, ofQueues
	if o.protocol == improper {
		other, wrong = fair, ofCluster
	}
	for _, key := range own(other) {
		if s.Has(key) {
			s.FaultAt(key, "%s is given, expected it with protocol=%s alone", key, other)
		}
	}
	if o.observe == wrong {
		s.FaultAt("observe", "observe is %s, expected it with protocol=%s alone", wrong, other)
	}
}

// improperConfig reads the configuration of protocol=improper.
func improperConfig(s *param.Set) model.Config[*Queues] {
	var o options
	o.read(s)
	c := Queueing{Settings: model.ReadSettings(s), Spec: queues.Spec{Arrival: o.arrivals, Buffer: o.buffer},
		Members: o.members, Slots: o.slots, Discount: o.discount, Observe: o.observe == ofQueues}
	if err := c.check(); err != nil {
		s.Fault("%v", err)
	}
	return c.model()
}
