package speed

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/network"
	"tarry/sim/param"
	"tarry/sim/tabular"
)

// columns of a table in order of network.Level; two levels finer than a slot may stand between the
// first two and must be empty.
const (
	colModel    = "model"
	colFraction = "compute_fraction"
)

// maxFaults bounds how many faults a reader reports.
const maxFaults = 20

func levelColumns() [network.Levels]string {
	return [network.Levels]string{"intra_ring_gpus", "slots", "machines_or_scattered_in_rack",
		"racks_or_scattered_in_network"}
}

// Table reads compute fractions per model and shape from a file: measured ones, or
// another simulator's. A single GPU needs no row: its fraction is 1.
//
// An allocation's row is found by network.Layout.Counted: racks, then machines, then slots
// divide the GPUs; where they do not divide evenly the rest is one flat ring or switch at that
// level. An empty cell, 0 and 1 all mean that the level is not used.
//
// The file is a table of data, not of settings: it is read as CSV here and not by sim/param.
type Table struct {
	clocks   clocks
	topo     *cluster.Topology
	file     string
	rows     map[tableKey]float64
	ids      map[string]int32 // lower-case model name -> id
	seen     map[string]int32 // job's model name -> id, -1 = none
	fallback sim.SpeedModel
	fitted   map[int32]bool // models whose profile was calibrated for the fallback
}

type tableKey struct {
	model int32
	units [network.Levels]int32
}

// OpenTable reads a file; see ReadTable.
func OpenTable(file string, t *cluster.Topology, fallback sim.SpeedModel, ts Types) (*Table, error) {
	r, err := tabular.OpenTable(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return ReadTable(r, file, t, fallback, ts)
}

// ReadTable reads comma-separated values with a header: model, compute_fraction in (0, 1], and the
// shape's columns intra_ring_gpus, slots, machines_or_scattered_in_rack,
// racks_or_scattered_in_network; dim1 and dim2 are levels that our clusters do not have and must be
// empty. A missing row is an error of Speed unless fallback is set, which then answers; a
// *Collective is calibrated on the model's rows first (calibrate.go). All faults, up to 20, are
// reported as file:line.
func ReadTable(r io.Reader, file string, t *cluster.Topology, fallback sim.SpeedModel, ts Types) (*Table, error) {
	m := &Table{clocks: newClocks(t, ts), topo: t, file: file, fallback: fallback,
		rows: map[tableKey]float64{}, ids: map[string]int32{}, seen: map[string]int32{}, fitted: map[int32]bool{}}
	cr := csv.NewReader(r)
	cr.FieldsPerRecord = -1
	head, err := cr.Read()
	if err != nil {
		return nil, fmt.Errorf("%s:1: %v, expected a header with %s and %s", file, err, colModel, colFraction)
	}
	at, errs := header(file, head)
	for whole := len(errs) == 0; whole && len(errs) < maxFaults; {
		rec, err := cr.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file, err))
			break
		}
		line, _ := cr.FieldPos(0)
		if len(rec) != len(head) {
			errs = append(errs, fmt.Errorf("%s:%d: %d fields, expected %d", file, line, len(rec), len(head)))
			continue
		}
		errs = append(errs, m.row(line, rec, at)...)
	}
	if len(errs) == 0 && len(m.rows) == 0 {
		errs = append(errs, fmt.Errorf("%s: no rows, expected at least one", file))
	}
	if err := ts.Validate(); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return m, nil
}

// header maps columns to positions.
func header(file string, head []string) (map[string]int, []error) {
	known := map[string]bool{colModel: true, colFraction: true, "dim1": true, "dim2": true}
	for _, c := range levelColumns() {
		known[c] = true
	}
	at := map[string]int{}
	var errs []error
	for i, c := range head {
		if !known[c] {
			errs = append(errs, fmt.Errorf("%s:1: unknown column %q", file, c))
		}
		if _, dup := at[c]; dup {
			errs = append(errs, fmt.Errorf("%s:1: column %q appears twice", file, c))
		}
		at[c] = i
	}
	for _, c := range append([]string{colModel, colFraction}, levels()...) {
		if _, ok := at[c]; !ok {
			errs = append(errs, fmt.Errorf("%s:1: column %q is missing", file, c))
		}
	}
	return at, errs
}

func levels() []string { c := levelColumns(); return c[:] }

