package swf

import (
	"strings"
	"testing"

	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

// read gives the jobs of a log as text, and its notes.
func read(t *testing.T, parse intake.Parse, text string) (jobs, notes string) {
	t.Helper()
	w, report, err := parse("s", strings.NewReader(text), intake.Options{Strict: true})
	if err != nil {
		return err.Error(), ""
	}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		jobs += strings.Join([]string{j.ID, j.Submit.String(), j.Work.String(), j.User, j.VC, j.GPUType, j.State}, ",") + ";"
	}
	return jobs, strings.Join(report.Notes, "|")
}

const end = " -1 -1 4 70 -1 1 3 2 -1 1 -1 -1 -1\n"

// What programs write beside the format, with the right jobs and what the account notes.
func TestDialects(t *testing.T) {
	plain, _ := read(t, Parse, "1 0 0 50 4"+end+"2 5 0 60 2"+end)
	five := "1,0s,200s,,,,;2,5s,120s,,,,;"
	const titled = "line 1 has titles in place of numbers and is left out"
	for name, c := range map[string][3]string{
		"tabs, CRLF, blanks at the ends": {strings.ReplaceAll(strings.ReplaceAll("1 0 0 50 4"+end+"2 5 0 60 2"+end,
			"\n", " \t\r\n"), " ", "\t"), plain, ""},
		"comments with #, and behind blanks": {"# a\n  ; b\n1 0 0 50 4" + end + "# c\n2 5 0 60 2" + end, plain, ""},
		"not in the order of submits":        {"2 5 0 60 2" + end + "1 0 0 50 4" + end, plain, ""},
		"21 fields": {"1 0 0 50 4" + strings.Replace(end, "\n", " {7,7} q 1:ppn=4\n", 1) + "2 5 0 60 2" + end, plain,
			"1 lines have more than 18 fields, up to 21: those behind the 18 are not read"},
		"titles": {"id\tsubmit\twait\truntime\tcpus\tused\tmem\treq\twalltime\tmemreq\tstatus\tuser\tgroup\tapp\tqueue\t" +
			"partition\tprecjob\tthink\tDAG\n1 0 0 50 4" + end + "2 5 0 60 2" + end, plain,
			titled},
		"five fields": {"1 0 0 50 4\n2 5 0 60 2\n", five,
			"2 lines have less than 18 fields: those missing at their end are taken as unknown"},
		"five fields and no last line end": {"1 0 0 50 4\n2 5 0 60 2", five,
			"2 lines have less than 18 fields: those missing at their end are taken as unknown"},
		"five fields with titles": {"jobid submit wait run cpus\n1 0 0 50 4\n2 5 0 60 2", five, titled + "|2 lines have " +
			"less than 18 fields: those missing at their end are taken as unknown"},
		"one line of five": {"1 0 0 50 4", "1,0s,200s,,,,;",
			"1 lines have less than 18 fields: those missing at their end are taken as unknown"},
		"short among whole ones": {"1 0 0 50 4" + end + "2 5 0 60 2 -1 -1 2 70 -1 1 3 2 -1 1\n", plain,
			"1 lines have less than 18 fields: those missing at their end are taken as unknown"},
		"cut off in its last line": {"1 0 0 50 4" + end + "2 5 0 60 2 -1", "s:2: 6 fields, expected 18", ""},
		"other titles": {"id wait submit runtime cpus\n1 0 0 50 4\n",
			`s:1: column "submit" is "wait", expected seconds >= 0`, ""},
		"a status of another program": {"1 0 0 50 4" + strings.Replace(end, "1 3 2", "6 3 2", 1),
			"1,0s,200s,3,1,,6;", "1 jobs have a status beyond 5, which the format does not define: kept, with the " +
				"number as their state"},
	} {
		jobs, notes := read(t, Parse, c[0])
		if first, _, _ := strings.Cut(jobs, "\n"); first != c[1] || notes != c[2] {
			t.Errorf("%s: got\n%s\n%s\nwant\n%s\n%s", name, jobs, notes, c[1], c[2])
		}
		if strings.HasPrefix(jobs, "s:") {
			continue
		}
		if _, _, err := (Published{}).Parse("s", strings.NewReader(c[0]), intake.Options{Strict: true}); err != nil {
			t.Errorf("%s: published: %v", name, err)
		}
	}
}

// Jobs that name a preceding job are counted, and how many are submitted before its end; a job that
// names itself, a later one or none is not counted.
func TestPreceding(t *testing.T) {
	row := func(job, preceding string) string { return job + " -1 -1 4 70 -1 1 3 2 -1 1 -1 " + preceding + " 0\n" }
	log := row("1 0 10 50 4", "-1") + row("2 60 0 9 1", "1") + row("3 59 0 9 1", "1.0") + row("4 70 0 9 1", "4") +
		row("5 71 0 9 1", "6") + row("6 72 0 9 1", "NaN")
	_, notes := read(t, Parse, log)
	if want := "2 jobs name a preceding job, for which no simulation waits: submits stay the log's own; 1 of them " +
		"were submitted before that job ended"; notes != want {
		t.Errorf("the notes are %q, want %q", notes, want)
	}
}

// Partitions are GPU types by the header's one word for each, or else their number.
func TestPartitions(t *testing.T) {
	row := func(job, partition string) string { return job + " -1 -1 4 70 -1 1 3 2 -1 1 " + partition + " -1 -1\n" }
	rows := row("1 0 0 50 4", "8") + row("2 0 0 50 4", "9") + row("3 0 0 50 4", "10.0") + row("4 0 0 50 4", "-1") +
		row("5 0 0 50 4", "11")
	head := ";MaxPartitions: 4\n;Partition: 8   hybrid\n; partition : 9 - thin\n; Partition: 10 two words\n" +
		"; Partition: 11 Hybrid\n"
	_, notes := read(t, Parse, head+rows)
	if want := "the rows name 4 partitions, which are not read: swf-partitions reads them as GPU types"; notes != want {
		t.Errorf("the notes are %q, want %q", notes, want)
	}
	jobs, notes := read(t, Partitions{}.Parse, head+rows)
	if want := "1,0s,200s,3,1,hybrid,completed;2,0s,200s,3,1,thin,completed;3,0s,200s,3,1,10,completed;" +
		"4,0s,200s,3,1,,completed;5,0s,200s,3,1,11,completed;"; jobs != want || notes != "" {
		t.Errorf("got %s, %s, want %s", jobs, notes, want)
	}
}

func TestPartitionsFormat(t *testing.T) {
	unique := strings.Replace(sample, "  4     50    0    5", "  6     50    0    5", 1)
	tracetest.Test(t, tracetest.Format{Parse: Partitions{}.Parse, Sample: unique, Unlisted: 3,
		Duplicate: unique + "3 45 0 100 -1 -1 -1 8 900 -1 0 4 2 -1 -1 -1 -1 -1\n"})
}

// A million of words in place of names keeps memory as it was.
func TestHeaderIsBounded(t *testing.T) {
	var h header
	for i := range 2 * maxPartitions {
		h.name([]string{strings.Repeat("1", i%50+1), strings.Repeat("a", i+1)})
	}
	if len(h.words) > maxPartitions {
		t.Errorf("%d names are kept", len(h.words))
	}
}

func FuzzPartitions(f *testing.F) {
	tracetest.Fuzz(f, Partitions{}.Parse, "; Partition: 1 a\n"+sample, "1 0 0 50 4\n", "id submit wait run\n")
}
