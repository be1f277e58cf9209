package layout

import "strings"

// Guide states in words what actions, rewards and episodes are.
type Guide struct {
	// Action has the numbers or the choices of an action, in order.
	Action []Feature
	// Reward is the formula and its unit, Ends when an episode is terminated and when truncated.
	Reward, Ends string
}

// About is all that an environment states in words.
type About struct {
	Observation []Row     `json:"observation"`
	Action      []Feature `json:"action"`
	Masked      bool      `json:"masked"`
	Reward      string    `json:"reward"`
	Ends        string    `json:"episode"`
}

// Row is where the entries of an observation are that have one feature: First, and of several items
// First + Step, First + 2 Step, ...
type Row struct {
	First int `json:"first"`
	Step  int `json:"step"`
	Items int `json:"items"`
	// Segment is the name, Item the Doc of the segment.
	Segment string `json:"segment"`
	Item    string `json:"item,omitempty"`
	Feature
}

// Rows lists the features with their places.
func (o *Observation) Rows() []Row {
	out, at := []Row{}, 0
	for i := range o.Segments {
		s := &o.Segments[i]
		item := s.Doc
		if s.CriticOnly {
			item = strings.TrimPrefix(item+"; for a critic alone, in training", "; ")
		}
		for k, f := range s.Features {
			out = append(out, Row{at + k, len(s.Features), s.Items, s.Name, item, f})
		}
		at += s.Len()
	}
	return out
}
