package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"heddle/internal/codegen"
	"heddle/internal/llvm"
	"heddle/launch"
)

func version(c *call) error {
	if _, err := c.parse(0); err != nil {
		return err
	}
	own := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		own = info.Main.Version
	}
	fmt.Fprintf(c.stdout, "heddle %s %s %s/%s", own, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if lib, err := llvm.Open(); err == nil {
		fmt.Fprintf(c.stdout, " LLVM %s", lib.Version)
	}
	fmt.Fprintln(c.stdout)
	return nil
}

func devices(c *call) error {
	asJSON := c.flags.Bool("json", false, "print JSON: launch.DeviceInfo values")
	verbose := c.flags.Bool("v", false, "print all that each device says of itself")
	if _, err := c.parse(0); err != nil {
		return err
	}
	all := launch.Devices()
	if *asJSON {
		return printJSON(c.stdout, all)
	}
	if *verbose {
		return printProperties(c.stdout, all)
	}
	for i := range all {
		fmt.Fprintf(c.stdout, "%-14s %s\n", all[i].Name, describe(&all[i]))
	}
	return nil
}

// describe is "NVIDIA H200, sm_90, warp 32, 132 units, 139 GiB, 227 KiB shared memory".
func describe(d *launch.DeviceInfo) string {
	return fmt.Sprintf("%s, %s, warp %d, %d units, %s, %s shared memory", d.Product, d.Arch, d.WarpSize,
		d.ComputeUnits, size(d.Memory), size(int64(d.SharedPerBlock)))
}

func cache(c *call) error {
	args, err := c.parse(1)
	if err != nil {
		return err
	}
	what := ""
	if len(args) > 0 {
		what = args[0]
	}
	if what == "clear" {
		n, err := codegen.ClearCache()
		if err == nil {
			fmt.Fprintf(c.stdout, "%d entries removed\n", n)
		}
		return err
	}
	s := codegen.CacheInfo()
	if s.Problem != nil {
		return missingError{fmt.Errorf("the cache is not used: %w", s.Problem)}
	}
	switch what {
	case "":
		fmt.Fprintln(c.stdout, cacheLine(&s))
	case "path":
		fmt.Fprintln(c.stdout, s.Dir)
	default:
		return usagef("cache %s: want path or clear", what)
	}
	return nil
}

func cacheLine(s *codegen.CacheStatus) string {
	return fmt.Sprintf("%s: %d entries, %s", s.Dir, s.Entries, size(s.Bytes))
}

func size(n int64) string {
	for _, u := range []struct {
		bytes int64
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.bytes {
			return fmt.Sprintf("%.4g %s", float64(n)/float64(u.bytes), u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
