package conformance

// Structs: nested, by value, compared, with methods of both kinds, embedded,
// with padding.

type vec3 struct{ X, Y, Z float32 }

func (v vec3) add(w vec3) vec3       { return vec3{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }
func (v vec3) scale(f float32) vec3  { return vec3{v.X * f, v.Y * f, v.Z * f} }
func (v *vec3) flip()                { v.X, v.Y, v.Z = -v.X, -v.Y, -v.Z }
func (v vec3) mutated() (r vec3)     { v.X = 99; r = v; r.Y = v.Z; return }
func (v *vec3) at(axis int) *float32 { return [...]*float32{&v.X, &v.Y, &v.Z}[axis] }

type particle struct {
	Alive    bool // padded
	Pos, Vel vec3
	Mass     float64
	ID       int16
	Tag      [3]byte
}

type swarm struct {
	particle // embedded: its fields and methods are promoted
	Next     [2]particle
	Empty    struct{}
}

func (p *particle) step(dt float32) bool {
	p.Pos = p.Pos.add(p.Vel.scale(dt))
	p.ID++
	return p.Pos.X > 1
}

func (p particle) energy() float64 { return p.Mass * float64(p.Vel.X) }

type structOut struct {
	P          particle
	S          swarm
	Eq, Ne     bool
	Energy     float64
	Moved      bool
	Anonymous  struct{ A, B int }
	Mutated    vec3
	Vectors    [3]vec3
	Zero       particle
	Compared   bool
	Pointed    float32
	Propagated int16
}

type structOps struct{}

func (structOps) Do(p particle, out *structOut) {
	q := p
	out.Moved = q.step(0.5)
	out.P, out.Eq, out.Ne = q, p == q, p != q
	out.Energy = q.energy()
	s := swarm{particle: p, Next: [2]particle{q, {ID: 7, Tag: [3]byte{1, 2, 3}}}}
	s.step(0.25)
	s.Next[1].step(2)
	s.Pos.flip()
	s.Next[p.ID&1].Vel.Y = 5
	out.S, out.Propagated = s, s.ID
	out.Anonymous = struct{ A, B int }{int(p.ID), len(s.Next)}
	out.Mutated = p.Pos.mutated()
	out.Vectors[p.ID&1] = p.Vel
	out.Vectors[2].Z = p.Pos.Z
	out.Compared = s.Next[0] == q && s.Tag == p.Tag
	*out.Zero.Pos.at(2) = 4
	out.Pointed = *q.Pos.at(0)
}

// tree is a struct too large for registers, built and passed by value.
type tree struct {
	Nodes [31]struct {
		Key         int32
		Left, Right int8
	}
	Used int
}

func (t tree) with(key int32) tree {
	n := t.Used
	t.Nodes[n].Key, t.Nodes[n].Left, t.Nodes[n].Right = key, -1, -1
	t.Used++
	if n == 0 {
		return t
	}
	for at := int8(0); ; {
		node := &t.Nodes[at]
		next := &node.Left
		if key > node.Key {
			next = &node.Right
		}
		if *next < 0 {
			*next = int8(n)
			return t
		}
		at = *next
	}
}

type treeOps struct{}

func (treeOps) Do(seed int, out *[31]int32) {
	var t tree
	for i := range 31 {
		t = t.with(int32((seed + i*17) % 31))
	}
	var stack [31]int8
	depth, n, at := 0, 0, int8(0)
	for depth > 0 || at >= 0 {
		if at >= 0 {
			stack[depth] = at
			depth++
			at = t.Nodes[at].Left
			continue
		}
		depth--
		node := t.Nodes[stack[depth]]
		out[n] = node.Key
		n++
		at = node.Right
	}
}

func structCases() []Case {
	row := "structs of one layout on both sides"
	ps := filled(20, func(i int) particle {
		f := float32(i)
		return particle{i%3 == 0, vec3{f / 4, f, -f}, vec3{f * 2, 1, f}, float64(i) * 1.5, int16(i - 4), [3]byte{byte(i), 2, 200}}
	})
	return []Case{
		onEach("struct/ops", row, each[structOps], ps),
		onEach("struct/tree", row, each[treeOps], upTo(20)),
	}
}
