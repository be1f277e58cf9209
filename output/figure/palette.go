package figure

import (
	"cmp"
	"hash/fnv"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Appearances are numbered: number i has colour i % Colours and dash and marker i % Patterns. The
// two are prime to each other, so that Colours * Patterns appearances differ.
const (
	Colours  = 12
	Patterns = 5
)

// Palette lists the colours on white: seven of Okabe and Ito (2008), without yellow, which is hard
// to see, and five that stay apart from them and from each other for readers who see no red, no green
// or no blue. A page in dark colours has others in the same order.
func Palette() [Colours]color.RGBA {
	return [Colours]color.RGBA{
		{0x00, 0x72, 0xB2, 0xFF}, // blue
		{0xD5, 0x5E, 0x00, 0xFF}, // vermillion
		{0x00, 0x9E, 0x73, 0xFF}, // bluish green
		{0xCC, 0x79, 0xA7, 0xFF}, // reddish purple
		{0xE6, 0x9F, 0x00, 0xFF}, // orange
		{0x56, 0xB4, 0xE9, 0xFF}, // sky blue
		{0x00, 0x00, 0x00, 0xFF}, // black
		{0x4C, 0x00, 0x5C, 0xFF}, // plum
		{0x6D, 0x58, 0x64, 0xFF}, // slate
		{0x50, 0x6B, 0x31, 0xFF}, // moss
		{0x77, 0x00, 0xFF, 0xFF}, // violet
		{0x59, 0x12, 0x00, 0xFF}, // rust
	}
}

// known are the policies and agents with an appearance of their own, the number of their place.
// Names that are often drawn together come first: twelve have colours of their own.
func known() []string {
	return []string{
		"dally", "tiresias", "fifo", "dally-manual", "srtf", "dally-nowait", "consolidate", "gandiva", "las", "easy",
		"dally-consolidated", "scatter",
		"sjf", "tiresias-gittins", "delay", "srsf", "conservative", "fifo-fit", "artist-tiresias", "ppo", "dqn", "sac",
		"a2c", "reinforce",
		"cmaes-policy", "openai-es-policy", "random-search-policy",
	}
}

// Appearances gives the number of each name's appearance (see Colours), the same in every picture
// and page: a policy of the catalogue has its own, any other name (a policy with settings, an
// agent) one that follows from its letters. Where two names of the list would share a colour while
// another is free, the later one moves; so the colour depends on what else is in the list only
// then, and never on the order of the list. Dashes and markers go round, solid first. A list of
// numbers takes the colours in turn, ascending. Who draws several pictures of one folder passes the
// names of all.
func Appearances(names []string) map[string]int {
	all := ranked(names)
	out := make(map[string]int, len(all))
	var used [Colours]int
	taken := map[int]bool{}
	for i, name := range all {
		want := wanted(name)
		if numeric(all) {
			want = i
		}
		c := want % Colours
		for least := slices.Min(used[:]); used[c] > least; {
			c = (c + 5) % Colours // 5 and 12 are prime to each other: all colours come
		}
		at := number(c, patternOf(c, i, taken))
		used[c]++
		taken[at] = true
		out[name] = at
	}
	return out
}

// alikeInGrey is the difference in lightness, of 100, below which two colours are hard to distinguish
// without colour.
const alikeInGrey = 8

// patternOf chooses the pattern for a colour, i % Patterns if it can: one that the colour has not yet,
// and that the fewest colours have which are alike in grey.
func patternOf(colour, i int, taken map[int]bool) int {
	best, least := 0, math.MaxInt
	for k := range Patterns {
		p, n := (i+k)%Patterns, 0
		for other := range taken {
			switch {
			case other%Patterns != p:
			case other%Colours == colour:
				n += Colours * Patterns
			case math.Abs(lightness(Palette()[other%Colours])-lightness(Palette()[colour])) < alikeInGrey:
				n++
			}
		}
		if n < least {
			best, least = p, n
		}
	}
	return best
}

// lightness is CIE L*, 0 to 100.
func lightness(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		if x := float64(v) / 255; x > 0.04045 {
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	y := float64(0.2126*linear(c.R)) + float64(0.7152*linear(c.G)) + float64(0.0722*linear(c.B))
	if y > 216.0/24389 {
		return float64(116*math.Cbrt(y)) - 16
	}
	return y * 24389 / 27
}

// family is what a name is an instance of: "ppo" of "ppo (3 seeds)".
func family(name string) string {
	name, _, _ = strings.Cut(name, " (")
	return name
}

// wanted is the appearance that a name has where nothing else is drawn.
func wanted(name string) int {
	name = family(name)
	if i := slices.Index(known(), name); i >= 0 {
		return i
	}
	h := fnv.New64a()
	h.Write([]byte(name)) // never fails
	return int(h.Sum64() % (Colours * Patterns))
}

// number is the appearance with a colour and a pattern.
func number(c, p int) int {
	for c%Patterns != p {
		c += Colours
	}
	return c % (Colours * Patterns)
}

// numeric reports whether all names are numbers.
func numeric(names []string) bool {
	return !slices.ContainsFunc(names, func(n string) bool { _, err := strconv.ParseFloat(n, 64); return err != nil })
}

// ranked lists the names once each in the order in which they choose: policies of the catalogue,
// then the others by their letters; numbers by size.
func ranked(names []string) []string {
	all := slices.Clone(names)
	slices.Sort(all)
	all = slices.Compact(all)
	rank := func(n string) float64 {
		if i := slices.Index(known(), family(n)); i >= 0 {
			return float64(i)
		}
		return float64(len(known()))
	}
	if numeric(all) {
		rank = func(n string) float64 { v, _ := strconv.ParseFloat(n, 64); return v }
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}
