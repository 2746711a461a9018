package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"heddle/internal/ahead"
	"heddle/internal/codegen"
	"heddle/internal/llvm"
	"heddle/internal/module"
	"heddle/internal/program"
	"heddle/internal/target"
)

// buildArchive compiles the kernels of packages for architectures, and writes an
// archive of them with the Go file that embeds it. Kernels that only the running
// program knows are noted; one that no device could run is a fault, and the archive
// has the others.
func buildArchive(c *call) error {
	check := c.flags.Bool("check", false, "compile and write nothing; fail if the archive is not up to date, for its own architectures if -arch lists none")
	archs := c.flags.String("arch", "", "architectures, `list`ed as gfx90a,gfx1100:64,sm_90,x86-64-v3: a warp size may follow a colon")
	out := c.flags.String("o", "kernels.heddle", "the archive's `file`; in a package's directory it gets a Go file beside it that embeds it")
	verbose := c.flags.Bool("v", false, "list what is compiled")
	patterns, err := c.parse(1 << 10)
	if err != nil {
		return err
	}
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	if *check {
		return checkArchive(c, *archs, *out, patterns)
	}
	machines, err := machinesOf(*archs)
	if err != nil {
		return err
	}
	for _, m := range machines {
		if err := canCompile(m, program.Asm); err != nil {
			return missingError{err}
		}
	}
	ks, faults, err := discover(c, patterns)
	if err != nil {
		return err
	}
	b := &builder{machines: machines}
	p := c.progress("compiling kernels", len(ks)*len(machines))
	failed := b.compile(ks, p.step)
	p.end()
	if _, noLLVM := llvm.Open(); len(failed) > 0 && noLLVM != nil {
		return missingError{errors.Join(failed...)}
	}
	faults = append(faults, failed...)
	if *verbose {
		for _, e := range b.entries {
			fmt.Fprintf(c.stdout, "%-12s %2d  %7d bytes  %s\n", e.Arch, e.WarpSize, e.Bytes, e.Kernel)
		}
	}
	return errors.Join(append(faults, b.write(c, *out, len(ks)))...)
}

// discover lists the kernels that can be compiled, and what is wrong with others.
func discover(c *call, patterns []string) (ks []*ahead.Kernel, faults []error, err error) {
	p := c.progress("looking for kernels", 0)
	found, err := ahead.Discover("", patterns...)
	p.end()
	if err != nil {
		return nil, nil, err
	}
	for _, d := range found {
		if d.Err == nil {
			ks = append(ks, d.Kernel)
		}
	}
	return ks, leftOut(c, "build", found), nil
}

// checkArchive tells whether an archive has the code of the kernels as they are
// now, and of nothing else. It needs no compiler.
func checkArchive(c *call, archs, out string, patterns []string) error {
	data, err := os.ReadFile(out)
	if err != nil {
		return fmt.Errorf("%w: heddle build -arch gfx90a,sm_90, say, makes it", err)
	}
	a, err := codegen.ReadArchive(data)
	if err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	if archs == "" {
		archs = archsOf(&a.Index)
	}
	machines, err := machinesOf(archs)
	if err != nil {
		return err
	}
	ks, faults, err := discover(c, patterns)
	if err != nil {
		return err
	}
	var amiss []string
	used := map[string]bool{}
	for _, k := range ks {
		for _, m := range machines {
			keys, err := k.InArchive(a, m.CPU, m.WarpSize)
			if err != nil {
				faults = append(faults, err)
			} else if keys == nil {
				amiss = append(amiss, fmt.Sprintf("it lacks %s for %s", k.Name(), m.CPU))
			}
			for _, key := range keys {
				used[key] = true
			}
		}
	}
	for _, e := range a.Index.Objects {
		if !used[e.Key] {
			amiss = append(amiss, fmt.Sprintf("stale entry: %s for %s", e.Kernel, e.Arch))
		}
	}
	name := embedding(out)
	if text, err := embeddingText(out); err == nil {
		if have, err := os.ReadFile(name); err != nil || string(have) != text {
			amiss = append(amiss, name+" does not embed it")
		}
	}
	if len(amiss) > 0 {
		const most = 10
		if n := len(amiss) - most; n > 0 {
			amiss = append(amiss[:most], fmt.Sprintf("and %d more", n))
		}
		faults = append(faults, fmt.Errorf("%s is not up to date: run heddle build -arch %s\n\t%s", out, archs, strings.Join(amiss, "\n\t")))
	}
	return errors.Join(faults...)
}

