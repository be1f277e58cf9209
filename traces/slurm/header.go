package slurm

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"tarry/sim/tabular"
)

// column is a field of sacct that is read.
type column int

// The fields that are read; fields of every row come first.
const (
	jobID column = iota
	jobIDRaw
	submit
	state
	start
	end
	elapsedRaw
	elapsed
	allocTRES
	allocGRES
	reqTRES
	reqGRES
	user
	uid
	account
	group
	partition
	qos
	cluster
	eligible
	timelimitRaw
	timelimit
	allocCPUS
	nodeCount
	nodeList
	columns
)

// columnNames names the fields as sacct's header does.
func columnNames() []string {
	return []string{"JobID", "JobIDRaw", "Submit", "State", "Start", "End", "ElapsedRaw", "Elapsed", "AllocTRES",
		"AllocGRES", "ReqTRES", "ReqGRES", "User", "UID", "Account", "Group", "Partition", "QOS", "Cluster",
		"Eligible", "TimelimitRaw", "Timelimit", "AllocCPUS", "NNodes", "NodeList"}
}

// freeText names the fields that hold what a user wrote, the delimiter too.
func freeText() []string {
	return []string{"JobName", "Comment", "AdminComment", "SystemComment", "Constraints", "SubmitLine", "WorkDir",
		"Extra", "Container", "Licenses"}
}

// header is what the names of fields state of the rows below them.
type header struct {
	names []string
	// delimiter is between fields; "" = fields have the widths.
	delimiter string
	// ends are the bytes behind fields of fixed width.
	ends []int
	// at is where each field that is read stands; -1 = nowhere.
	at [columns]int
	// free are the fields of free text.
	free []int
}

// Header reports whether a line names fields of sacct: the id and another field that is read.
func Header(line string) bool {
	if strings.ContainsAny(line, "0123456789") {
		return false
	}
	h := parseHeader(line)
	known := 0
	for _, i := range h.at {
		if i >= 0 {
			known++
		}
	}
	return (h.at[jobID] >= 0 || h.at[jobIDRaw] >= 0) && known > 1
}

// parseHeader finds the names and the delimiter between them: what stands between letters.
func parseHeader(line string) *header {
	h := &header{delimiter: "|"}
	line = strings.ReplaceAll(line, `"`, "")
	other := func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }
	if i := strings.IndexFunc(strings.TrimLeft(line, " "), other); i >= 0 {
		rest := strings.TrimLeft(line, " ")[i:]
		n := strings.IndexFunc(rest, unicode.IsLetter)
		if n < 0 {
			n = len(rest)
		}
		h.delimiter = rest[:n]
	}
	if strings.Trim(h.delimiter, " ") == "" {
		h.delimiter, h.names = "", strings.Fields(line)
	} else {
		h.names = strings.Split(strings.TrimSuffix(line, h.delimiter), h.delimiter)
	}
	find := func(name string) int {
		for i, n := range h.names {
			if strings.EqualFold(strings.TrimSpace(n), name) {
				return i
			}
		}
		return -1
	}
	for c, name := range columnNames() {
		h.at[c] = find(name)
	}
	for _, name := range freeText() {
		if i := find(name); i >= 0 {
			h.free = append(h.free, i)
		}
	}
	slices.Sort(h.free)
	return h
}

// header reads a line of names, and the line of dashes below it where fields have fixed widths.
func (p *log) header(l *lines) error {
	text, line, err := l.next()
	if err == io.EOF {
		return fmt.Errorf("%s:1: the file is empty, expected the fields of sacct", p.name)
	}
	if err != nil {
		return err
	}
	if !Header(text) {
		return fmt.Errorf("%s:%d: the line is %.60q, expected the names of sacct's fields, such as "+
			"JobID|Submit|ElapsedRaw|AllocTRES: write the log without --noheader", p.name, line, text)
	}
	h := parseHeader(text)
	if lacks := h.lacks(); lacks != "" {
		return fmt.Errorf("%s:%d: the log has no %s, the header has %.200q: write it with the command of tarry trace "+
			"slurm-command", p.name, line, lacks, strings.Join(h.names, "|"))
	}
	p.head = h
	if h.delimiter != "" {
		return nil
	}
	dashes, _, err := l.next()
	if err != nil && err != io.EOF {
		return err
	}
	if widths := strings.Fields(dashes); len(widths) != len(h.names) || strings.Trim(dashes, "- ") != "" {
		return fmt.Errorf("%s:%d: the line is %.60q, expected a dash for each character of the %d fields: write the "+
			"log with -P", p.name, line+1, dashes, len(h.names))
	}
	for i := 1; i <= len(dashes); i++ {
		if dashes[i-1] == '-' && (i == len(dashes) || dashes[i] == ' ') {
			h.ends = append(h.ends, i)
		}
	}
	return nil
}

// lacks names what a job cannot be read without.
func (h *header) lacks() string {
	var out []string
	has := func(what string, any ...column) {
		for _, c := range any {
			if h.at[c] >= 0 {
				return
			}
		}
		out = append(out, what)
	}
	has("Submit", submit)
	if h.at[start] < 0 || h.at[end] < 0 {
		has("ElapsedRaw (or Elapsed, or Start and End)", elapsedRaw, elapsed)
	}
	has("AllocTRES (or AllocGRES, ReqTRES, ReqGRES)", allocTRES, allocGRES, reqTRES, reqGRES)
	return strings.Join(out, ", no ")
}

// gpuColumn is the field that states the GPUs.
func (h *header) gpuColumn() column {
	for _, c := range []column{allocTRES, allocGRES, reqTRES} {
		if h.at[c] >= 0 {
			return c
		}
	}
	return reqGRES
}

// lines gives the lines of a log, of which one can be given back.
type lines struct {
	in   *tabular.Reader
	text string
	line int
	held bool
}

func (l *lines) next() (text string, line int, err error) {
	if l.held {
		l.held = false
		return l.text, l.line, nil
	}
	return l.in.Line()
}

// back gives the line to the next call of next.
func (l *lines) back(text string, line int) { l.text, l.line, l.held = text, line, true }
