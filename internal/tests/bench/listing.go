package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"

	"heddle/kernel"
)

// This file implements looks at the code: as text, and as numbers.

// dump writes the optimised IR and the assembly of every kernel and variant.
func dump(list []*benchmark, dir, arch string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, b := range list {
		for _, v := range variants {
			for stage, suffix := range map[kernel.Stage]string{kernel.IR: ".ll", kernel.Optimised: ".opt.ll", kernel.Asm: ".s"} {
				var text bytes.Buffer
				if err := kernel.NewWith(b.kernel, v.opts).Dump(&text, arch, 0, stage); err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(dir, b.name+"."+v.name+suffix), text.Bytes(), 0o666); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// printResources prints what each kernel needs on each architecture.
func printResources(list []*benchmark, archs string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kernel\tarch\tvariant\tVGPR\tSGPR\tshared\tscratch\tinstructions\t")
	for arch := range strings.SplitSeq(archs, ",") {
		for _, b := range list {
			for _, v := range variants {
				c, err := b.static(arch, v)
				if err != nil {
					return err
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t\n", b.name, arch, v.name,
					c.vgpr, c.sgpr, c.shared, c.scratch, c.total())
			}
		}
	}
	return w.Flush()
}

// A code is what the listing of a kernel says: its instructions, and on AMD's GPUs what it
// needs of registers and, in bytes, of shared and private memory, and the size of its waves.
type code struct {
	counts
	vgpr, sgpr, shared, scratch, wave int
}

// needs are how the fields of a code are called in a listing.
var needs = map[string]func(c *code) *int{
	"vgpr_count":                 func(c *code) *int { return &c.vgpr },
	"sgpr_count":                 func(c *code) *int { return &c.sgpr },
	"group_segment_fixed_size":   func(c *code) *int { return &c.shared },
	"private_segment_fixed_size": func(c *code) *int { return &c.scratch },
	"wavefront_size":             func(c *code) *int { return &c.wave },
}

// read takes a kernel from a listing; an empty name stands for the only one.
func (c *code) read(listing, kernel string) error {
	for entry := range strings.SplitSeq(listing, "\n  - ") { // of the metadata
		m := regexp.MustCompile(`(?m)^    \.name: +(\S+)$`).FindStringSubmatch(entry)
		if m == nil || kernel != "" && m[1] != kernel {
			continue
		}
		kernel = m[1]
		for name, field := range needs {
			*field(c) = countOf(entry, `(?m)^ *\.`+name+`: +(\d+)$`)
		}
	}
	if m := regexp.MustCompile(`\.entry (\w+)\(`).FindStringSubmatch(listing); m != nil {
		kernel = m[1]
	}
	if c.counts = listed(listing, kernel); c.total() == 0 {
		return fmt.Errorf("no instructions of %s in the listing", kernel)
	}
	return nil
}

// countOf is the first number in a text that an expression finds, 0 if there is none.
func countOf(text, expr string) int {
	m := regexp.MustCompile(expr).FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// static compiles a kernel for an architecture.
func (b *benchmark) static(arch string, v variant) (c code, err error) {
	var asm bytes.Buffer
	if err := kernel.NewWith(b.kernel, v.opts).Dump(&asm, arch, 0, kernel.Asm); err != nil {
		return c, err
	}
	return c, c.read(asm.String(), "")
}

// Classes of instructions: memory is all that is not shared; other is waits, barriers and
// hints. What PTX computes is vector.
const (
	arithmetic = iota
	scalar
	memory
	lds
	branch
	other
	classes
)

var classNames = [classes]string{"vector", "scalar", "memory", "LDS", "branch", "other"}

// counts are numbers of instructions, by class.
type counts [classes]int

func (c *counts) total() (n int) {
	for _, k := range c {
		n += k
	}
	return n
}

// String is the total, and what it is made of.
func (c *counts) String() string {
	text := fmt.Sprint(c.total(), " =")
	for i, k := range c {
		text += fmt.Sprintf(" %d %s", k, classNames[i])
	}
	return text
}

// prefixes give the class of an instruction by how its name begins; the first that fits.
var prefixes = []struct {
	prefix string
	class  int
}{
	{"v_", arithmetic}, {"ds_", lds}, {"global_", memory}, {"flat_", memory}, {"buffer_", memory}, {"scratch_", memory},
	{"s_load", memory}, {"s_buffer_load", memory}, {"s_cbranch", branch}, {"s_branch", branch}, {"s_setpc", branch},
	{"s_swappc", branch}, {"s_call", branch}, {"s_wait", other}, {"s_barrier", other}, {"s_nop", other},
	{"s_delay", other}, {"s_clause", other}, {"s_endpgm", other}, {"s_sendmsg", other}, {"s_code_end", other},
	{"s_inst_prefetch", other}, {"s_set_gpr", other}, {"s_sleep", other}, {"s_setprio", other}, {"s_", scalar},
	{"ld.shared", lds}, {"st.shared", lds}, {"atom.shared", lds}, {"red.shared", lds}, {"ld.", memory}, {"st.", memory},
	{"atom.", memory}, {"red.", memory}, {"bra", branch}, {"ret", branch}, {"call", branch}, {"brx", branch}, {"exit", branch},
	{"bar.", other}, {"fence", other}, {"membar", other}, {"trap", other}, {"", arithmetic},
}

func classOf(name string) int {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p.prefix) {
			return p.class
		}
	}
	return other
}

// listed counts the instructions of a function in a listing, AMD's or PTX: indented lines
// from its label or its heading on that are neither directives nor comments.
func listed(asm, function string) (n counts) {
	in := false
	for line := range strings.Lines(asm) {
		switch {
		case strings.HasPrefix(line, function+":"), strings.Contains(line, ".entry "+function+"("):
			in = true
		case strings.HasPrefix(strings.TrimSpace(line), ".Lfunc_end"), strings.HasPrefix(line, "}"):
			in = false
		case in && strings.HasPrefix(line, "\t"):
			c := strings.TrimSpace(line)
			if strings.HasPrefix(c, "@") { // a predicate
				_, c, _ = strings.Cut(c, " ")
				c = strings.TrimSpace(c)
			}
			if c != "" && !strings.ContainsAny(c[:1], ".;/{}$") {
				n[classOf(c)]++
			}
		}
	}
	return n
}
