package amdemu

// waveSlots is how many waves of a launch the race detector tells apart: wave
// n has slot n%waveSlots.
const waveSlots = 1 << 20

// A cell is what is known of the accesses to four bytes.
type cell struct{ write, read, read2 uint64 }

func (l *lds) resetRaces() {}

func (w *wave) startRaces() {}

// fence says that the wave orders its accesses with those of other waves; device
// means of all workgroups, not only of its own.
func (w *wave) fence(device bool) {}

// passBarrier says that the workgroup of w has passed a barrier; it is called
// once for each wave of it, before any of them goes on.
func (w *wave) passBarrier() {}

// BeginLaunch and EndLaunch enclose a launch of n waves.
func (m *Memory) BeginLaunch() {}

func (m *Memory) EndLaunch(n int) {}

// checkRaces notes an access for the lanes m and fails where it races.
func (a *access) checkRaces(w *wave, at *arena, m uint64) {}
