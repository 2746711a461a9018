package source

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/diag"
	"heddle/internal/errs"
	"heddle/internal/exe"
)

// Options are what Find may be told besides the function.
type Options struct {
	// CallFile and CallLine say where the func value was handed over, as
	// runtime.Caller has it: kernel.New(F[T]) there spells out type arguments
	// that nothing else tells.
	CallFile string
	CallLine int
	// Intrinsic reports whether calls of a function are lowered, or refused, without
	// its body. Its body is then neither looked for nor built.
	Intrinsic func(*types.Func) bool
}

// Find finds the source of a func value and builds SSA for everything it
// reaches. It is safe for concurrent use; a package is loaded once per process.
// Errors are *diag.Error, or several of them joined.
func Find(fn any, opts Options) (*Func, error) {
	id, err := exe.Identify(fn)
	if err != nil {
		return nil, opts.Locate(err)
	}
	registerPending()
	shared.Lock()
	defer shared.Unlock()
	if err := brokenBundle(); err != nil {
		return nil, err
	}
	u, err := (&finder{opts: opts, id: id}).find()
	return u, opts.Locate(err)
}

// Locate gives an error that has no place in the source that of the call.
//
//go:noinline
func (o *Options) Locate(err error) error {
	if e, ok := err.(*diag.Error); ok && !e.Pos.IsValid() && o.CallFile != "" {
		located := *e
		located.Pos = token.Position{Filename: o.CallFile, Line: o.CallLine}
		return &located
	}
	return err
}

// find runs rounds of try until nothing more is needed. The caller holds
// shared's lock.
func (f *finder) find() (*Func, error) {
	if shared.world == nil && shared.seeds == nil && !shared.full {
		shared.seeds, f.first = f.seeds(), true
	}
	// Each round loads more packages, from source or at all: bounded, because a
	// round that brings nothing new is the last.
	for {
		u, err := f.tryCurrent()
		again, aerr := f.more(err)
		switch {
		case again && aerr == nil:
		case (err != nil || aerr != nil) && shared.seeds != nil:
			f.last = false
			f.retry() // perhaps what was left out is what is wrong
		case aerr != nil:
			return nil, aerr
		default:
			return u, err
		}
	}
}

// retry makes the next universe keep the types that were looked for in vain, or
// everything.
func (f *finder) retry() {
	w := shared.world
	if w == nil || len(w.unkept) == 0 || !f.keepMore(func(s *seeds) { maps.Copy(s.names, w.unkept) }) {
		loadInFull()
	}
}

// tryCurrent is try in the universe of now.
func (f *finder) tryCurrent() (u *Func, err error) {
	defer func() {
		// go/types and go/ssa panic on some ill-typed input
		if r := recover(); r != nil {
			err = &diag.Error{Pos: f.id.Position(), Msg: fmt.Sprintf("internal error while loading %s: %v", f.id.Name, r), Hint: "please report it with the kernel's source"}
		}
	}()
	return f.try(currentUniverse())
}

// seeds say what has to be kept of the packages to find the function.
func (f *finder) seeds() *seeds {
	s := newSeeds()
	if f.named != nil {
		outer, _ := cutLiteral(f.named.expr)
		for _, name := range strings.FieldsFunc(outer, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			s.names[name] = true
		}
		return s
	}
	s.add(&f.id)
	if f.opts.CallFile != "" {
		s.around[placeOf(f.opts.CallFile, f.opts.CallLine)] = true
	}
	return s
}

// keepMore makes the next universe keep more: of the first function to be found
// what it lacks, of a later one everything, so that there are never more than
// two universes for it. The caller holds shared's lock.
func (f *finder) keepMore(add func(*seeds)) bool {
	if shared.seeds == nil {
		return false
	}
	before := shared.seeds.size()
	if add(shared.seeds); !f.first || shared.seeds.size() == before {
		loadInFull()
	}
	shared.world = nil
	return true
}

// A finder is one Find in progress.
type finder struct {
	opts  Options
	id    exe.Ident
	named *named                             // by name instead of by id
	known func(*universe) (*resolved, error) // from the program's SSA instead of by id
	first bool                               // the seeds are its own
	// done by code, dictionary and closure object, filled when SSA is built
	targets map[targetKey]*resolved
	order   []*resolved
	funcs   map[*resolved]map[int]*resolved // func captures by slot
	last    bool                            // make do with what there is
}

type targetKey struct {
	id  exe.ID
	obj unsafe.Pointer
}

// wants says what a round would have liked to have.
type wants struct {
	partial bool                       // what was left out
	place   *exe.Ident                 // a function
	around  map[place]bool             // declarations around these places
	funcs   map[string]map[string]bool // bodies of functions, by package
	program bool                       // what go list knows
	broken  bool                       // what functions with errors mention
	std     []string                   // packages from source, if go list does not know them
	missing []string                   // those of std whose members are all that is not known; nil if there is more
}

