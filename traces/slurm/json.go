package slurm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"tarry/sim/tabular"
)

// object is a job of sacct --json, whose steps are not read.
type object struct {
	ID    number `json:"job_id"`
	Array struct {
		ID   number       `json:"job_id"`
		Task number       `json:"task_id"`
		Rest tabular.Text `json:"task"`
	} `json:"array"`
	Het struct {
		ID     number `json:"job_id"`
		Offset number `json:"job_offset"`
	} `json:"het"`
	Association struct {
		Account tabular.Text `json:"account"`
		User    tabular.Text `json:"user"`
	} `json:"association"`
	Cluster   tabular.Text `json:"cluster"`
	User      tabular.Text `json:"user"`
	Account   tabular.Text `json:"account"`
	Group     tabular.Text `json:"group"`
	Partition tabular.Text `json:"partition"`
	QOS       tabular.Text `json:"qos"`
	Nodes     tabular.Text `json:"nodes"`
	Count     number       `json:"allocation_nodes"`
	State     struct {
		Current words `json:"current"`
	} `json:"state"`
	Time struct {
		Submission number `json:"submission"`
		Eligible   number `json:"eligible"`
		Start      number `json:"start"`
		End        number `json:"end"`
		Elapsed    number `json:"elapsed"`
		Limit      number `json:"limit"`
	} `json:"time"`
	TRES struct {
		Allocated resources `json:"allocated"`
		Requested resources `json:"requested"`
	} `json:"tres"`
}

// number is a number as text, also where an object has it beside whether it is set; "" = it is not.
type number string

// UnmarshalJSON reads 5, null or {"set": true, "infinite": false, "number": 5}.
func (n *number) UnmarshalJSON(b []byte) error {
	var text tabular.Text
	if len(b) > 0 && b[0] != '{' {
		err := text.UnmarshalJSON(b)
		*n = number(text)
		return err
	}
	var o struct {
		Set, Infinite bool
		Number        tabular.Text
	}
	err := json.Unmarshal(b, &o)
	switch {
	case o.Infinite:
		*n = "UNLIMITED"
	case o.Set:
		*n = number(o.Number)
	}
	return err
}

// words is a text, or the first of a list of texts.
type words string

// UnmarshalJSON reads "RUNNING" or ["RUNNING"].
func (w *words) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '[' {
		return json.Unmarshal(b, (*string)(w))
	}
	var list []string
	err := json.Unmarshal(b, &list)
	if len(list) > 0 {
		*w = words(list[0])
	}
	return err
}

// resources are written as AllocTRES is.
type resources []struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Count number `json:"count"`
}

func (r resources) String() string {
	var out []string
	for _, e := range r {
		name := e.Type
		if e.Name != "" {
			name += "/" + e.Name
		}
		if e.Count != "" {
			out = append(out, name+"="+string(e.Count))
		}
	}
	return strings.Join(out, ",")
}

// id is the job's id as sacct's table has it.
func (o *object) id() string {
	set := func(n number) bool { return n != "" && n != "0" }
	switch {
	case set(o.Het.ID):
		return string(o.Het.ID + "+" + o.Het.Offset)
	case set(o.Array.ID) && o.Array.Task != "":
		return string(o.Array.ID + "_" + o.Array.Task)
	case set(o.Array.ID) && o.Array.Rest != "":
		return fmt.Sprintf("%s_[%s]", o.Array.ID, o.Array.Rest)
	}
	return string(o.ID)
}

// objects reads the jobs of sacct --json.
func (p *log) objects(in *tabular.Stream) error {
	p.head = &header{names: p.columns}
	for c := range p.head.at {
		p.head.at[c] = c
	}
	for _, c := range []column{allocGRES, reqGRES, elapsed, timelimit} {
		p.head.at[c] = -1
	}
	found := false
	err := tabular.Document(p.name, in, func(key, _ string, line int, value json.RawMessage) error {
		if key != "jobs" {
			return nil
		}
		found = true
		row := tabular.NewRow(p.name, line, 0, p.columns, p.values[:])
		var o object
		if err := json.Unmarshal(value, &o); err != nil {
			row.Rejectf("%v, expected a job of sacct --json", err)
			return p.c.Reject(row.Faults()...)
		}
		p.fill(&o)
		return p.job(row, p.values[jobID])
	})
	if err == nil && !found {
		err = fmt.Errorf("%s: no list \"jobs\", expected what sacct --json prints", p.name)
	}
	return err
}

// fill takes the values of a job.
func (p *log) fill(o *object) {
	p.values = [columns]string{jobID: o.id(), jobIDRaw: string(o.ID), submit: string(o.Time.Submission),
		state: string(o.State.Current), start: string(o.Time.Start), end: string(o.Time.End),
		elapsedRaw: string(o.Time.Elapsed), allocTRES: o.TRES.Allocated.String(), reqTRES: o.TRES.Requested.String(),
		user: cmp.Or(string(o.User), string(o.Association.User)), group: string(o.Group),
		account: cmp.Or(string(o.Account), string(o.Association.Account)), partition: string(o.Partition),
		qos: string(o.QOS), cluster: string(o.Cluster), eligible: string(o.Time.Eligible),
		timelimitRaw: string(o.Time.Limit), nodeCount: string(o.Count), nodeList: string(o.Nodes)}
}