// archsOf are the architectures of an archive, as the flag -arch lists them.
func archsOf(index *codegen.Index) string {
	var list []string
	for _, e := range index.Objects {
		if arch := fmt.Sprintf("%s:%d", e.Arch, e.WarpSize); !slices.Contains(list, arch) {
			list = append(list, arch)
		}
	}
	return strings.Join(list, ",")
}

// machinesOf reads "gfx90a,gfx1100:64".
func machinesOf(list string) (ms []*target.Machine, err error) {
	for name := range strings.SplitSeq(list, ",") {
		arch, warp, _ := strings.Cut(strings.TrimSpace(name), ":")
		if arch == "" {
			return nil, usagef("for which architectures? -arch gfx90a,gfx942,sm_90, say")
		}
		size := 0
		if warp != "" {
			if size, err = strconv.Atoi(warp); err != nil {
				return nil, usagef("%q: a warp size is 32 or 64", name)
			}
		}
		m, err := machine(arch, size)
		if err != nil {
			return nil, err
		}
		ms = append(ms, m)
	}
	return ms, nil
}

// A builder compiles kernels into an archive.
type builder struct {
	machines []*target.Machine
	archive  codegen.ArchiveWriter
	entries  []*codegen.Entry
}

// compile compiles each kernel for each machine, and returns what went wrong, in order.
// It calls step for each.
func (b *builder) compile(ks []*ahead.Kernel, step func()) []error {
	errs := make([]error, len(ks)*len(b.machines))
	entries := make([][]*codegen.Entry, len(errs))
	var workers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				m := b.machines[i%len(b.machines)]
				entries[i], errs[i] = ks[i/len(b.machines)].AddTo(&b.archive, m.CPU, m.WarpSize)
				step()
			}
		})
	}
	for i := range errs {
		next <- i
	}
	close(next)
	workers.Wait()
	var faults []error
	for i, all := range entries {
		if errs[i] != nil {
			faults = append(faults, errs[i])
			continue
		}
		for _, e := range all {
			if !slices.ContainsFunc(b.entries, func(o *codegen.Entry) bool { return o.Key == e.Key }) { // the same kernel, made in two places
				b.entries = append(b.entries, e)
			}
		}
	}
	return faults
}

// write writes the archive and, in a package, the file that embeds it.
func (b *builder) write(c *call, out string, kernels int) error {
	var data bytes.Buffer
	if err := b.archive.Write(&data); err != nil {
		return err
	}
	if err := os.WriteFile(out, data.Bytes(), 0o666); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%s: %d kernels for %d architectures, %d bytes\n", out, kernels, len(b.machines), data.Len())
	text, err := embeddingText(out)
	if err != nil {
		return nil // no package there
	}
	file := embedding(out)
	if old, err := os.ReadFile(file); err == nil && string(old) == text {
		return nil
	}
	fmt.Fprintf(c.stdout, "%s embeds it\n", file)
	return os.WriteFile(file, []byte(text), 0o666)
}

// embedding is the name of the Go file that embeds an archive.
func embedding(archive string) string {
	return strings.TrimSuffix(archive, filepath.Ext(archive)) + "_heddle.go"
}

// embeddingText is what that file holds; it is an error if there is no package.
func embeddingText(archive string) (string, error) {
	p, err := build.ImportDir(filepath.Dir(archive), 0)
	if err != nil {
		return "", err
	}
	base := filepath.Base(archive)
	return fmt.Sprintf(archiveFile, p.Name, base, identifier(strings.TrimSuffix(base, filepath.Ext(base)))), nil
}

// archiveFile embeds an archive: package, file, variable.
const archiveFile = `// Code generated by heddle build; DO NOT EDIT.

package %[1]s

import (
	_ "embed"

	heddle "` + module.Kernel + `"
)

//go:embed %[2]s
var heddleArchive%[3]s []byte

var _ = heddle.Archive(heddleArchive%[3]s)
`

// identifier is a name's letters and digits, capitalised.
func identifier(name string) string {
	var b strings.Builder
	upper := true
	for _, r := range name {
		switch {
		case 'a' <= r && r <= 'z' && upper:
			b.WriteRune(r - 'a' + 'A')
			upper = false
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			b.WriteRune(r)
			upper = false
		default:
			upper = true
		}
	}
	return b.String()
}
