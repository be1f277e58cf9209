package simtest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
)

// counting is a correct policy with state of its own.
type counting struct {
	order
	seen  []int          // instants, by job
	users map[string]int // instants, by user
	least *int           // instants
	tail  []int          // empty, with room
	key   func() *int    // what counts

	mistake func(from, to *counting) // in clones; nil = none
}

func newCounting(mistake func(from, to *counting)) *counting {
	c := &counting{order: *newOrder(), seen: make([]int, 1), users: map[string]int{"x": 0}, least: new(int),
		tail: make([]int, 0, 1), mistake: mistake}
	c.key = c.first
	return c
}

func (c *counting) first() *int { return &c.seen[0] }

func (c *counting) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	*c.key()++
	c.users["x"]++
	*c.least++
	c.tail = append(c.tail, c.seen[0])[:0]
	return c.order.Decide(v, out)
}

func (c *counting) Clone() sim.Policy {
	least := *c.least
	n := &counting{order: order{q: c.q.Clone(), p: c.p.Clone()}, seen: slices.Clone(c.seen), users: maps.Clone(c.users),
		least: &least}
	n.key = n.first
	if c.mistake != nil {
		c.mistake(c, n)
	}
	return n
}

// What a clone shares with its original is found and named, if one of them writes to it.
func TestClonesThatShareAreFound(t *testing.T) {
	for want, mistake := range map[string]func(from, to *counting){
		"": nil,
		"the clone changes while the original runs on: .seen[]":   func(from, to *counting) { to.seen = from.seen },
		"the clone changes while the original runs on: .users[x]": func(from, to *counting) { to.users = from.users },
		"the clone changes while the original runs on: .least":    func(from, to *counting) { to.least = from.least },
		"the clone changes while the original runs on: .tail[]":   func(from, to *counting) { to.tail = from.tail },
		"the clone changes while the original runs on: .order.p.": func(from, to *counting) { to.p = from.p },
		"the clone calls functions of the original: .key":         func(from, to *counting) { to.key = from.key },
	} {
		err := Try(func() sim.Policy { return newCounting(mistake) }, 0, Options{Alone: true})
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

// Reach sees what is behind interfaces, arrays, maps and the room of slices, follows cycles, and
// leaves out the view.
func TestReach(t *testing.T) {
	type node struct {
		next *node
		any  any
		at   map[int]*node
		room []string
		two  [2]bool
		view *sim.View
	}
	x := &node{any: &node{room: make([]string, 0, 2)}, at: map[int]*node{7: {}}}
	x.next = x
	for _, c := range []struct {
		want   string
		change func()
	}{
		{".two[1]", func() { x.two[1] = true }},
		{".at[7].two[0]", func() { x.at[7].two[0] = true }},
		{".any.room[1]", func() { x.any.(*node).room[:2][1] = "x" }},
		{".any.room (length)", func() { x.any.(*node).room = x.any.(*node).room[:1] }},
		{".at (entries), .at[8]", func() { x.at[8] = nil }},
		{"", func() { x.view = new(sim.View) }},
	} {
		was := ReachOf(x)
		c.change()
		if got := was.Changed(x); got != c.want {
			t.Errorf("%q is changed, expected %q", got, c.want)
		}
	}
}
