package source

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/diag"
	"heddle/internal/errs"
	"heddle/internal/exe"
	"heddle/internal/flow"
	"heddle/internal/module"
)

// This file finds the kernels of packages without running them: the calls that
// make kernels, and what functions may come to them.

// A KernelCall is a call by which a program makes a kernel.
type KernelCall struct {
	Pos  token.Position // of the call that makes it
	Name string         // of the function, "" if that is not known
	Func *Func          // nil if Err is not
	Err  error          // why the function, or something that it needs, is not known
	// Options are the constants that the call's options have, by field, if it has
	// any. Unsure says that others may be set.
	Options map[string]constant.Value
	Unsure  bool
}

// Makers say which functions make kernels, by their full names: the first
// argument that may be a function is it, the next, if there is one, the options.
type Makers func(name string) bool

// maxRounds is how often discovery begins anew because it lacked packages.
const maxRounds = 8

// Discover lists the kernels that the packages of patterns make, and the
// packages of their module that they import: for tools. It needs the go command
// and sources, and runs nothing. What a kernel is made of is followed through
// variables, parameters, results, fields and maps; where functions come in other
// ways, there is a KernelCall with an error. The errors of a package that does not compile
// are Discover's.
func Discover(dir string, patterns []string, makers Makers, intrinsic func(*types.Func) bool) ([]KernelCall, error) {
	shared.Lock()
	defer shared.Unlock()
	ps, err := listForTool(dir, patterns, compiledFlag)
	if err != nil {
		return nil, err
	}
	return discoverIn(ps, makers, intrinsic)
}

// discoverIn is Discover for packages that are listed.
func discoverIn(ps []*listed, makers Makers, intrinsic func(*types.Func) bool) (made []KernelCall, err error) {
	var at token.Position // of the call that is looked at
	defer func() {
		if r := recover(); r != nil {
			err = &diag.Error{Pos: at, Msg: fmt.Sprintf("internal error while looking for kernels: %v", r), Hint: "please report it with the package's source"}
		}
	}()
	paths, err := ownPaths(ps)
	if err != nil {
		return nil, err
	}
	addListed(ps)
	gaveUp := map[string]bool{}      // kernels that make do with what there is
	found := map[string]KernelCall{} // in an earlier round
	for round := 1; ; round++ {
		loadInFull()
		w := currentUniverse()
		w.needBodies(paths)
		w = currentUniverse()
		d, err := w.discover(paths, makers)
		if err != nil {
			return nil, err
		}
		again := false
		for i, c := range d.made {
			if m, ok := found[c.key()]; ok {
				c.KernelCall = m
				continue
			}
			at = c.Pos
			again = d.find(i, intrinsic, gaveUp) || again
			if c.Func != nil {
				found[c.key()] = c.KernelCall
			}
		}
		if !again || round == maxRounds {
			return d.result(), nil
		}
		shared.world = nil
	}
}

