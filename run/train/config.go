package train

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/registry"
	"tarry/env/trait"
	"tarry/output/results"
	"tarry/run/parts"
	"tarry/sim/param"
)

// Config is everything that decides the bytes of a run. Make it with Resolve.
type Config struct {
	// Env is ID or ID:key=value,...; Agent a name of the catalogue; Seed names all random streams.
	Env   string
	Agent string
	Seed  uint64
	Schedule
	from  *parts.Catalogues
	agent agents.Config
	entry agents.Entry
	// spec is the environment's, which advises the agent; nil for a run whose settings are
	// recorded, all of them.
	spec *env.Spec
	// found is Env with the path at which its trace is now; lost states that it was not found.
	found string
	lost  error
	// barred states why no agent can be trained in the environment; nil = it can.
	barred error
	// maker makes the environments and keeps what it opened for them until the first Run takes
	// that.
	maker *registry.Maker
}

// Schedule states what happens between updates. Start from the defaults of Resolve.
type Schedule struct {
	// CheckpointEvery is the number of updates between two checkpoints.
	CheckpointEvery int `json:"checkpoint_every" about:"updates between two checkpoints" range:"[1,inf)"`
	// CheckpointMinutes is the time after which a checkpoint is written in any case; 0 = none is
	// for the time.
	CheckpointMinutes float64 `json:"checkpoint_minutes,omitempty" about:"minutes after which a checkpoint is written in any case; 0 = none for the time" range:"[0,1e6]"`
	// ValidateEvery is the number of updates between two validations, 0 = only after the last;
	// ValidateEpisodes how many episodes (windows, where jobs come in windows) each one has.
	ValidateEvery    int `json:"validate_every" about:"updates between two validations; 0 = only after the last" range:"[0,inf)"`
	ValidateEpisodes int `json:"validate_episodes" about:"episodes (windows of jobs) of a validation" range:"[1,inf)"`
	// ValidateStart measures the policy before the first update too: the best is then never worse
	// on validation than the start. With Imitate that is always so.
	ValidateStart bool `json:"validate_start,omitempty" about:"the policy before the first update may be the best, too; after imitation it always may"`
	// Patience stops a run after so many validations in a row that were not the best; 0 = never.
	Patience int `json:"patience" about:"validations without a better one before training stops; 0 = never" range:"[0,inf)"`
	// Imitate is the baseline whose actions the agent learns before training, NAME or
	// NAME:key=value,...; "" = none. The others set how long: at least ImitateEpisodes episodes
	// of the baseline, each rollout in ImitateEpochs passes with ImitateRate as Adam's learning
	// rate.
	Imitate         string  `json:"imitate,omitempty" about:"scheduler whose actions are learned first, NAME or NAME:key=value,...; empty = none" range:"see tarry list policies"`
	ImitateEpisodes int     `json:"imitate_episodes,omitempty" about:"episodes of it, at least; 0 = 64" range:"[0,inf)"`
	ImitateEpochs   int     `json:"imitate_epochs,omitempty" about:"passes over each rollout of it; 0 = 10" range:"[0,inf)"`
	ImitateRate     float64 `json:"imitate_rate,omitempty" about:"learning rate of Adam for it; 0 = 0.001" range:"[0,1]"`
	// ParquetCodec compresses the files of the tables: one of results.Codecs; "" = the first of
	// them.
	ParquetCodec string `json:"parquet_codec,omitempty" about:"codec of the tables' files; empty = zstd" range:"zstd, zstd:3, zstd:7, zstd:11, snappy, none"`
}

// recorded is the JSON of config.json.
type recorded struct {
	Env             string                     `json:"env"`
	Agent           string                     `json:"agent"`
	Seed            uint64                     `json:"seed"`
	Schedule        Schedule                   `json:"schedule"`
	Hyperparameters map[string]json.RawMessage `json:"hyperparameters"`
}

// Resolve makes a Config; env and agent are names of from. Settings are the keys of Schedule and of
// the agent; later ones win. The error joins every fault.
func Resolve(from *parts.Catalogues, envText, agent string, seed uint64, given []agents.Setting) (Config, error) {
	c := Config{Env: envText, Agent: agent, Seed: seed, from: from, found: envText, maker: from.Maker()}
	err := c.checkEnv()
	return c, errors.Join(err, c.barred, c.settle(given))
}

// Defaults is the schedule of a run that states nothing else.
func Defaults() Schedule {
	return Schedule{CheckpointEvery: 10, ValidateEvery: 10, ValidateEpisodes: 8}
}

// settle applies the settings over the defaults.
func (c *Config) settle(given []agents.Setting) error {
	c.Schedule = Defaults()
	var err error
	if c.entry, err = c.from.Agents.Find(c.Agent); err != nil {
		return err
	}
	own, rest, unknown := c.divide(given)
	put := errors.Join(unknown, agents.Put(&c.Schedule, own), c.Schedule.codec(own))
	c.Schedule.imitation()
	put = errors.Join(put, c.Schedule.validate(), c.checkImitation())
	rest, started := c.startFrom(rest)
	c.agent, err = c.entry.Configure(c.spec, c.Seed, rest)
	return errors.Join(put, started, err, c.demonstrations())
}

