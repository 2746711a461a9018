package cpumath

// ErfF32 is the error function of a float32.
func ErfF32(x float32) float32 {
	a := abs32(x)
	z := a * a
	p := float32(7.80745395e-05)
	p = p*z - 0.000799797301
	p = p*z + 0.00518717058
	p = p*z - 0.0268533491
	p = p*z + 0.112835787
	p = p*z - 0.37612626
	p = p*z + 0.128379166
	near := a + a*p
	if a > 3.95 {
		a = 3.95 // where it is 1 already
	}
	// -log(erfc(a)) from 1 on
	q := float32(-0.000186310543)
	q = q*a + 0.00294700195
	q = q*a - 0.0218354743
	q = q*a + 0.10310144
	q = q*a + 0.638150811
	q = q*a + 1.12708569
	q = q*a + 0.000342361163
	y := 1 - exp32(-q)
	if !(a >= 1) {
		y = near
	}
	return signed32(y, x)
}
