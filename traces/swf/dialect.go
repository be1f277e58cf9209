package swf

import (
	"strconv"
	"strings"

	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// least is how many fields a line must have: up to the processors allocated.
const least = 5

// lines counts the lines that have not 18 fields. The fields that are missing at the end of a short
// one are unknown; those behind the 18 of a long one are not read.
type lines struct {
	short, long, most int
	rows              int // before the one in hand
}

// fit gives a line its 18 fields. A short one behind whole ones that ends the file without a line
// end is wrong: it may be cut off within a number.
func (l *lines) fit(fields []string, cut bool) ([]string, bool) {
	n := len(columns())
	switch {
	case len(fields) > n:
		l.long++
		l.most = max(l.most, len(fields))
		return fields[:n], true
	case len(fields) < least:
		return nil, false
	case cut && l.rows > l.short:
		return nil, false
	}
	l.short++
	for len(fields) < n {
		fields = append(fields, "-1")
	}
	return fields, true
}

func (l *lines) note(c *intake.Collector) {
	if l.short > 0 {
		c.Note("%d lines have less than 18 fields: those missing at their end are taken as unknown", l.short)
	}
	if l.long > 0 {
		c.Note("%d lines have more than 18 fields, up to %d: those behind the 18 are not read", l.long, l.most)
	}
}

// titles reports whether a row names columns in place of a job: words whose first four are of the
// job, its submit, wait and run, in the order of the format.
func titles(row *tabular.Row) bool {
	for i, parts := range [...][]string{{"id", "job", "num"}, {"sub", "arriv"}, {"wait"}, {"run"}} {
		word, found := strings.ToLower(row.Field(i)), false
		for _, p := range parts {
			found = found || strings.Contains(word, p)
		}
		if !found {
			return false
		}
	}
	return true
}

// header is what the comments before the first row state of the machine; 0 = nothing.
type header struct {
	processors, nodes int
	start             int64             // of the log, in seconds since 1970
	words             map[string]string // by number of a partition
}

// remark reads "; MaxProcs: 128", "; MaxNodes: 128", "; UnixStartTime: 846890245" and
// "; Partition: 8 hybrid", in any case and with any blanks.
func (h *header) remark(line string) {
	key, value, ok := strings.Cut(strings.TrimLeft(line, ";# \t"), ":")
	words := strings.Fields(value)
	if !ok || len(words) == 0 {
		return
	}
	to := &h.nodes
	switch strings.ToLower(strings.TrimSpace(key)) {
	case "maxprocs":
		to = &h.processors
	case "maxnodes":
	case "unixstarttime":
		h.start, _ = strconv.ParseInt(words[0], 10, 64) // 0 where it is none
		return
	case "partition":
		h.name(words)
		return
	default:
		return
	}
	if n, err := strconv.Atoi(words[0]); err == nil && *to == 0 && n > 0 && n <= intake.MaxGPUs {
		*to = n
	}
}

// maxPartitions bounds the names that are kept.
const maxPartitions = 1000

// name keeps the word for a partition, where it has one of its own.
func (h *header) name(words []string) {
	if len(words) == 3 && words[1] == "-" {
		words = []string{words[0], words[2]}
	}
	if len(words) != 2 || len(h.words) == maxPartitions {
		return
	}
	for _, other := range h.words {
		if strings.EqualFold(other, words[1]) {
			return
		}
	}
	if h.words == nil {
		h.words = map[string]string{}
	}
	h.words[words[0]] = words[1]
}

// partition is the name of a partition by its number, "" where that is unknown.
func (h *header) partition(number string) string {
	if word, ok := h.words[number]; ok {
		return word
	}
	return number
}

// maxChain bounds the jobs whose ends are kept, in some 50 MB.
const maxChain = 1_000_000

// chain counts the jobs that name a preceding job among those read before them.
type chain struct {
	ends        map[int64]int64 // in the log, by number of the job
	jobs, early int
}

func (c *chain) add(row *tabular.Row, submit, ran int64) {
	number, _ := tabular.ParseWhole(row.Text("job"))
	before, named := tabular.ParseWhole(row.Text("preceding"))
	if end, ok := c.ends[before]; named && ok {
		if c.jobs++; submit < end {
			c.early++
		}
	}
	if c.ends == nil {
		c.ends = map[int64]int64{}
	}
	if len(c.ends) < maxChain {
		wait, _ := tabular.ParseMicros(row.Text("wait"))
		c.ends[number] = submit + max(wait, 0) + ran
	}
}

func (c *chain) note(to *intake.Collector) {
	if c.jobs > 0 {
		to.Note("%d jobs name a preceding job, for which no simulation waits: submits stay the log's own; %d of them "+
			"were submitted before that job ended", c.jobs, c.early)
	}
}
