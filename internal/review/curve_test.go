package review

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The remission times in weeks of 21 patients given 6-mercaptopurine, with the estimate: E. J. Freireich et al., 'The effect of
// 6-mercaptopurine on the duration of steroid-induced remissions in acute leukemia', Blood 21, 1963. R's survfit, Stata's sts
// list and the textbooks print this survival and standard error for the trial (D. G. Kleinbaum and M. Klein, 'Survival
// Analysis', table 2.3; the data are in D. R. Cox, 'Regression models and life-tables', 1972).
func TestFreireich(t *testing.T) {
	relapsed := []float64{6, 6, 6, 7, 10, 13, 16, 22, 23}
	followed := []float64{6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35}
	want := []struct{ week, atRisk, survival, standardError, low, high float64 }{
		{6, 21, 0.8571, 0.0764, 0.6197, 0.9516},
		{7, 17, 0.8067, 0.0869, 0.5631, 0.9228},
		{10, 15, 0.7529, 0.0963, 0.5032, 0.8894},
		{13, 12, 0.6902, 0.1068, 0.4316, 0.8491},
		{16, 11, 0.6275, 0.1141, 0.3675, 0.8049},
		{22, 7, 0.5378, 0.1282, 0.2678, 0.7468},
		{23, 6, 0.4482, 0.1346, 0.1881, 0.6801},
	}
	var outages Outages
	for _, weeks := range relapsed {
		outages.Between(weeks, weeks)
	}
	for _, weeks := range followed {
		outages.Beyond(weeks)
	}
	c := outages.Curve()
	if len(c.Points) != len(want) || c.Ended != 9 || c.Censored != 12 || c.Known != 35 {
		t.Fatalf("%d points, %d and %d outages, known until %v", len(c.Points), c.Ended, c.Censored, c.Known)
	}
	for i, w := range want {
		p := c.Points[i]
		got := fmt.Sprintf("%v %.0f %.4f %.4f %.4f %.4f", p.From, p.AtRisk, p.Survival, math.Sqrt(p.Variance), p.Lowest, p.Highest)
		published := fmt.Sprintf("%v %.0f %.4f %.4f %.4f %.4f", w.week, w.atRisk, w.survival, w.standardError, w.low, w.high)
		if got != published {
			t.Errorf("got %s, want %s", got, published)
		}
	}
	if median, ok := c.Quantile(0.5); !ok || math.Abs(median-23) > 23.0/64 {
		t.Errorf("the median is %v, want 23", median)
	}
	if at, ok := c.Quantile(0.6); ok {
		t.Errorf("60 %% ended by %v, though only 55 %% were seen to", at)
	}
}

// Outlived and Area agree with each other and with the points.
func TestAreaIsTheIntegral(t *testing.T) {
	var outages Outages
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		length := 20 * rng.ExpFloat64()
		outages.Between(length/2, length)
		outages.Beyond(30 * rng.ExpFloat64())
	}
	c := outages.Curve()
	const step = 0.001
	sum := 0.0
	for i := range 200_000 {
		at := float64(i) * step
		if i%10_000 == 0 && math.Abs(c.Area(at)-sum) > 1e-3*(1+sum) {
			t.Fatalf("the area up to %v is %v, want %v", at, c.Area(at), sum)
		}
		sum += step * c.Outlived(at+step/2)
	}
	for _, p := range c.Points {
		if got := c.Outlived(p.To); math.Abs(got-(1-p.Survival)) > rounding {
			t.Fatalf("%v outlived by %v, want %v", got, p.To, 1-p.Survival)
		}
	}
}

// If no call gives up, the estimate is the share of outages that have ended.
func TestCurveWithoutCensoring(t *testing.T) {
	var outages Outages
	for i := range 100 {
		outages.Between(float64(i+1), float64(i+1))
	}
	c := outages.Curve()
	for i := range 100 {
		if got := c.Outlived(float64(i + 2)); i < 60 && math.Abs(got-float64(i+1)/100) > rounding {
			t.Errorf("%v ended within %d, want %v", got, i+1, float64(i+1)/100)
		}
	}
	last := c.Points[len(c.Points)-1]
	if last.Survival > rounding || last.Lowest != 0 {
		t.Errorf("the curve ends at %v, from %v", last.Survival, last.Lowest)
	}
	empty := new(Outages).Curve()
	if _, ok := empty.Quantile(0.5); ok || empty.Outlived(1) != 0 || empty.Area(1) != 0 {
		t.Error("a curve of no outages knows something")
	}
}
