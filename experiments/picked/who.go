package picked

// backfilled ends the names of settings in which the pick reserves and others backfill.
const backfilled = "-backfill"

// learners are the axis of that name.
func learners() []string { return []string{"linear", "units", "ppo"} }

// rivals are the orders of the published comparison, SJF first.
func rivals(backfill bool) []string {
	var out []string
	for _, order := range []string{"sjf", "f1", "wfp3", "unicep", "fcfs"} {
		name := "picked:order=" + order
		if backfill {
			name += ",backfill=fcfs"
		}
		out = append(out, name)
	}
	return out
}
