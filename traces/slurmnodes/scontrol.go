package slurmnodes

import (
	"fmt"
	"strings"

	"tarry/sim/account"
	"tarry/sim/entry"
	"tarry/sim/preset"
	"tarry/sim/tabular"
	"tarry/traces/nodes"
)

// Scontrol reads what scontrol show nodes prints, and the racks of scontrol show topology.
func Scontrol(path string, opt entry.ClusterOptions) (preset.Cluster, *account.Report, error) {
	return nodes.File(path, opt, readScontrol)
}

// FitsScontrol recognises what scontrol prints.
func FitsScontrol(h *entry.Head) bool {
	line := h.Line()
	key, _, _ := strings.Cut(line, "=")
	return begins(key) || h.Lists("nodes", "real_memory")
}

func readScontrol(in *tabular.Stream, l *nodes.List) error {
	if in.First() == '{' {
		return readObjects(in, l)
	}
	all, err := lines(in, l.Name())
	if err != nil {
		return err
	}
	s := scontrol{l: l, cluster: newCluster(l)}
	for i, line := range all {
		for _, word := range strings.Fields(line) {
			if err := s.word(i+1, word); err != nil {
				return err
			}
		}
		if strings.TrimSpace(line) == "" {
			err = s.end()
		}
		if err != nil {
			return err
		}
	}
	if err := s.end(); err != nil {
		return err
	}
	if !s.seen {
		return fmt.Errorf("%s:1: no NodeName=, expected the output of scontrol show nodes", l.Name())
	}
	return s.cluster.add()
}

// scontrol reads words: KEY=VALUE begins a field, and other words belong to the field before them.
type scontrol struct {
	l       *nodes.List
	cluster *cluster
	// kind is the key that began the record, fields its fields; "" = there is none.
	kind   string
	line   int
	fields map[string]string
	last   string
	// seen states that there was a node, right or wrong.
	seen bool
}

// begins reports whether a key begins a record.
func begins(key string) bool { return key == "NodeName" || key == "SwitchName" || key == "BlockName" }

func (s *scontrol) word(line int, word string) error {
	key, value, ok := strings.Cut(word, "=")
	if ok && begins(key) {
		if err := s.end(); err != nil {
			return err
		}
		s.kind, s.line, s.fields = key, line, map[string]string{}
	}
	switch {
	case s.kind == "":
		return fmt.Errorf("%s:%d: %q stands before the first node, expected NodeName=NAME, as scontrol show nodes prints "+
			"it", s.l.Name(), line, shorten(word))
	case ok && isKey(key):
		if s.last = key; s.fields[key] == "" {
			s.fields[key] = value
		}
	default:
		s.fields[s.last] += " " + word
	}
	return nil
}

// isKey reports whether a text may be a field's key.
func isKey(key string) bool {
	return key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:") == ""
}

// end finishes a record.
func (s *scontrol) end() error {
	kind := s.kind
	s.kind = ""
	switch kind {
	case "NodeName":
		return s.node()
	case "SwitchName", "BlockName":
		return s.rack(kind)
	}
	return nil
}

func (s *scontrol) rack(kind string) error {
	if level := s.fields["Level"]; level != "" && level != "0" {
		return nil // its nodes stand under the switches below
	}
	names, err := nodes.Hosts(s.fields["Nodes"])
	if err != nil {
		return s.l.Fault(s.line, "Nodes", s.fields["Nodes"], err.Error())
	}
	for _, n := range names {
		s.cluster.racks[n] = s.fields[kind]
	}
	return nil
}

func (s *scontrol) node() error {
	f := s.fields
	s.seen = true
	r := record{line: s.line, state: f["State"]}
	if f["CPUTot"] == "" { // a line of slurm.conf, whose State is the one at the start
		f["CPUTot"], r.state = f["CPUs"], strings.TrimPrefix(strings.ToLower(r.state), "unknown")
	}
	var err error
	if r.gpus, err = nodes.Gres(f["Gres"]); err != nil {
		return s.l.Fault(s.line, "Gres", f["Gres"], err.Error())
	}
	if len(r.gpus) == 0 {
		if r.gpus, err = ofTRES(f["CfgTRES"]); err != nil {
			return s.l.Fault(s.line, "CfgTRES", f["CfgTRES"], err.Error())
		}
	}
	if r.cpuMilli, err = amount(f["CPUTot"], 1000); err != nil {
		return s.l.Fault(s.line, "CPUTot", f["CPUTot"], err.Error())
	}
	if r.memMiB, err = amount(f["RealMemory"], 1); err != nil {
		return s.l.Fault(s.line, "RealMemory", f["RealMemory"], err.Error())
	}
	if p := f["Partitions"]; p != "" && p != "(null)" {
		r.partitions = strings.Split(p, ",")
	}
	names, err := nodes.Hosts(f["NodeName"])
	if err != nil || len(names) == 0 {
		return s.l.Fault(s.line, "NodeName", f["NodeName"], fmt.Sprintf("a name, or a list such as gpu[01-04] (%v)", err))
	}
	for _, r.name = range names {
		if err := s.cluster.join(r); err != nil {
			return err
		}
	}
	return nil
}

// ofTRES gives the GPUs of trackable resources: the entries with a type, or else the one without.
func ofTRES(text string) ([]nodes.GPUs, error) {
	var typed, plain []string
	for one := range strings.SplitSeq(text, ",") {
		name, count, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(one), "gres/"), "=")
		switch {
		case name == "gpu":
			plain = append(plain, "gpu:"+count)
		case strings.HasPrefix(name, "gpu:"):
			typed = append(typed, name+":"+count)
		}
	}
	if len(typed) > 0 {
		plain = typed
	}
	return nodes.Gres(strings.Join(plain, ","))
}
