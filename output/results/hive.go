package results

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// Part is one key=value folder.
type Part struct {
	// Key is a column, Value the text of its value; "" is a missing value.
	Key, Value string
}

// Partition is a path of key=value folders, outermost first.
type Partition []Part

// hiveMissing stands for a missing value in a folder's name, as in Apache Hive.
const hiveMissing = "__HIVE_DEFAULT_PARTITION__"

// maxSegment is the longest name of a folder on the usual file systems.
const maxSegment = 255

// Dir gives the relative path of the folders. Bytes outside letters, digits and
// "-._+,:~" are percent-escaped, as readers of hive folders undo.
func (p Partition) Dir() string {
	var seg []string
	for _, kv := range p {
		seg = append(seg, kv.segment())
	}
	return filepath.Join(seg...)
}

// Target gives the place of a table's file with these keys:
// <root>/<table>/<key=value>/.../part-0.parquet.
func (p Partition) Target(root, table string, m Meta) Target {
	return Target{Path: filepath.Join(root, table, p.Dir(), "part-0.parquet"), Part: p, Meta: m}
}

// Target gives the place of a table's file of one trial:
// <root>/<table>/policy-NAME/replicate-N/part-0.parquet. The folders are not of the form key=value
// and every column is in the file: readers of such folders would make categories of policy and
// replicate.
func (k Keys) Target(root, table string, m Meta) Target {
	policy, replicate := k.folders()
	return Target{Path: filepath.Join(root, table, policy, replicate, "part-0.parquet"), Meta: m}
}

func (k Keys) folders() (policy, replicate string) {
	return policyFolder + escape(k.Policy), replicateFolder + strconv.FormatInt(k.Replicate, 10)
}

// The beginnings of the names of a trial's folders.
const policyFolder, replicateFolder = "policy-", "replicate-"

// Holds reports whether the file can hold rows of a trial, by its folders: as by Keys.Target, or
// key=value.
func (t Target) Holds(k Keys) bool {
	for _, kv := range t.Part {
		if kv.Key == "policy" && kv.Value != k.Policy || kv.Key == "replicate" &&
			kv.Value != strconv.FormatInt(k.Replicate, 10) {
			return false
		}
	}
	dir := filepath.Dir(t.Path)
	policy, replicate := filepath.Base(filepath.Dir(dir)), filepath.Base(dir)
	if !strings.HasPrefix(policy, policyFolder) || !strings.HasPrefix(replicate, replicateFolder) {
		return true
	}
	p, r := k.folders()
	return policy == p && replicate == r
}

func (kv Part) segment() string {
	value := escape(kv.Value)
	if kv.Value == "" {
		value = hiveMissing
	}
	return escape(kv.Key) + "=" + value
}

func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte("-._+,:~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", fmt.Errorf("%q ends inside a percent escape", s)
		}
		c, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%q: %%%s is not a percent escape", s, s[i+1:i+3])
		}
		b.WriteByte(byte(c))
		i += 2
	}
	return b.String(), nil
}

// ParsePartition reads the key=value folders of a relative path; others are passed over.
func ParsePartition(dir string) (Partition, error) {
	var p Partition
	for _, seg := range strings.Split(filepath.ToSlash(dir), "/") {
		k, v, ok := strings.Cut(seg, "=")
		if !ok {
			continue
		}
		key, err := unescape(k)
		if err != nil {
			return nil, err
		}
		value, err := unescape(v)
		if err != nil {
			return nil, err
		}
		if value == hiveMissing {
			value = ""
		}
		p = append(p, Part{key, value})
	}
	return p, nil
}