func (e *wants) Error() string { return "more packages are needed" }

// more provides what the round that ended with err lacked, and reports whether
// another round is worth it.
func (f *finder) more(err error) (bool, error) {
	w := shared.world
	var need needSource
	var want *wants
	switch {
	case err == nil:
		return false, nil
	case errors.As(err, &need):
		if w.needBodies([]string{need.path}) {
			return true, nil
		}
		return false, &diag.Error{Pos: f.id.Position(), Msg: fmt.Sprintf("package %s has no sources here", need.path), Hint: "embed them with kernel.Source"}
	case errors.Is(err, errNotHere):
		ok, lerr := addList(&f.id)
		if ok {
			return true, nil
		}
		return false, f.notFound(lerr)
	case errors.As(err, &want):
		if want.partial {
			loadInFull()
			return true, nil
		}
		if want.place != nil && f.keepMore(func(s *seeds) { s.add(want.place) }) {
			return true, nil
		}
		if len(want.around) > 0 && f.keepMore(func(s *seeds) { maps.Copy(s.around, want.around) }) {
			return true, nil
		}
		names := map[string]bool{}
		for p, fns := range want.funcs {
			if !w.partly(p) && w.src[p] != nil {
				maps.Copy(names, fns)
			}
		}
		kept := len(names) > 0 && f.keepMore(func(s *seeds) { maps.Copy(s.names, names) })
		if w.needFuncs(want.funcs) || kept {
			return true, nil
		}
		if want.program && w.list == nil {
			// Go's own sources tell as much as the go command, which may compile all that the program imports.
			if len(want.missing) > 0 && sameGo.Get() && w.needBodies(want.missing) {
				return true, nil
			}
			if ok, _ := addList(&f.id); ok {
				return true, nil
			}
		}
		if w.needBodies(want.std) {
			return true, nil
		}
		if want.broken && shared.seeds != nil {
			f.retry()
			return true, nil
		}
		f.last = true
		return true, nil
	}
	return false, nil
}

// notFound is the error for a function whose source is nowhere.
func (f *finder) notFound(why error) error {
	msg := fmt.Sprintf("the source of %s is not here", f.id.Name)
	if why != nil {
		msg += ": " + why.Error()
	}
	var own *diag.Error
	if errors.As(why, &own) {
		return own
	}
	registry.Lock()
	e := registry.byDir[path.Dir(f.id.File)]
	registry.Unlock()
	if e != nil && !f.id.Wrapper() {
		return &diag.Error{Pos: f.id.Position(), Msg: fmt.Sprintf("the embedded sources of package %s lack %s", e.path, path.Base(f.id.File)),
			Hint: "name all of the package's files in the pattern, as in //go:embed *.go"}
	}
	return &diag.Error{Pos: f.id.Position(), Msg: msg,
		Hint: "let " + generateCommand() + " embed the package's sources, or do it by hand: //go:embed *.go, var src embed.FS, var _ = kernel.Source(src)"}
}

// try finds and builds in one universe.
func (f *finder) try(w *universe) (*Func, error) {
	f.targets, f.order, f.funcs = map[targetKey]*resolved{}, nil, map[*resolved]map[int]*resolved{}
	root, err := f.root(w)
	if err != nil {
		return nil, err
	}
	r := w.newReach(f.opts.Intrinsic)
	defer r.restore()
	var bad []types.Error
	for _, t := range f.order {
		bad = append(bad, f.reachTarget(r, t)...)
	}
	if r.stale != nil && f.named == nil && f.known == nil { // else it is not the running program that is looked at
		return nil, r.stale
	}
	if r.partial {
		return nil, &wants{partial: true}
	}
	if !f.last {
		if want := w.lacking(r, bad); want != nil {
			return nil, want
		}
	}
	if len(bad) > 0 {
		var all []error
		for _, e := range bad {
			all = append(all, w.explain(e))
		}
		return nil, errs.Join(all...)
	}
	for {
		fns, prog, err := r.build(f.order)
		if err != nil {
			return nil, err
		}
		roots := make([]*ssa.Function, 0, len(fns))
		for _, t := range f.order {
			roots = append(roots, fns[t])
		}
		if r.missingMethods(roots) {
			continue
		}
		if r.partial || !f.last && len(r.need) > 0 {
			return nil, &wants{funcs: r.need, partial: r.partial}
		}
		return f.results(w, r, root, fns, prog)
	}
}

// root resolves what is asked for.
func (f *finder) root(w *universe) (*resolved, error) {
	if f.known != nil {
		return f.known(w)
	}
	if f.named == nil {
		return f.target(w, f.id, hint{file: f.opts.CallFile, line: f.opts.CallLine})
	}
	t, err := w.named(f.named)
	if err == nil {
		f.order = append(f.order, t)
	}
	return t, err
}

