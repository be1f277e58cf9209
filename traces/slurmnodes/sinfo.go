// Package slurmnodes reads the nodes of a Slurm cluster: what sinfo -N and scontrol show nodes
// print, as text or as JSON.
//
// sinfo (sinfo.go) prints a header and a row for each node and partition. Columns are known by
// their headers, in any order, between blanks or the bars of -o "%N|%P|%G|%c|%m|%t": NODELIST (or
// HOSTNAMES), PARTITION, GRES, CPUS, MEMORY in MiB, and STATE. Rows of one node in several
// partitions are joined, and lists of hosts such as gpu[01-04] are several nodes.
//
// scontrol show nodes (scontrol.go) prints KEY=VALUE in blocks or, with -o, in lines; scontrol show
// topology prints SwitchName=... Nodes=..., and may stand before or behind in the same file: its
// switches of level 0 are the racks. With --json both print objects (objects.go).
//
// A GPU is counted from GRES, or from CfgTRES where there is no GRES; typed and untyped entries of
// TRES state the same GPUs and are not added. Nodes that are down, drained, failing, in maintenance
// or not responding take no jobs.
//
// The manual pages sinfo(1) and scontrol(1) of Slurm 21 to 24 describe the formats.
package slurmnodes

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/account"
	"tarry/sim/entry"
	"tarry/sim/preset"
	"tarry/sim/tabular"
	"tarry/traces/nodes"
)

// Sinfo reads what sinfo prints.
func Sinfo(path string, opt entry.ClusterOptions) (preset.Cluster, *account.Report, error) {
	return nodes.File(path, opt, readSinfo)
}

// FitsSinfo recognises what sinfo prints.
func FitsSinfo(h *entry.Head) bool {
	if h.Lists("sinfo", "partition") {
		return true
	}
	names := columnsOf(h.Line())
	return slices.Contains(names, "node") && (slices.Contains(names, "gres") || slices.Contains(names, "partition"))
}

// maxText bounds a file of nodes.
const maxText = 256 << 20

// lines gives the lines of a file.
func lines(in *tabular.Stream, name string) ([]string, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxText+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxText {
		return nil, fmt.Errorf("%s: larger than %d bytes, expected a list of nodes", name, maxText)
	}
	return strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), nil
}

// columnNames lists the columns that are read by the headers that sinfo gives them with -o, -O and
// -l.
func columnNames() map[string]string {
	return map[string]string{"NODELIST": "node", "NODE": "node", "NODEHOST": "node", "HOSTNAMES": "node",
		"HOSTNAME": "node", "NODENAME": "node", "PARTITION": "partition", "PARTITIONNAME": "partition",
		"GRES": "gres", "CPUS": "cpus", "CPUS(A/I/O/T)": "cpus", "MEMORY": "memory", "STATE": "state",
		"STATECOMPACT": "state", "STATELONG": "state", "REASON": "rest"}
}

// columnsOf gives the meaning of each header of a line; "" = it is not read.
func columnsOf(line string) []string {
	var out []string
	for _, h := range cells(line) {
		out = append(out, columnNames()[strings.ToUpper(h)])
	}
	return out
}

// cells cuts a line at bars, or else at blanks.
func cells(line string) []string {
	if !strings.Contains(line, "|") {
		return strings.Fields(line)
	}
	out := strings.Split(line, "|")
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

// wanted is the command whose output has all that is read.
const wanted = `sinfo -N -o "%N|%P|%G|%c|%m|%T"`

func readSinfo(in *tabular.Stream, l *nodes.List) error {
	if in.First() == '{' {
		return readObjects(in, l)
	}
	all, err := lines(in, l.Name())
	if err != nil {
		return err
	}
	s := sinfo{l: l, cluster: newCluster(l)}
	for i, line := range all {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if s.columns == nil {
			if names := columnsOf(line); slices.Contains(names, "node") {
				s.columns, s.head = names, line
			} else if i > 0 || strings.Contains(line, "|") || !isDate(line) { // -l prints it first
				return fmt.Errorf("%s:%d: %q is no header of sinfo, expected the output of %s", l.Name(), i+1,
					shorten(line), wanted)
			}
			continue
		}
		if line == s.head {
			continue // a header once more, as sinfo -i prints it
		}
		if err := s.row(i+1, line); err != nil {
			return err
		}
	}
	if s.columns == nil {
		return fmt.Errorf("%s:1: the file is empty, expected the output of %s", l.Name(), wanted)
	}
	if !slices.Contains(s.columns, "gres") {
		return fmt.Errorf("%s: no column GRES, expected the output of %s", l.Name(), wanted)
	}
	return s.cluster.add()
}

// isDate reports whether a line is a date, such as Fri Nov 27 10:00:00 2026.
func isDate(line string) bool {
	n := len(strings.Fields(line))
	return (n == 5 || n == 6) && strings.Count(line, ":") == 2
}

func shorten(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

type sinfo struct {
	l       *nodes.List
	cluster *cluster
	columns []string
	head    string
}

// row reads one row; its fields are as many as the headers, but for a reason at the end.
func (s *sinfo) row(line int, text string) error {
	have := cells(text)
	n := len(s.columns)
	if s.columns[n-1] == "rest" && len(have) >= n-1 {
		have = append(have[:n-1:n-1], "")
	}
	if len(have) != n {
		return s.l.Fault(line, "row", text, fmt.Sprintf("%d fields, as the header has: longer values run together "+
			"with -O, print the nodes with %s", n, wanted))
	}
	r := record{line: line}
	names := ""
	for i, v := range have {
		if err := s.field(&r, &names, s.columns[i], v); err != nil {
			return s.l.Fault(line, strings.ToUpper(s.columns[i]), v, err.Error())
		}
	}
	hosts, err := nodes.Hosts(names)
	if err != nil {
		return s.l.Fault(line, "NODELIST", names, err.Error())
	}
	for _, name := range hosts {
		r.name = name
		if err := s.cluster.join(r); err != nil {
			return err
		}
	}
	return nil
}

// field takes one field; the error states what was expected.
func (s *sinfo) field(r *record, names *string, column, v string) (err error) {
	switch column {
	case "node":
		*names = v
	case "partition":
		r.partitions = []string{strings.TrimSuffix(v, "*")}
	case "gres":
		r.gpus, err = nodes.Gres(v)
	case "cpus":
		if at := strings.LastIndex(v, "/"); at >= 0 {
			v = v[at+1:]
		}
		r.cpuMilli, err = amount(v, 1000)
	case "memory":
		r.memMiB, err = amount(v, 1)
	case "state":
		r.state = v
	}
	return err
}

// amount reads a whole number, of which + behind it states that some nodes have more.
func amount(v string, times int64) (int64, error) {
	v = strings.TrimSuffix(v, "+")
	if v == "" || v == "N/A" || v == "(null)" {
		return 0, nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 || n > 1_000_000_000 {
		return 0, errors.New("a whole number from 0 to 1000000000")
	}
	return n * times, nil
}