func (m *Table) row(line int, rec []string, at map[string]int) (errs []error) {
	bad := func(col, want string) {
		errs = append(errs, fmt.Errorf("%s:%d: %s is %q, expected %s", m.file, line, col, rec[at[col]], want))
	}
	var k tableKey
	gpus := int64(1)
	for i, col := range levelColumns() {
		s := rec[at[col]]
		if s == "" {
			continue
		}
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil || n < 0 || n > 1<<20 {
			bad(col, "a whole number, 0..1048576, or nothing")
			continue
		}
		if n > 1 {
			k.units[i] = int32(n)
			gpus *= n
		}
	}
	for _, col := range [...]string{"dim1", "dim2"} {
		if i, ok := at[col]; ok && rec[i] != "" {
			bad(col, "nothing: no level is finer than a slot")
		}
	}
	f, err := strconv.ParseFloat(rec[at[colFraction]], 64)
	if err != nil || !(f > 0 && f <= 1) {
		bad(colFraction, "a number in (0, 1]")
	}
	name := strings.ToLower(rec[at[colModel]])
	if name == "" {
		bad(colModel, "a model's name")
	}
	if len(errs) > 0 {
		return errs
	}
	if gpus == 1 {
		return append(errs, fmt.Errorf("%s:%d: no units, expected a shape of at least 2 GPUs", m.file, line))
	}
	id, ok := m.ids[name]
	if !ok {
		id = int32(len(m.ids))
		m.ids[name] = id
	}
	k.model = id
	if old, dup := m.rows[k]; dup && old != f {
		return append(errs, fmt.Errorf("%s:%d: %s is %v, but an earlier row gives %v to the same model and shape",
			m.file, line, colFraction, f, old))
	}
	m.rows[k] = f
	return nil
}

// Speed looks the job's model and shape up.
func (m *Table) Speed(q *sim.Query) (sim.Speed, error) {
	clock := m.clocks.slowest(q.GPUs)
	if len(q.GPUs) <= 1 {
		return rate(q, 1, clock), nil
	}
	id := m.model(q.Job.Model)
	l := layoutOf(m.topo, q.GPUs)
	k := tableKey{model: id}
	for i, n := range l.Counted() {
		if n > 1 {
			k.units[i] = int32(n)
		}
	}
	if f, ok := m.rows[k]; ok {
		return rate(q, f, clock), nil
	}
	if m.fallback != nil {
		return m.missing(q, id)
	}
	if id < 0 {
		return sim.Speed{}, m.noRow(q.Job)
	}
	return sim.Speed{}, fmt.Errorf("%s: no row for model %q of job %q on %d GPUs: %s", m.file, q.Job.Model, q.Job.ID,
		l.GPUs, words(l, k))
}

// model finds the index of a model, -1 = it has no row.
func (m *Table) model(name string) int32 {
	id, ok := m.seen[name]
	if !ok {
		if id, ok = m.ids[strings.ToLower(name)]; !ok {
			id = -1
		}
		m.seen[name] = id
	}
	return id
}

// Lacks is the error of a job that may run on several GPUs and whose model has no row, nor a
// profile of the fallback.
func (m *Table) Lacks(j *sim.Job) error {
	if max(j.GPUs, j.MaxGPUs) <= 1 || m.model(j.Model) >= 0 {
		return nil
	}
	if m.fallback == nil {
		return m.noRow(j)
	}
	if next, ok := m.fallback.(interface{ Lacks(*sim.Job) error }); ok {
		return next.Lacks(j)
	}
	return nil
}

// noRow is the error of a job whose model the file does not have.
func (m *Table) noRow(j *sim.Job) error {
	return fmt.Errorf("%s: no row for model %q of job %q%s", m.file, j.Model, j.ID,
		param.Hint(j.Model, slices.Sorted(maps.Keys(m.ids))))
}

// words describes a shape, and the cells of its row.
func words(l network.Layout, k tableKey) string {
	var cells []string
	for i, col := range levelColumns() {
		if k.units[i] > 0 {
			cells = append(cells, fmt.Sprintf("%s=%d", col, k.units[i]))
		}
	}
	return fmt.Sprintf("%s, %s, %s (expected a row with %s)", count(l.Slots, "slot"), count(l.Machines, "machine"),
		count(l.Racks, "rack"), strings.Join(cells, ", "))
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
