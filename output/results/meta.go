package results

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"slices"
)

// Meta states where the rows of a file come from. It is stored as key-value
// metadata of the Parquet file ("tarry.config", ...) and in the manifest.
type Meta struct {
	// Config is the resolved configuration as JSON; "" = none.
	Config string `json:"config"`
	// ConfigSHA256 is the hex SHA-256 of Config.
	ConfigSHA256 string `json:"config_sha256"`
	// WorkloadSHA256 is the hex SHA-256 of the jobs; "" = unknown.
	WorkloadSHA256 string `json:"workload_sha256"`
	// Version is the version of the module; "" = unknown.
	Version string `json:"version"`
	// GoVersion and GOARCH are of the program that wrote the file: runs are
	// bit-exact per architecture only.
	GoVersion string `json:"go_version"`
	GOARCH    string `json:"goarch"`
	// Codec compresses the pages of the file, or of the files of a manifest; "" = the default.
	// NewMeta leaves it to the caller.
	Codec Codec `json:"parquet_codec,omitempty"`
}

// NewMeta fills in the hash of config and what the runtime reports.
func NewMeta(config, workloadSHA256, version string) Meta {
	sum := sha256.Sum256([]byte(config))
	return Meta{
		Config: config, ConfigSHA256: hex.EncodeToString(sum[:]), WorkloadSHA256: workloadSHA256,
		Version: version, GoVersion: runtime.Version(), GOARCH: runtime.GOARCH,
	}
}

// metaPrefix keeps our keys apart from other writers'.
const metaPrefix = "tarry."

const codecKey = "parquet_codec"

type metaEntry struct {
	key   string
	value *string
}

// entries lists the keys in the order in which they are written.
func (m *Meta) entries() []metaEntry {
	return []metaEntry{
		{"config", &m.Config},
		{"config_sha256", &m.ConfigSHA256},
		{"workload_sha256", &m.WorkloadSHA256},
		{"version", &m.Version},
		{"go_version", &m.GoVersion},
		{"goarch", &m.GOARCH},
		{codecKey, (*string)(&m.Codec)},
	}
}

// stated lists what is written: all but the default codec.
func (m *Meta) stated() []metaEntry {
	all := m.entries()
	return slices.DeleteFunc(all, func(e metaEntry) bool { return e.key == codecKey && *e.value == "" })
}

// words are the pairs of key and value in the file of a table.
func (m *Meta) words(table string) [][2]string {
	words := [][2]string{{metaPrefix + "table", table}}
	for _, e := range m.stated() {
		words = append(words, [2]string{metaPrefix + e.key, *e.value})
	}
	return words
}
