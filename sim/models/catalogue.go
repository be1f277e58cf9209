package models

import (
	"fmt"
	"slices"
	"strings"
)

// Catalogue builds every built-in profile, in order of name. Each call returns
// fresh values.
func Catalogue() []*Profile {
	ps := []*Profile{
		alexnet(),
		vgg(11, [5]int{1, 1, 2, 2, 2}),
		vgg(16, [5]int{2, 2, 3, 3, 3}, "vgg"),
		vgg(19, [5]int{2, 2, 4, 4, 4}),
		resnet(18, [4]int{2, 2, 2, 2}, false),
		resnet(50, [4]int{3, 4, 6, 3}, true),
		resnet(101, [4]int{3, 4, 23, 3}, true),
		resnet(152, [4]int{3, 8, 36, 3}, true),
		mobilenetLarge(), mobilenetSmall(),
		googlenet(), inceptionV3(), inceptionV4(),
		bertLarge(),
		gpt2("gpt2", "GPT-2, the smallest model", 12, 768, 4),
		gpt2("gpt2-xl", "GPT-2, the largest model", 48, 1600, 1),
		transformer(), lstm(), deepSpeech2(), dlrm(),
		vit("vit-l16", "ViT-L/16", 16, 24, 1024, 16, 4096, "google/vit-large-patch16-224"),
		vit("vit-h14", "ViT-H/14", 14, 32, 1280, 16, 5120, "google/vit-huge-patch14-224"),
		whisper(2, 80, 51865), whisper(3, 128, 51866),
		t5("t5-large", "T5 large", 1024, 16, 64, 4096, 8), t5("t5-3b", "T5 3B", 1024, 32, 128, 16384, 4),
		t5("t5-11b", "T5 11B", 1024, 128, 128, 65536, 2),
		gpt3(), sdxl(),
	}
	for _, d := range decoders() {
		ps = append(ps, d.profile())
	}
	slices.SortFunc(ps, func(a, b *Profile) int { return strings.Compare(a.Name, b.Name) })
	return ps
}

// Set finds profiles by name; build one with NewSet.
type Set struct {
	byKey map[string]*Profile
	names []string
}

// NewSet indexes profiles by name and alias. A later profile replaces an earlier
// one of the same name, and its names win over aliases.
func NewSet(ps ...*Profile) *Set {
	s := &Set{byKey: map[string]*Profile{}}
	for _, p := range ps {
		for _, a := range p.Aliases {
			s.byKey[Key(a)] = p
		}
	}
	for _, p := range ps {
		if !slices.Contains(s.names, p.Name) {
			s.names = append(s.names, p.Name)
		}
		s.byKey[Key(p.Name)] = p
	}
	slices.Sort(s.names)
	return s
}

// Names lists the profiles' own names, ascending.
func (s *Set) Names() []string { return s.names }

// leastStem is the least length of a key that is taken for the beginning of a longer name.
const leastStem = 4

// Lookup finds a profile by name or alias; case, '-', '_', ' ' and '.' do not count, so ResNet-50,
// resnet_50 and ResNet50 are one, and so is "ResNet-50 (batch size 64)". An unknown name is an
// error that suggests the nearest one.
func (s *Set) Lookup(name string) (*Profile, error) {
	k := Key(name)
	if p, ok := s.byKey[k]; ok {
		return p, nil
	}
	if base, _, sized := strings.Cut(name, " (batch size "); sized {
		if p, ok := s.byKey[Key(base)]; ok {
			return p, nil
		}
	}
	best, dist := "", 1+len(k)/3
	keys := make([]string, 0, len(s.byKey))
	for have := range s.byKey {
		keys = append(keys, have)
	}
	slices.Sort(keys)
	for _, have := range keys {
		if d := edits(k, have); d < dist+1 && (best == "" || d < dist) {
			best, dist = s.byKey[have].Name, d
		}
	}
	if best == "" { // a name with something behind it
		for _, have := range keys {
			if len(have) >= leastStem && strings.HasPrefix(k, have) {
				best = s.byKey[have].Name
			}
		}
	}
	if best != "" {
		return nil, fmt.Errorf("unknown model %q, did you mean %q?", name, best)
	}
	return nil, fmt.Errorf("unknown model %q, expected one of %s", name, shown(s.names))
}

// mostShown bounds the names of an error.
const mostShown = 8

// shown joins names, the first ones of many.
func shown(names []string) string {
	if len(names) <= mostShown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostShown], ", "), len(names)-mostShown)
}

// Lookup finds a profile of the built-in catalogue; see Set.Lookup.
func Lookup(name string) (*Profile, error) { return NewSet(Catalogue()...).Lookup(name) }

// Key is what a name is found by: case, '-', '_', ' ' and '.' do not count.
func Key(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_ .", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := prev[0]
		prev[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diag, prev[j] = prev[j], min(prev[j]+1, prev[j-1]+1, diag+cost)
		}
	}
	return prev[len(b)]
}
