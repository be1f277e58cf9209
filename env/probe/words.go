package probe

import "tarry/env/layout"

// words state what a probe shows, does and rewards: features and actions as layout.Features reads
// them.
type words struct {
	features, actions, reward, ends string
	items                           int // that have the features
}

// explained has the words of each probe.
func explained(id string) words {
	const zero, coin, only = "constant  0, 1  number  always 0", "bit  0, 1  number  0 or 1 with equal chances",
		"0  the only action"
	const once = "terminated after the first step"
	return map[string]words{
		"probe/Constant-v0": {zero, only, "1", once, 1},
		"probe/Seen-v0":     {coin, only, "2 bit - 1", once, 1},
		"probe/Delayed-v0": {"step  0, 1  number  1 after the first step", only, "0 for the first step, 1 for the second",
			"terminated after the second step", 1},
		"probe/Choice-v0": {zero, "0  costs 1\n1  earns 1", "-1 or 1 by the action", once, 1},
		"probe/Match-v0":  {coin, "0..1  the bit that is seen", "1 where the action is the bit, else 0", once, 1},
		"probe/Masked-v0": {"legal  0, 1  flag  1 where the action of that number is legal", "0..3  earns (number + 1) / 4",
			"(action + 1) / 4", once, 4},
		"probe/Endless-v0": {zero, only, "1 for every step", "truncated after 8 steps", 1},
		"probe/Waiting-v0": {`
begun  0, 1  number  1 after the first step
wait  0..1  8 units of time  how long the first step takes: 1, 2, 4 or 8 units; 0 after it`, only,
			"0 for the first step, 1 for the second", "terminated after the second step", 1},
		"probe/Slots-v0": {"size  0, 0.25, 0.5, 0.75, 1  number  of the job in that place, in random order",
			"0..4  the place of the largest number", "1 where the action is that place, else 0", once, 5},
		"probe/Pair-v0": {"first  0, 1  number  a random bit\nsecond  0, 1  number  another",
			"0  0, 1  number  the first bit\n1  0, 1, 2  number  the second bit", "1/2 for each bit that is repeated", once, 1},
		"probe/Target-v0": {"side  -1, 1  number  -1 or 1 with equal chances", "0  -1..1  number  half of what is seen",
			"-(action - side / 2)^2", once, 1},
		"probe/Paced-v0": {"side  0, 1  number  0 and 1 in turn",
			"0  on side 0: earns 2 in 1 unit of time\n1  on side 0: earns 3 in 3 units of time",
			"on side 0 2 + action, which takes 1 + 2 action units of time; on side 1 nothing, in 1 unit",
			"truncated after 16 steps", 1},
		"probe/Rare-v0": {"second  0, 1  flag  1 at the second decision of a slot\n" +
			"lost  0, 1  flag  1 after a wrong decision", "0..31  the first decision should be 5, the second 2",
			"20 at the second decision if both are right, else 0", "terminated after two decisions of one instant", 1},
		"probe/Mixed-v0": mixedWords(),
		"probe/Privileged-v0": {"luck  -1, 1  number  -1 or 1 with equal chances, for the critic alone\nbit  0, 1  " +
			"number  0 or 1 with equal chances", "0..1  the bit", "luck, and 1/100 where the action is the bit", once, 1},
		"probe/Limits-v0": {`
present  0, 1, 1.5  flag  0 where there is no job, 1.5 where a job is closed: all its limits are illegal
size  0, 0.25, 0.5, 0.75, 1  number  of the job in that place; all differ
bit  0, 1  number  0 or 1 with equal chances`,
			"0..14  3 place + limit; the limit is the bit of that job, and 1 more where most jobs have the bit 1",
			"1/2 for the largest open job, 1/2 for the limit of the job that is chosen", once, limitPlaces},
	}[id]
}

// layout gives the words to a specification.
func (w *words) layout() (layout.Observation, layout.Guide) {
	return layout.Observation{Segments: []layout.Segment{{Name: "seen", Features: layout.Features(w.features),
			Items: w.items}}},
		layout.Guide{Action: layout.Features(w.actions), Reward: w.reward, Ends: w.ends}
}
