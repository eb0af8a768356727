import { describe, expect, it } from 'vitest'
import { glftRule, glftSpreads, type GlftMarket } from '../../../../src/core/models/glft.ts'

// quant.md section 2.2: the parameters of the paper's figures 1 to 3.
const PAPER: GlftMarket = { a: 0.9, k: 0.3, sigmaBps: 0.3, riskAversion: 0.01 }

describe('the closed form of optimal quotes', () => {
  it('has the published base and slope', () => {
    const { baseBps, skewBpsPerLot } = glftRule(PAPER)
    expect(baseBps).toBeCloseTo(3.278982, 6)
    expect(skewBpsPerLot).toBeCloseTo(0.067866, 6)
  })

  it.each([
    [0, 3.312915, 3.312915],
    [1, 3.380781, 3.245049],
    [10, 3.991574, 2.634257],
  ])('with %d lots of dollars too many buys them at %d and sells them at %d', (lots, buy, sell) => {
    const { buyBps, sellBps } = glftSpreads(glftRule(PAPER), lots)
    expect(buyBps).toBeCloseTo(buy, 5)
    expect(sellBps).toBeCloseTo(sell, 5)
  })

  it('has the published scatter and half-life of the inventory', () => {
    const { stationarySdLots, halfLifeDays } = glftRule(PAPER)
    expect(stationarySdLots).toBeCloseTo(4.9556, 4)
    expect(halfLifeDays).toBeCloseTo(51.099, 3)
  })

  it('has the half-spread and skew of the public notebook', () => {
    const { baseBps, skewBpsPerLot } = glftRule({
      a: 2.986162360812285,
      k: 0.04235741115084049,
      sigmaBps: 10.69,
      riskAversion: 0.05,
    })
    expect(baseBps + skewBpsPerLot / 2).toBeCloseTo(20.47208533844371, 10)
    expect(skewBpsPerLot).toBeCloseTo(9.76326865029227, 10)
  })

  it('under a running penalty has the figures of the venue', () => {
    // quant.md section 2.4, V1: c = 1.596; 60.80 at 0, 62.39 and 59.20 at 1, 76.76 and 44.83 at 10.
    const rule = glftRule({ a: 40, k: 1 / 60, sigmaBps: 25, riskAversion: 0.002, objective: 'penalty' })
    expect(rule.skewBpsPerLot).toBeCloseTo(1.596, 3)
    const at = (lots: number) =>
      Object.values(glftSpreads(rule, lots)).map((bps) => Math.round(100 * bps) / 100)
    expect([at(0), at(1), at(10)]).toEqual([
      [60.8, 60.8],
      [62.39, 59.2],
      [76.76, 44.83],
    ])
  })

  it('is close to the exact solution, found as the ground state of the problem', () => {
    const { exact, sd } = groundState(PAPER, 30)
    // The exact figures of quant.md section 2.2.
    expect(exact(0).buyBps).toBeCloseTo(3.313045, 5)
    expect(exact(1)).toEqual({ buyBps: expect.closeTo(3.381168, 5), sellBps: expect.closeTo(3.244919, 5) })
    expect(exact(5)).toEqual({ buyBps: expect.closeTo(3.653479, 5), sellBps: expect.closeTo(2.972522, 5) })
    expect(exact(10)).toEqual({ buyBps: expect.closeTo(3.992933, 5), sellBps: expect.closeTo(2.632802, 5) })
    expect(sd).toBeCloseTo(4.9493, 4)
    for (const lots of [-10, -3, 0, 7, 10]) {
      const closed = glftSpreads(glftRule(PAPER), lots)
      expect(Math.abs(closed.buyBps / exact(lots).buyBps - 1)).toBeLessThan(0.001)
      expect(Math.abs(closed.sellBps / exact(lots).sellBps - 1)).toBeLessThan(0.001)
    }
  })

  it('buys dollars at a narrower spread when they are about to gain, and sells them at a wider one', () => {
    const calm = glftSpreads(glftRule(PAPER), 0)
    const rising = glftSpreads(glftRule({ ...PAPER, driftBpsPerDay: 0.001 }), 0)
    expect(rising.buyBps).toBeLessThan(calm.buyBps)
    expect(rising.sellBps).toBeGreaterThan(calm.sellBps)
  })

  it('is wider by half of what each fill moves the mid against us, and leans harder', () => {
    const [naive, wary] = [glftRule(PAPER), glftRule({ ...PAPER, adverseBps: 2 })]
    expect(wary.baseBps - naive.baseBps).toBeCloseTo(1, 12)
    expect(wary.skewBpsPerLot / naive.skewBpsPerLot).toBeCloseTo(Math.exp((0.3 * 2) / 4), 12)
  })
})

/**
 * The stationary solution of quant.md section 1.2 on [-limit, limit]: the eigenvector of the smallest
 * eigenvalue of M (alpha q^2 on the diagonal, -eta beside it), by power iteration on what it is smallest of.
 */
function groundState({ a, k, sigmaBps, riskAversion }: GlftMarket, limit: number) {
  const alpha = (k * riskAversion * sigmaBps ** 2) / 2
  const eta = a * (1 + riskAversion / k) ** -(1 + k / riskAversion)
  const shift = alpha * limit ** 2 + 2 * eta
  let v = Array.from({ length: 2 * limit + 1 }, () => 1)
  for (let i = 0; i < 20_000; i++) {
    const next = v.map(
      (value, j) => (shift - alpha * (j - limit) ** 2) * value + eta * ((v[j - 1] ?? 0) + (v[j + 1] ?? 0)),
    )
    const norm = Math.hypot(...next)
    v = next.map((value) => value / norm)
  }
  const at = (lots: number) => v[lots + limit] ?? 0
  const width = Math.log1p(riskAversion / k) / riskAversion
  return {
    exact: (lots: number) => ({
      buyBps: Math.log(at(lots) / at(lots + 1)) / k + width,
      sellBps: Math.log(at(lots) / at(lots - 1)) / k + width,
    }),
    sd: Math.sqrt(v.reduce((sum, value, j) => sum + (value * (j - limit)) ** 2, 0)),
  }
}