// ownPaths are the import paths of the listed packages and of those of the same
// module that they import. Of a package that is listed with a variant for tests,
// the variant is meant.
func ownPaths(ps []*listed) ([]string, error) {
	var bad []error
	var paths []string
	for _, p := range ps {
		own := p.own()
		if p.Error != nil && (own || !p.DepOnly) {
			bad = append(bad, &diag.Error{Msg: fmt.Sprintf("package %s: %s", p.ImportPath, p.Error.Err)})
		}
		// heddle's own packages make no kernels; a program in its module does
		library := strings.HasPrefix(p.ImportPath, module.Path+"/") && p.DepOnly
		wanted := (own || !p.DepOnly) && (p.ForTest == "" || p.ForTest == underTest()) && !library
		if path := p.typesPath(); wanted && len(p.GoFiles)+len(p.CgoFiles) > 0 && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	if len(bad) > 0 {
		return nil, errs.Join(bad...)
	}
	return paths, nil
}

// own reports whether p is of the module at hand.
func (p *listed) own() bool { return p.Module != nil && p.Module.Main }

// A discovery is Discover in one universe.
type discovery struct {
	w    *universe
	prog *ssa.Program
	flow *flow.Flow
	made []*candidateKernel
}

// A candidateKernel is one function that a call makes a kernel of.
type candidateKernel struct {
	KernelCall
	from *flow.Value
}

// key tells a candidate from others in every universe.
func (c *candidateKernel) key() string {
	if c.from == nil {
		return c.Pos.String()
	}
	return fmt.Sprintf("%s %v", c.Pos, c.from)
}

// discover builds the packages whole, and looks at the calls in them.
func (w *universe) discover(paths []string, makers Makers) (*discovery, error) {
	d := &discovery{w: w, prog: ssa.NewProgram(w.fset, ssa.InstantiateGenerics)}
	var bad []error
	var pkgs []*pkg
	for _, p := range paths {
		sp, err := w.load(p)
		if errors.Is(err, errNoFiles) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range sp.errs {
			bad = append(bad, typeError(e))
		}
		pkgs = append(pkgs, sp)
	}
	if len(bad) > 0 {
		return nil, errs.Join(bad...)
	}
	for _, sp := range w.src { // their functions may have bodies
		if !slices.Contains(pkgs, sp) && len(sp.errs) == 0 && sp.left == nil && !w.isStd(sp.path) {
			pkgs = append(pkgs, sp)
		}
	}
	slices.SortFunc(pkgs, func(a, b *pkg) int { return cmp.Compare(a.path, b.path) })
	for _, sp := range pkgs {
		for _, f := range sp.files {
			notEvaluated(sp.info, f)
		}
		d.prog.CreatePackage(sp.types, sp.files, sp.info, true)
	}
	for _, sp := range pkgs {
		d.imports(sp.types)
	}
	if err := buildAll(d.prog); err != nil {
		return nil, err
	}
	d.flow = flow.New(allFunctions(d.prog, pkgs))
	for _, call := range d.flow.Calls() {
		if p := packageOf(call.Parent()); p == nil || !slices.Contains(paths, p.Path()) {
			continue // known for other reasons
		}
		callee := call.Common().StaticCallee()
		if callee == nil {
			continue
		}
		if f, ok := originOf(callee).Object().(*types.Func); ok && makers(f.FullName()) {
			d.call(call.Common())
		}
	}
	slices.SortStableFunc(d.made, func(a, b *candidateKernel) int { return cmp.Compare(a.key(), b.key()) })
	d.made = slices.CompactFunc(d.made, func(a, b *candidateKernel) bool { return a.key() == b.key() })
	return d, nil
}

// outermostFunc is the declared function that a literal is written in, fn itself
// if it is no literal.
func outermostFunc(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// originOf is the generic function that fn is an instance of, else fn.
func originOf(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

// packageOf is the package that a function is written in.
func packageOf(fn *ssa.Function) *types.Package {
	fn = originOf(outermostFunc(fn))
	if fn.Pkg != nil {
		return fn.Pkg.Pkg
	}
	if o := fn.Object(); o != nil {
		return o.Pkg()
	}
	return nil
}

// imports makes the packages that are known by their declarations.
func (d *discovery) imports(p *types.Package) {
	for _, imp := range p.Imports() {
		if d.prog.Package(imp) == nil {
			d.prog.CreatePackage(imp, nil, nil, true)
			d.imports(imp)
		}
	}
}

// call adds what a call that makes a kernel makes it of.
func (d *discovery) call(c *ssa.CallCommon) {
	pos := d.w.fset.Position(c.Pos())
	args := c.Args
	for len(args) > 1 && !mayBeFunc(args[0].Type()) {
		args = args[1:]
	}
	opts, unsure := d.options(args)
	fns, whole := d.flow.Values(args[0])
	var values []flow.Value
	for _, v := range fns {
		values = append(values, d.flow.Choices(v, maxHeld)...)
	}
	for i := range values {
		d.made = append(d.made, &candidateKernel{KernelCall{Pos: pos, Options: opts, Unsure: unsure}, &values[i]})
	}
	if !whole {
		msg := "the function that this makes a kernel of is known only when the program runs"
		if len(values) > 0 {
			msg = "this makes kernels of other functions too, which are known only when the program runs"
		}
		d.made = append(d.made, &candidateKernel{KernelCall: KernelCall{Pos: pos, Err: &diag.Error{Pos: pos, Msg: msg, Hint: "its code is compiled then"}}})
	}
}

// mayBeFunc reports whether values of a type are func values, or may hold one.
func mayBeFunc(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		return true
	}
	return false
}

// options reads the constants of an options struct that is written out.
func (d *discovery) options(args []ssa.Value) (opts map[string]constant.Value, unsure bool) {
	if len(args) < 2 {
		return nil, false
	}
	if _, ok := args[1].(*ssa.Const); ok {
		return nil, false // zero
	}
	load, ok := args[1].(*ssa.UnOp)
	if !ok {
		return nil, true
	}
	lit, ok := load.X.(*ssa.Alloc)
	if !ok {
		return nil, true
	}
	opts = map[string]constant.Value{}
	for _, r := range *lit.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			st := lit.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
			for _, s := range *r.Referrers() {
				store, ok := s.(*ssa.Store)
				if !ok {
					continue
				}
				if v, ok := store.Val.(*ssa.Const); ok && v.Value != nil {
					opts[st.Field(r.Field).Name()] = v.Value
				} else {
					unsure = true
				}
			}
		case *ssa.Store:
			unsure = unsure || r.Addr == lit
		}
	}
	return opts, unsure
}