// lacking is what else the universe should have, nil if nothing.
func (w *universe) lacking(r *reach, bad []types.Error) *wants {
	errs := slices.Concat(bad, r.broken)
	if len(r.need) == 0 && len(errs) == 0 {
		return nil
	}
	return &wants{funcs: r.need, broken: len(r.broken) > 0, program: len(errs) > 0 && len(w.empty) > 0, std: w.stdImports(errs), missing: w.missingStd(errs)}
}

// reachTarget adds a target to the reach and returns the type errors in it.
func (f *finder) reachTarget(r *reach, t *resolved) []types.Error {
	for _, a := range t.args {
		r.methods(a)
	}
	if t.lit == nil {
		r.root = t.fn
		r.fn(t.fn)
		r.root = nil
		return r.errs[t.fn]
	}
	var errs []types.Error
	if t.info == t.pkg.info { // else checked again, without errors
		r.prune(t.info, t.lit)
		errs = r.live(t.pkg.errorsIn(t.lit))
	}
	errs = append(errs, r.w.unknownTypes(t.info, t.lit)...)
	if len(errs) == 0 {
		r.node(t.info, t.lit)
	}
	return errs
}

// target resolves a func value and, recursively, the funcs it captures.
func (f *finder) target(w *universe, id exe.Ident, h hint) (*resolved, error) {
	key := targetKey{id.ID, id.Obj}
	if t := f.targets[key]; t != nil {
		return t, nil
	}
	if w.trimmer != nil && !w.trimmer.seeds.covers(&id) {
		return nil, &wants{place: &id}
	}
	t, err := w.resolve(id, h)
	if err != nil {
		return nil, err
	}
	t.captured = h.by != nil
	f.targets[key] = t
	f.order = append(f.order, t)
	if err := w.layout(t); err != nil {
		return nil, err
	}
	if err := w.recheck(t); err != nil {
		return nil, err
	}
	f.funcs[t] = map[int]*resolved{}
	for i, s := range t.funcCaptures() {
		obj := *(*unsafe.Pointer)(s.value(id.Obj))
		if obj == nil {
			continue
		}
		cid, err := exe.IdentifyObject(s.rtype, obj)
		if err != nil {
			return nil, captureError(w, &s, err)
		}
		ct, err := f.target(w, cid, hint{static: s.typ, by: t})
		if errors.Is(err, errNotHere) {
			// list the captured func's package, not the kernel's
			if ok, lerr := addList(&cid); ok {
				return nil, &wants{}
			} else if lerr != nil {
				err = errs.F("%w: %w", err, lerr)
			}
			err = &diag.Error{Pos: w.fset.Position(s.v.Pos()), Msg: fmt.Sprintf("captured func %s: %v", s.name, err), Hint: "embed its package's sources with kernel.Source"}
		}
		if err != nil {
			return nil, err
		}
		f.funcs[t][i] = ct
	}
	return t, nil
}

func captureError(w *universe, s *funcSlot, err error) error {
	var own *diag.Error
	if errors.As(err, &own) {
		return &diag.Error{Pos: w.fset.Position(s.v.Pos()), Msg: fmt.Sprintf("captured func %s: %s", s.name, own.Msg), Hint: own.Hint}
	}
	return err
}

// results makes the Funcs of all that was resolved of one program.
func (f *finder) results(w *universe, r *reach, root *resolved, fns map[*resolved]*ssa.Function, prog *ssa.Program) (*Func, error) {
	info := &program{w: w, reach: r}
	done := map[*resolved]*Func{}
	for _, t := range f.order {
		fn := fns[t]
		u := &Func{ID: t.id.ID, Fn: fn, Prog: prog, Fset: w.fset, TypeArgs: t.args, Origin: t.pkg.origin, program: info, target: t}
		u.Name = t.readableName()
		u.Pos = w.fset.Position(t.pos())
		u.Directives = w.directives(t)
		caps, err := w.captures(t, fn)
		if err != nil {
			return nil, err
		}
		u.Captures = caps
		if t.id.Bound() && !t.captured {
			r := t.receiverCapture("receiver")
			if len(fn.Params) > 0 {
				r.Name = fn.Params[0].Name()
			}
			u.Recv = &r
		}
		done[t] = u
	}
	for _, t := range f.order {
		fcs := t.funcCaptures()
		for i := range fcs {
			held := done[f.funcs[t][i]] // nil of nil
			for j := range done[t].Captures {
				c := &done[t].Captures[j]
				switch {
				case c.Name != fcs[i].v.Name() || c.Pos != fcs[i].v.Pos():
				case fcs[i].inner:
					c.Parts = append(c.Parts, Part{fcs[i].at, held})
				default:
					c.Func = held
				}
			}
		}
	}
	return done[root], nil
}
