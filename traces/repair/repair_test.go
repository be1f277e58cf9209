package repair

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"tarry/sim"
	"tarry/sim/account"
	"tarry/sim/cluster"
	"tarry/sim/tabular"
	"tarry/traces/csvfmt"
	"tarry/traces/intake"
	"tarry/traces/philly"
)

// mended reads and repairs a file, and gives the copy as CSV.
func mended(parse intake.Parse, text string, list []string, opt Options) (string, *account.Repair, *account.Report,
	error) {
	r := &account.Repair{}
	var err error
	if r.Rules, err = Choose(list, opt); err != nil {
		return "", r, nil, err
	}
	w, report, err := parse("f", strings.NewReader(text), intake.Options{Repair: r, Strict: !r.On(account.WrongRows),
		MaxJobs: 10_000})
	if err != nil {
		return "", r, report, err
	}
	out, err := Apply(w, report, r, opt)
	if err != nil {
		return "", r, report, err
	}
	var b bytes.Buffer
	err = csvfmt.Write(&b, out)
	return b.String(), r, report, err
}

// short gives changes one a line, and jobs as id, submit, work and type.
func short(t *testing.T, text string, r *account.Repair) string {
	t.Helper()
	var b strings.Builder
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%d %s %s %q %q %s\n", c.Row, c.ID, c.Field, c.Before, c.After, c.Rule)
	}
	w, _, err := csvfmt.Parse("copy", strings.NewReader(text), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range w.Jobs {
		fmt.Fprintf(&b, "%s %g %g %s %s\n", j.ID, j.Submit.Seconds(), j.Work.Seconds(), j.GPUType, j.User)
	}
	return b.String()
}

const messy = `id,submit_s,gpus,work_s,gpu_type,state,user
a,0,1,3600,V100,Pass,u
b,50,1,100,v100,Pass,u
b,50,1,100,v100,Pass,u
b,60,1,200,v100,Pass,u
c,40,9,100,,Running,u
d,70,1,0,,Pass,u
e,30,1,5,,Pass,u
`

// Each rule makes the changes that its account names.
func TestRules(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 4, Slots: 1, Type: "v100"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules string
		opt   Options
		want  string
	}{
		{"", Options{}, `4 b work_s "100" "dropped" duplicates
5 b id "b" "b-2" ids
6 c place "4" "3" order
7 d work_s "0" "dropped" wrong
8 e place "5" "2" order
a 0 3600 V100 u
e 30 5  u
c 40 100  u
b 50 100 v100 u
b-2 60 200 v100 u
`},
		{"wrong,order,censored,types,fits", Options{Cluster: top}, `4 b work_s "100" "dropped" wrong
5 b work_s "200" "dropped" wrong
7 d work_s "0" "dropped" wrong
8 e place "4" "2" order
6 c work_s "100" "dropped" censored
2 a gpu_type "V100" "v100" types
a 0 3600 v100 u
e 30 5  u
b 50 100 v100 u
`},
		{"wrong,order,duplicates,fits", Options{Cluster: top}, `4 b work_s "100" "dropped" duplicates
5 b work_s "200" "dropped" wrong
7 d work_s "0" "dropped" wrong
8 e place "4" "2" order
6 c work_s "100" "dropped" fits
a 0 3600 V100 u
e 30 5  u
b 50 100 v100 u
`},
	} {
		var list []string
		if c.rules != "" {
			list = strings.Split(c.rules, ",")
		}
		text, r, _, err := mended(csvfmt.Parse, messy, list, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := short(t, text, r); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.rules, got, c.want)
		}
	}
	for rules, want := range map[string]string{
		"order":   "f:4: job id \"b\" appears twice, expected unique ids\n",
		"wrong":   "f:8: 2 rows are submitted before an earlier row, expected rows in the order of submits, or the rule",
		"clock":   "rule clock without --zone",
		"types":   "rule types without --cluster",
		"ordre":   `unknown rule "ordre", expected some of wrong,`,
		"":        "",
		"ids,ids": "f:7: column \"work_s\" is \"0\"",
	} {
		var list []string
		if rules != "" {
			list = strings.Split(rules, ",")
		}
		_, _, _, err := mended(csvfmt.Parse, messy, list, Options{})
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("rules %q: error %v, expected %s", rules, err, want)
		}
	}
}

// Local times lose the hour of summer time, in both changes, and a copy has nothing left to change.
func TestClock(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	const text = "id,submit_s,gpus,work_s,deadline_s\na,2024-03-31 01:30:00,1,5,2024-03-31 03:00:00\n" +
		"b,2024-03-31 03:30:00,1,5,\nc,2024-10-27 01:30:00,1,5,\nd,2024-10-27 02:30:00,1,5,\ne,2024-10-27 03:30:00,1,5,\n"
	out, r, _, err := mended(csvfmt.Parse, text, nil, Options{Zone: zone})
	if err != nil {
		t.Fatal(err)
	}
	const march = 210 * 86400 // from a to c on the wall
	want := fmt.Sprintf(`3 b submit_s "7200" "3600" clock
4 c submit_s "%d" "%d" clock
5 d submit_s "%d" "%d" clock
a 0 5  `+`
b 3600 5  `+`
c %v 5  `+`
d %v 5  `+`
e %v 5  `+`
`, march, march-3600, march+3600, march, float64(march-3600), float64(march), float64(march+7200))
	if got := short(t, out, r); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	again, r, _, err := mended(csvfmt.Parse, out, nil, Options{Zone: zone})
	if err != nil || again != out || len(r.Changes) > 0 {
		t.Errorf("again: %v, %v", r.Changes, err)
	}
	mixed := strings.Replace(text, "01:30:00,1,5,2024", "01:30:00Z,1,5,2024", 1)
	if _, _, _, err := mended(csvfmt.Parse, mixed, nil, Options{Zone: zone}); err == nil ||
		!strings.Contains(err.Error(), "4 of 5 submits have no time zone") {
		t.Errorf("some with a zone: %v", err)
	}
}