// find finds the i-th candidate's function as Find finds a func value's, and
// reports whether it is to be tried again in the next universe.
func (d *discovery) find(i int, intrinsic func(*types.Func) bool, gaveUp map[string]bool) bool {
	c := d.made[i]
	if c.from == nil {
		return false
	}
	c.Name = c.from.Fn.RelString(nil)
	opts := Options{Intrinsic: intrinsic, CallFile: c.Pos.Filename, CallLine: c.Pos.Line}
	f := &finder{opts: opts, id: exe.Ident{Name: c.Name, File: c.Pos.Filename, StartLine: c.Pos.Line}, last: gaveUp[c.key()]}
	f.known = func(w *universe) (*resolved, error) { return d.target(f, c.from, 0, map[ssa.Value]*resolved{}) }
	shared.world = d.w
	c.Func, c.Err = f.tryCurrent()
	if c.Err == nil {
		c.Name = c.Func.Name
		return false
	}
	again, err := f.more(c.Err)
	if f.last {
		gaveUp[c.key()] = true
	}
	if err != nil {
		c.Err = err
	}
	c.Err = opts.Locate(c.Err)
	return err == nil && again
}

func (d *discovery) result() []KernelCall {
	var all []KernelCall
	for _, c := range d.made {
		all = append(all, c.KernelCall)
	}
	return all
}

