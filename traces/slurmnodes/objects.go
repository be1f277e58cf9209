package slurmnodes

import (
	"encoding/json"
	"fmt"
	"strings"

	"tarry/sim/tabular"
	"tarry/traces/nodes"
)

// number is a number as Slurm's JSON writes it, plain or in an object.
type number int64

// UnmarshalJSON takes 4, "4" and {"set": true, "number": 4}.
func (n *number) UnmarshalJSON(b []byte) error {
	var in struct {
		Number int64 `json:"number"`
	}
	if len(b) > 0 && b[0] == '{' {
		err := json.Unmarshal(b, &in)
		*n = number(in.Number)
		return err
	}
	return json.Unmarshal([]byte(strings.Trim(string(b), `"`)), (*int64)(n))
}

// texts is a list of texts, or one text.
type texts []string

// UnmarshalJSON takes "IDLE" and ["IDLE", "DRAIN"].
func (t *texts) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, (*[]string)(t))
	}
	var one string
	err := json.Unmarshal(b, &one)
	*t = texts{one}
	return err
}

// showNode is a node of scontrol show nodes --json.
type showNode struct {
	Name       string `json:"name"`
	Gres       string `json:"gres"`
	TRES       string `json:"tres"`
	CPUs       number `json:"cpus"`
	RealMemory number `json:"real_memory"`
	State      texts  `json:"state"`
	Partitions texts  `json:"partitions"`
}

// span is a range of amounts in a group of nodes.
type span struct {
	Minimum number `json:"minimum"`
	Maximum number `json:"maximum"`
}

// group is an entry of sinfo --json: nodes of a partition that are alike.
type group struct {
	Node struct {
		State texts `json:"state"`
	} `json:"node"`
	Nodes struct {
		Nodes []string `json:"nodes"`
	} `json:"nodes"`
	CPUs   span `json:"cpus"`
	Memory span `json:"memory"`
	Gres   struct {
		Total string `json:"total"`
	} `json:"gres"`
	Partition struct {
		Name string `json:"name"`
	} `json:"partition"`
}

// readObjects reads the JSON of sinfo or scontrol.
func readObjects(in *tabular.Stream, l *nodes.List) error {
	c := newCluster(l)
	found := false
	err := tabular.Document(l.Name(), in, func(key, _ string, line int, value json.RawMessage) error {
		var r []record
		var err error
		switch key {
		case "nodes":
			r, err = ofShow(value)
		case "sinfo":
			r, err = ofGroup(value)
		default:
			return nil
		}
		found = true
		if err != nil {
			return l.Fault(line, key, shorten(string(value)), err.Error())
		}
		for _, one := range r {
			one.line = line
			if err := c.join(one); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("%s: no list \"nodes\" or \"sinfo\", expected the output of scontrol show nodes --json or "+
			"sinfo --json", l.Name())
	}
	return c.add()
}

func ofShow(value json.RawMessage) ([]record, error) {
	var n showNode
	if err := json.Unmarshal(value, &n); err != nil {
		return nil, fmt.Errorf("a node as scontrol --json prints it (%v)", err)
	}
	gpus, err := nodes.Gres(n.Gres)
	if err == nil && len(gpus) == 0 {
		gpus, err = ofTRES(n.TRES)
	}
	return []record{{name: n.Name, gpus: gpus, cpuMilli: milli(n.CPUs), memMiB: int64(n.RealMemory),
		partitions: n.Partitions, state: strings.Join(n.State, "+")}}, err
}

func ofGroup(value json.RawMessage) ([]record, error) {
	var g group
	if err := json.Unmarshal(value, &g); err != nil {
		return nil, fmt.Errorf("a group of nodes as sinfo --json prints it (%v)", err)
	}
	gpus, err := nodes.Gres(g.Gres.Total)
	if err != nil {
		return nil, err
	}
	var out []record
	for _, name := range g.Nodes.Nodes {
		out = append(out, record{name: name, gpus: gpus, cpuMilli: milli(g.CPUs.Minimum), memMiB: int64(g.Memory.Minimum),
			partitions: []string{g.Partition.Name}, state: strings.Join(g.Node.State, "+")})
	}
	return out, nil
}

// milli is a number of cores in thousandths; what does not fit is refused with the node.
func milli(cores number) int64 { return min(max(int64(cores), -1), 1<<50) * 1000 }