// Names of a format that has others than CSV are written as they are read, under ids of their own.
func TestNames(t *testing.T) {
	w, err := sim.NewWorkload("w", []sim.Job{{ID: "None", GPUs: 1, Work: 5, User: "NaN", VC: " v"},
		{ID: "5", GPUs: 1, Work: 5}, {ID: "5.0", GPUs: 1, Work: 5, Model: "m"}})
	if err != nil {
		t.Fatal(err)
	}
	r := &account.Repair{Rules: []string{names, account.Order}}
	out, err := Apply(w, &account.Report{}, r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := csvfmt.Write(&b, out); err != nil {
		t.Fatal(err)
	}
	read, _, err := csvfmt.Parse("f", &b, intake.Options{Strict: true})
	if err != nil || !reflect.DeepEqual(read.Jobs, out.Jobs) || len(r.Changes) != 4 || w.Jobs[2].User != "NaN" {
		t.Errorf("read %+v, %v, expected %+v; changes %+v", read, err, out.Jobs, r.Changes)
	}
}

// wrote is the work that an account names as left out, in microseconds.
func wrote(t *testing.T, r *account.Repair) (out sim.Time) {
	for _, c := range r.Changes {
		if c.Field == "work_s" && c.After == account.Dropped && c.Rule != account.WrongRows {
			v, ok := tabular.ParseMicros(c.Before)
			if !ok {
				t.Fatalf("%+v", c)
			}
			out += sim.Time(v)
		}
	}
	return out
}

// total is the work of a copy.
func total(t *testing.T, text string) (out sim.Time) {
	w, _, err := csvfmt.Parse("copy", strings.NewReader(text), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range w.Jobs {
		out += j.Work
	}
	return out
}

// Work is kept but for what the account names, and a second repair changes nothing.
func TestWorkIsKept(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 4, Slots: 1, Type: "v100"}}}})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var all sim.Time
		text := "id,submit_s,gpus,work_s,gpu_type,state\n"
		for range 30 {
			row := fmt.Sprintf("%d,%d,%d,%%d,%s,%s\n", r.IntN(20), r.IntN(30), 1+r.IntN(6), []string{"", "v100", "V100",
				"k80"}[r.IntN(4)], []string{"Pass", "Running"}[r.IntN(2)])
			for range 1 + r.IntN(2) {
				work := 1 + r.IntN(3)
				text += fmt.Sprintf(row, work)
				all += sim.Time(work) * sim.Second
			}
		}
		list := []string{account.WrongRows, account.Copies, account.Ids, account.Order, types, fits}
		if r.IntN(2) == 0 {
			list = append(list, censored)
		}
		out, rep, _, err := mended(csvfmt.Parse, text, list, Options{Cluster: top})
		if err != nil {
			t.Fatal(err)
		}
		if got := total(t, out) + wrote(t, rep); got != all {
			t.Fatalf("the copy and the account have %v of work, the file %v", got, all)
		}
		again, rep, _, err := mended(csvfmt.Parse, out, list, Options{Cluster: top})
		if err != nil || again != out || len(rep.Changes) > 0 {
			t.Fatalf("again: %+v, %v", rep.Changes, err)
		}
	}
}

// FuzzRepair: a copy is read without a fault, and repaired again it has the same bytes.
func FuzzRepair(f *testing.F) {
	f.Add([]byte(messy), false)
	f.Add([]byte("id,submit_s,gpus,duration_s,user\n5.0,2024-03-31T02:30,1,1:00:00,None\n"+
		"5,2024-03-01,2,9,\" x\"\n"), false)
	f.Add([]byte(`[{"jobid":"None","status":"Pass","vc":" a","user":"5.0","submitted_time":"2017-10-09 07:01:55",`+
		`"attempts":[{"start_time":"2017-10-09 07:02:55","end_time":"2017-10-09 07:03:55","detail":[{"ip":"m1",`+
		`"gpus":["gpu0"]}]}]}]`), true)
	zone := time.FixedZone("east", 3600)
	f.Fuzz(func(t *testing.T, data []byte, log bool) {
		parse := csvfmt.Parse
		if log {
			parse = philly.Parse
		}
		out, r, _, err := mended(parse, string(data), nil, Options{Zone: zone})
		if err != nil {
			return
		}
		again, twice, _, err := mended(csvfmt.Parse, out, nil, Options{Zone: zone})
		if err != nil || again != out || len(twice.Changes) > 0 {
			t.Fatalf("%q\nchanges %+v\ngives\n%s\nand again %+v\n%s\n%v", data, r.Changes, out, twice.Changes, again, err)
		}
	})
}
