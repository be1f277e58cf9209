package tune

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tarry/catalogue/shipped"
)

// What is written can be given to --policy as it is.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "tune")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	c := Default()
	c.Env, c.Policy, c.Params = onSmall, "dally-manual:lease=1800", []string{"t_rack=0:0.001", "t_net=1:8:int"}
	c.Budget, c.Windows, c.Validation, c.Optimiser = 1, 1, 1, "grid"
	if _, err := Run(context.Background(), shipped.All(), c, Options{Out: dir}); err != nil {
		fmt.Println(err)
		return
	}
	var b struct{ Policy string }
	text, err := os.ReadFile(filepath.Join(dir, "best.json"))
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	t, bad := OpenWith(shipped.All(), nil, dir)
	if err != nil || bad != nil {
		fmt.Println(err, bad)
		return
	}
	fmt.Println(t.Policy == b.Policy, strings.HasPrefix(t.Policy, "dally-manual:lease=1800"))
	// Output: true true
}
