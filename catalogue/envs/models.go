package envs

import (
	"tarry/env"
	"tarry/env/classic/deeprm"
	"tarry/env/classic/parallelqueues"
	"tarry/env/dispatch"
	"tarry/env/replicas"
	"tarry/env/scenario"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// models are the environments outside the simulator (env/model): a line each.
func models() []Entry {
	return []Entry{
		modelled(deeprm.ID, "choose which visible job gets a place on a machine of two resources next (masked)",
			deeprm.Rows, deeprm.Make, deeprm.Read),
		modelled(parallelqueues.ID, "give jobs to finite queues whose departures are acknowledged late", parallelqueues.Rows,
			parallelqueues.Make, parallelqueues.Read),
		modelled(dispatch.ID, "hand requests to nodes and the cloud, many agents with one policy (KaiS; masked)",
			dispatch.Rows, dispatch.Make, dispatch.Read),
		{ID: replicas.ID, Doc: "state how many replicas services have, beside jobs (masked)", Rows: replicas.Rows,
			New:  replicas.Make,
			Read: func(from scenario.Catalogues, s *param.Set) { replicas.Read(s, from) }},
	}
}

// modelled is an entry of an environment of env/model, by the functions of its package.
func modelled[C any](id, doc string, rows func() []setting.Row,
	make func(from scenario.Catalogues, options string) (env.Env, error), read func(s *param.Set) C) Entry {
	return Entry{ID: id, Doc: doc, New: make, Rows: rows,
		Read: func(_ scenario.Catalogues, s *param.Set) { read(s) }}
}
