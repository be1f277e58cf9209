package floors

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tarry/internal/release"
)

// heading is a release's line of the CHANGELOG.
var heading = regexp.MustCompile(`^## (\d+)\.(\d+)\.(\d+) - (\d{4}-\d\d-\d\d)$`)

// changelog is what the CHANGELOG states about releases, the newest first.
type changelog struct {
	versions   [][3]int
	unreleased bool // the section Unreleased has entries
}

// readChangelog checks the form of a CHANGELOG and reads its versions. Every fault has its line.
func readChangelog(text string) (c changelog, faults []string) {
	fault := func(n int, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("CHANGELOG.md:%d: %s", n+1, fmt.Sprintf(format, args...)))
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if lines[0] != "# Changelog" {
		fault(0, "%q, expected # Changelog", lines[0])
	}
	var date string
	var kinds []string
	sections, entries := 0, 0
	for n, l := range lines[1:] {
		n++
		switch {
		case strings.HasPrefix(l, "## ") || strings.HasPrefix(l, "### "):
			if entries == 0 && (len(kinds) > 0 || sections > 1 && strings.HasPrefix(l, "## ")) {
				fault(n, "the section before %q has no entry", l)
			}
			entries = 0
			if kind, ok := strings.CutPrefix(l, "### "); ok {
				if !slices.Contains([]string{"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"},
					kind) || slices.Contains(kinds, kind) || sections == 0 {
					fault(n, "%q, expected Added, Changed, Deprecated, Removed, Fixed or Security, each once in "+
						"a release", l)
				}
				kinds = append(kinds, kind)
				break
			}
			sections++
			kinds = nil
			if sections == 1 {
				if l != "## Unreleased" {
					fault(n, "%q, expected ## Unreleased", l)
				}
				break
			}
			m := heading.FindStringSubmatch(l)
			if m == nil {
				fault(n, "%q, expected ## MAJOR.MINOR.PATCH - YYYY-MM-DD", l)
				break
			}
			var v [3]int
			for i := range v {
				v[i], _ = strconv.Atoi(m[i+1]) // the pattern has digits alone
			}
			if k := len(c.versions); k > 0 && slices.Compare(v[:], c.versions[k-1][:]) >= 0 {
				fault(n, "version %s is not older than the one above", m[0])
			}
			if _, err := time.Parse(time.DateOnly, m[4]); err != nil || date != "" && m[4] > date {
				fault(n, "date %s is no day, or later than the one above", m[4])
			}
			c.versions, date = append(c.versions, v), m[4]
		case strings.HasPrefix(l, "- "):
			entries++
			c.unreleased = c.unreleased || sections == 1
			if sections > 1 && len(kinds) == 0 {
				fault(n, "an entry of a release under no ### heading")
			}
		case l == "", strings.HasPrefix(l, "  "):
		case sections > 0 && len(kinds) > 0:
			fault(n, "%q is neither an entry nor its continuation", l)
		} // a release may begin with a sentence of summary
	}
	if entries == 0 {
		fault(len(lines)-1, "the last section has no entry")
	}
	if len(c.versions) == 0 {
		fault(len(lines)-1, "no release")
	}
	return c, faults
}

// TestChangelog: the CHANGELOG has its form, and the program's version is its newest one, or, when
// something is unreleased, the next one with "-dev".
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	c, faults := readChangelog(string(text))
	for _, f := range faults {
		t.Error(f)
	}
	if len(c.versions) == 0 {
		return
	}
	if got, want := release.Version, c.programs(); !slices.Contains(want, got) {
		t.Errorf("the program's version is %q, expected %s", got, strings.Join(want, " or "))
	}
}

// programs lists which versions the program may have.
func (c *changelog) programs() []string {
	v := c.versions[0]
	if !c.unreleased {
		return []string{fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2])}
	}
	return []string{fmt.Sprintf("%d.%d.%d-dev", v[0], v[1], v[2]+1), fmt.Sprintf("%d.%d.0-dev", v[0], v[1]+1),
		fmt.Sprintf("%d.0.0-dev", v[0]+1)}
}

// TestChangelogFaults: what readChangelog refuses, and the versions that it lets a program have.
func TestChangelogFaults(t *testing.T) {
	const good = "# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-01-02\n\n### Added\n\n- one\n  more\n"
	c, faults := readChangelog(good)
	if len(faults) > 0 || !slices.Equal(c.programs(), []string{"1.2.3"}) {
		t.Fatalf("faults %q, versions %q of a good file", faults, c.programs())
	}
	c, faults = readChangelog(strings.Replace(good, "Unreleased\n", "Unreleased\n\n- new\n", 1))
	if len(faults) > 0 || !slices.Equal(c.programs(), []string{"1.2.4-dev", "1.3.0-dev", "2.0.0-dev"}) {
		t.Fatalf("faults %q, versions %q where something is unreleased", faults, c.programs())
	}
	for _, f := range []struct{ old, new, want string }{
		{"# Changelog", "# Changes", "1: \"# Changes\", expected # Changelog"},
		{"## Unreleased", "## 1.3.0 - 2026-01-03", "3: "},
		{"## 1.2.3 - 2026-01-02", "## v1.2.3", `5: "## v1.2.3", expected ## MAJOR`},
		{"2026-01-02", "2026-02-30", "5: date 2026-02-30 is no day"},
		{"### Added", "### News", `7: "### News", expected Added`},
		{"- one", "one", `9: "one" is neither`},
		{"- one\n  more\n", "", "7: the last section has no entry"},
		{"### Added\n", "", "an entry of a release under no ### heading"},
		{"  more\n", "\n### Added\n\n- two\n", `11: "### Added", expected Added`},
		{"  more\n", "\n### Fixed\n\n### Removed\n\n- two\n", `13: the section before "### Removed" has no entry`},
		{"  more\n", "\n## 1.2.3 - 2026-01-01\n\n### Added\n\n- two\n",
			"11: version ## 1.2.3 - 2026-01-01 is not older"},
		{"  more\n", "\n## 1.2.2 - 2026-01-03\n\n### Added\n\n- two\n", "11: date 2026-01-03 is no day, or later"},
	} {
		if _, faults := readChangelog(strings.Replace(good, f.old, f.new, 1)); len(faults) == 0 ||
			!strings.Contains(strings.Join(faults, "\n"), f.want) {
			t.Errorf("%q for %q: faults %q, expected %q", f.new, f.old, faults, f.want)
		}
	}
}
