package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// LabelsName is the file of a folder of results that has the labels of policies.
const LabelsName = "labels.json"

// Labels are the short names that pictures, tables and the report have for the policies of a
// folder, by the name in the column policy (or the value of a sweep's axis). A folder without the
// file has none. No table holds them: the file may be changed at any time.
func Labels(dir string) (map[string]string, error) {
	path := filepath.Join(dir, LabelsName)
	data, err := ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out map[string]string
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w, expected {\"POLICY\": \"LABEL\", ...}", path, err)
	}
	return out, nil
}
