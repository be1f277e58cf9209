// Package layout states what an observation is made of, so that a learner can choose its networks
// by it: segments of named numbers, and whether an action is about single items of the last of
// them. A Feature states the meaning, unit and range of a number, a Guide what actions, rewards and
// episodes are: lists, pages and other languages print them (About).
package layout

import "fmt"

// Observation states what the numbers of an observation are: segments, one after the other. Without
// segments it states nothing.
type Observation struct {
	// Segments are in the order of the numbers; together they have all of them.
	Segments []Segment
	// Acts states what an action has to do with the items of the last segment.
	Acts Acts
	// Ranks, with OnEach and one number for each item, states that the numbers put the items in
	// order, the least first. The first feature of an item is 0 where there is none; numbers of
	// such items do not count.
	Ranks bool
	// Choices, with OnOne, is how many choices each item has; 0 = 1. Present: the first feature of an
	// item is 0 where there is none, and something else in an item whose choices are all illegal.
	Choices int
	Present bool
}

// Segment is a part of an observation: one or more items that have the same features.
type Segment struct {
	// Name is unique in the Observation, not "".
	Name string
	// Doc states what an item is; "" = the name does.
	Doc string
	// Features are the numbers of each item, in order; not empty.
	Features []Feature
	// Items is how many there are, > 0. All numbers of an item stand together.
	Items int
	// CriticOnly: these numbers are for training alone, for a critic that judges what the actor did.
	// Such segments stand before all others.
	CriticOnly bool
}

// CriticOnly is how many numbers at the start of an observation are for a critic alone.
func (o *Observation) CriticOnly() int {
	n := 0
	for i := range o.Segments {
		if !o.Segments[i].CriticOnly {
			break
		}
		n += o.Segments[i].Len()
	}
	return n
}

// Len is how many numbers the segment has.
func (s *Segment) Len() int { return s.Items * len(s.Features) }

// Acts is how an action refers to the items of the last segment.
type Acts string

// The ways.
const (
	// OnAll: an action has nothing to do with single items.
	OnAll Acts = ""
	// OnOne: a Discrete action chooses an item, or one of its Choices, which stand together in the order
	// of the items. Choices that are no item come first: with 1 item
	// less than choices, 0 is none of the items, and i is item i-1.
	OnOne Acts = "one"
	// OnEach: a Box has an equal share of its numbers for each item, in their order; a Discrete
	// action is for the only item.
	OnEach Acts = "each"
)

// List is the last segment of an observation as a set network reads it.
type List struct {
	// Global is how many numbers stand before it, Features how many each item has.
	Global, Features int
	// Extra is how many choices are no item (OnOne), Each how many numbers or choices an item has
	// (OnEach); else 0.
	Extra, Each int
	// Ranks states that the action puts the items in order, Choices and Present are of OnOne: see
	// Observation.
	Ranks   bool
	Choices int
	Present bool
}

// Validate reports whether the segments are sound and have so many numbers.
func (o *Observation) Validate(numbers int) error {
	sum, names, open := 0, map[string]bool{}, false
	for i := range o.Segments {
		s := &o.Segments[i]
		if s.Name == "" || names[s.Name] || len(s.Features) == 0 || s.Items < 1 {
			return fmt.Errorf("segment %d has the name %q, %d features and %d items, expected a name of its own and "+
				"at least one of both", i, s.Name, len(s.Features), s.Items)
		}
		if s.CriticOnly && open {
			return fmt.Errorf("segment %q is for a critic alone behind others, expected such segments first", s.Name)
		}
		names[s.Name], open = true, open || !s.CriticOnly
		sum += s.Len()
	}
	if !open {
		return fmt.Errorf("all segments are for a critic alone, expected one for an actor")
	}
	if sum != numbers {
		return fmt.Errorf("segments of %d numbers, expected the %d of an observation", sum, numbers)
	}
	return nil
}