// divide separates the schedule's settings from the agent's; the error is of settings of neither.
func (c *Config) divide(given []agents.Setting) (own, rest []agents.Setting, err error) {
	keys, flags := agents.Keys(c.Schedule), []string{"env", "agent", "seed"}
	all := slices.Concat(flags, keys, c.entry.Keys)
	var errs []error
	for _, s := range given {
		switch {
		case slices.Contains(keys, s.Key):
			own = append(own, s)
		case slices.Contains(c.entry.Keys, s.Key):
			rest = append(rest, s)
		case slices.Contains(flags, s.Key):
			errs = append(errs,
				s.Errorf("%s is no setting of --set, expected --%s, or the key in the file of --config", s.Key, s.Key))
		default:
			errs = append(errs, s.Errorf("unknown setting %q, expected one of %s%s", s.Key, strings.Join(all, ", "),
				param.Hint(s.Key, all)))
		}
	}
	return own, rest, errors.Join(errs...)
}

// codec checks the codec of the tables, where it was given.
func (s *Schedule) codec(given []agents.Setting) error {
	codec, err := results.ParseCodec(s.ParquetCodec)
	for _, g := range slices.Backward(given) {
		if err != nil && g.Key == "parquet_codec" {
			return g.Errorf("parquet_codec: %v", err)
		}
	}
	s.ParquetCodec = string(codec)
	return err
}

func (s *Schedule) validate() error {
	var errs []error
	for _, f := range []struct {
		name        string
		got, lowest int
	}{{"checkpoint_every", s.CheckpointEvery, 1}, {"validate_every", s.ValidateEvery, 0},
		{"validate_episodes", s.ValidateEpisodes, 1}, {"patience", s.Patience, 0}} {
		if f.got < f.lowest {
			errs = append(errs, fmt.Errorf("%s is %d, expected at least %d", f.name, f.got, f.lowest))
		}
	}
	if !(s.CheckpointMinutes >= 0 && s.CheckpointMinutes <= 1e6) {
		errs = append(errs, fmt.Errorf("checkpoint_minutes is %v, expected 0 to 1e6", s.CheckpointMinutes))
	}
	return errors.Join(errs...)
}

// Notes are remarks on the settings of the environment, such as a type of GPU without a speed; nil
// where all settings are recorded.
func (c *Config) Notes() []string {
	if c.spec == nil {
		return nil
	}
	return c.spec.Notes
}

// checkEnv makes the environment once, and refuses one that trains on what is kept for later.
func (c *Config) checkEnv() error {
	if c.Env == "" {
		return errors.New("no environment, expected ID or ID:key=value,...")
	}
	e, err := c.make(trait.Train)
	if err != nil {
		return err
	}
	c.spec = e.Spec()
	if on, ok := env.Find[trait.Windowed](e); ok && on.Part() != trait.Train {
		err = fmt.Errorf("environment %q: part is %s, expected %s: training may see no other windows", c.Env,
			on.Part(), trait.Train)
	}
	if on, ok := env.Find[trait.Taught](e); ok {
		if why := on.Trainable(); why != nil {
			c.barred = fmt.Errorf("environment %q: %w", c.Env, why)
		}
	}
	return errors.Join(err, e.Close())
}

// JSON is what config.json holds.
func (c *Config) JSON() ([]byte, error) {
	text, err := c.agent.JSON()
	if err != nil {
		return nil, err
	}
	r := recorded{Env: c.Env, Agent: c.Agent, Seed: c.Seed, Schedule: c.Schedule}
	if err := json.Unmarshal(text, &r.Hyperparameters); err != nil {
		return nil, err
	}
	out, err := json.MarshalIndent(r, "", "  ")
	return append(out, '\n'), err
}

// meta is the metadata of the run's tables; text is what JSON gives.
func (c *Config) meta(text []byte, version string) results.Meta {
	m := results.NewMeta(string(text), "", version)
	m.Codec = results.Codec(c.ParquetCodec)
	return m
}

// Steps is how many environment steps the run has, Envs how many environments it steps together.
func (c *Config) Steps() int { return c.agent.Steps() }

// Envs is how many environments are stepped together.
func (c *Config) Envs() int { return c.agent.Envs() }

// Updates is how many updates the run has, 0 = that depends on how long episodes are.
func (c *Config) Updates() int { return c.agent.Updates() }

// read parses config.json of a run, whose environments m makes.
func read(from *parts.Catalogues, m *registry.Maker, dir string, text []byte) (Config, error) {
	path := filepath.Join(dir, configName)
	var r recorded
	if err := json.Unmarshal(text, &r); err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	c := Config{Env: r.Env, Agent: r.Agent, Seed: r.Seed, from: from, maker: m}
	c.found, c.lost = locate(from.Traces, m, dir, r.Env)
	if err := c.settle(r.settings()); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// settings spells the recorded settings out.
func (r *recorded) settings() []agents.Setting {
	var out []agents.Setting
	add := func(from map[string]json.RawMessage) {
		for _, k := range sorted(from) {
			if k != "seed" {
				out = append(out, agents.Setting{Key: k, Value: string(from[k]), Where: "config.json"})
			}
		}
	}
	schedule := map[string]json.RawMessage{}
	if text, err := json.Marshal(r.Schedule); err == nil && json.Unmarshal(text, &schedule) == nil {
		add(schedule)
	}
	add(r.Hyperparameters)
	return out
}

func sorted(m map[string]json.RawMessage) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// sum is the SHA-256 of some bytes in hex.
func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