// target makes the target of a function, depth captured functions deep.
func (d *discovery) target(f *finder, v *flow.Value, depth int, same map[ssa.Value]*resolved) (*resolved, error) {
	if t := same[v.Site]; t != nil {
		return t, nil // captured twice
	}
	t, err := d.declaration(v)
	if err != nil {
		return nil, err
	}
	same[v.Site] = t
	f.order = append(f.order, t)
	f.funcs[t] = map[int]*resolved{}
	t.captured = depth > 0
	if t.id.Bound() {
		t.slots = []slot{t.receiverSlot()}
	}
	if t.lit == nil {
		return t, nil
	}
	m := t.substitution()
	for _, cv := range captureOrder(t.info, t.lit) {
		s := slot{v: cv, typ: m.apply(d.w.ctxt, cv.Type())}
		if s.typ == nil {
			return nil, &diag.Error{Pos: d.w.fset.Position(cv.Pos()), Msg: fmt.Sprintf("the type of captured variable %s is not known", cv.Name())}
		}
		t.slots = append(t.slots, s)
	}
	for i, s := range t.funcCaptures() {
		held := v.Holds(s.v)
		if held == nil || s.inner {
			return nil, &diag.Error{Pos: d.w.fset.Position(s.v.Pos()), Msg: fmt.Sprintf("%s captures the func %s, whose value is not statically known", v.Fn.RelString(nil), s.name), Hint: "it is compiled when the program runs"}
		}
		if f.funcs[t][i], err = d.target(f, held, depth+1, same); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// maxHeld is how many captured functions deep discovery looks.
const maxHeld = 6

// declaration is the declared function, literal or method value that a function
// of the whole program is.
func (d *discovery) declaration(v *flow.Value) (*resolved, error) {
	fn := v.Fn
	outer := outermostFunc(fn)
	t := &resolved{args: outer.TypeArgs()}
	outer = originOf(outer)
	if fn.Parent() != nil {
		t.lit, _ = fn.Syntax().(*ast.FuncLit)
		if t.lit == nil {
			return nil, &diag.Error{Msg: fmt.Sprintf("%s has no function literal", fn), Hint: "it is compiled when the program runs"}
		}
	}
	obj, _ := outer.Object().(*types.Func)
	if obj != nil {
		t.fn = obj.Origin()
		if len(t.args) == 0 {
			t.args = receiverArgs(obj)
		}
	}
	ref := d.w.decls[t.fn]
	switch {
	case t.fn == nil && t.lit != nil: // in a variable's initialiser
		if outer.Pkg == nil || d.w.src[outer.Pkg.Pkg.Path()] == nil {
			return nil, &diag.Error{Msg: fmt.Sprintf("the package of %s is not known", fn), Hint: "it is compiled when the program runs"}
		}
		t.pkg = d.w.src[outer.Pkg.Pkg.Path()]
		for _, file := range t.pkg.files {
			if file.FileStart <= t.lit.Pos() && t.lit.Pos() < file.FileEnd {
				t.file = file
			}
		}
		t.info = t.pkg.info
	case ref != nil:
		t.pkg, t.file, t.info, t.decl = ref.pkg, ref.file, ref.pkg.info, ref.fd
	case t.fn != nil && t.fn.Pkg() != nil && d.w.canSource(t.fn.Pkg().Path()):
		return nil, needSource{t.fn.Pkg().Path()}
	default:
		return nil, &diag.Error{Msg: fmt.Sprintf("%s has no source here", fn), Hint: "it is compiled when the program runs"}
	}
	pos := d.w.fset.Position(t.pos())
	t.id = exe.Ident{Name: fn.RelString(nil), File: pos.Filename, StartLine: pos.Line}
	return t, d.method(t, v)
}

// receiverArgs are the type arguments of a method's receiver.
func receiverArgs(m *types.Func) []types.Type {
	recv := m.Signature().Recv()
	if recv == nil {
		return nil
	}
	n, ok := deref(recv.Type()).(*types.Named)
	if !ok || n.TypeArgs() == nil {
		return nil
	}
	return slices.Collect(n.TypeArgs().Types())
}

// method completes the target of a method value or a method expression.
func (d *discovery) method(t *resolved, v *flow.Value) error {
	if t.lit != nil || v.Recv == nil {
		return nil
	}
	if t.recv = v.Recv; v.Bound {
		t.id.Name += "-fm"
	} else if types.Identical(v.Recv, t.fn.Signature().Recv().Type()) {
		t.recv = nil // the method itself
		return nil
	}
	if t.sel = types.NewMethodSet(t.recv).Lookup(t.fn.Pkg(), t.fn.Name()); t.sel == nil {
		return &diag.Error{Pos: t.id.Position(), Msg: fmt.Sprintf("%v has no method %s", t.recv, t.fn.Name()), Hint: "call it from a function literal"}
	}
	return nil
}

// buildAll builds the packages of a program side by side, as ssa.Program.Build
// does. Where go/ssa panics there is an error: a panic of a goroutine of its own
// would end the process.
func buildAll(prog *ssa.Program) error {
	pkgs := prog.AllPackages()
	failed := make([]error, len(pkgs))
	var workers sync.WaitGroup
	for i, p := range pkgs {
		workers.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					failed[i] = errs.F("internal error while building package %s: %v", p.Pkg.Path(), r)
				}
			}()
			p.Build()
		})
	}
	workers.Wait()
	return errs.Join(failed...)
}
