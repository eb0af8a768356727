import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/base/time.ts'
import { rateToNumber } from '../../../../src/money/rate.ts'
import { openingDayOf } from '../../../../src/sandbox/world/publication.ts'
import { createTrueRate } from '../../../../src/sandbox/world/true-rate.ts'
import { SCENARIO_PARAMS } from '../../../../src/sandbox/world/scenarios.ts'
import type { ScenarioName } from '../../../../src/sandbox/world/scenario.ts'
import { createWorld } from '../../../../src/sandbox/world/create-world.ts'
import {
  deviation,
  isAsk,
  isRetail,
  mean,
  median,
  MONDAY,
  printsOf,
  returnsBps,
  tell,
  type StepOf,
} from './support.ts'

/** The returns of so many prints of a scenario, in bps. */
function printReturns(scenario: ScenarioName, prints: number, seed = 1): number[] {
  const days = 7 * Math.ceil((prints + 1) / 5)
  return returnsBps(printsOf(scenario, seed, days).map(({ mid }) => mid))
}

function retail(scenario: ScenarioName, days: number, seed = 1): StepOf<'swap'>[] {
  return tell({ scenario, days, seed }).of('swap').filter(isRetail)
}

function informed(scenario: ScenarioName, days: number, seed = 1): StepOf<'swap'>[] {
  return tell({ scenario, days, seed })
    .of('swap')
    .filter((step) => !isRetail(step))
}

const usdOf = (step: StepOf<'swap'>): number =>
  isAsk(step) ? Number(step.amountIn) / 1e6 : Number(step.amountIn) / 1e18 / 2_568

describe('the published mid', () => {
  it('moves 17.4 bps a print in normal times, with the autocorrelation of an average', () => {
    const returns = printReturns('normal', 4_000)
    expect(deviation(returns)).toBeGreaterThan(16.4)
    expect(deviation(returns)).toBeLessThan(18.4)
    const average = mean(returns)
    const lagged = mean(returns.slice(1).map((value, i) => (value - average) * (returns[i]! - average)))
    expect(lagged / deviation(returns) ** 2).toBeGreaterThan(0.15)
    expect(lagged / deviation(returns) ** 2).toBeLessThan(0.3)
  })

  it('hardly moves in calm times and moves wildly with a toxic taker about', () => {
    expect(Math.abs(deviation(printReturns('calm', 2_000)) - 6.6)).toBeLessThan(0.6)
    expect(Math.abs(deviation(printReturns('toxic-taker', 2_000)) - 29)).toBeLessThan(2.5)
  })

  it('lags the true rate: the rate at the print foretells the next print, not the other way round', () => {
    const params = SCENARIO_PARAMS.normal
    const gaps: number[] = []
    const next: number[] = []
    const trueRate = createTrueRate(params.trueRate, 4, MONDAY, openingDayOf(MONDAY))
    for (let week = 1; week < 400; week++) {
      const wednesday = Math.floor(MONDAY / DAY_MS) + 7 * week + 2
      gaps.push(trueRate.at(wednesday * DAY_MS + 7 * HOUR_MS) - trueRate.printOf(wednesday))
      next.push(trueRate.printOf(wednesday + 1) - trueRate.printOf(wednesday))
    }
    const covariance = mean(gaps.map((gap, i) => (gap - mean(gaps)) * (next[i]! - mean(next))))
    expect(covariance / (deviation(gaps) * deviation(next))).toBeGreaterThan(0.5)
  })

  it('starts from the opening mid: the print that stands at the start is no move', () => {
    const day = openingDayOf(MONDAY)
    expect(createTrueRate(SCENARIO_PARAMS.devaluation.trueRate, 9, MONDAY, day).printOf(day)).toBe(0)
  })

  it('rises 30 bps a day when the shilling is devalued and falls as much when it appreciates', () => {
    expect(Math.abs(mean(printReturns('devaluation', 500)) - 30)).toBeLessThan(3)
    expect(Math.abs(mean(printReturns('appreciation', 500)) + 30)).toBeLessThan(3)
    expect(Math.abs(mean(printReturns('normal', 500)))).toBeLessThan(3)
  })
})

describe('retail takers', () => {
  it('come 1,200 times a day and side, slightly more with dollars, and accept spreads that fall off by 60 bps', () => {
    const swaps = retail('normal', 10)
    expect(Math.abs(swaps.length / 20 - 1_200)).toBeLessThan(30)
    const asks = swaps.filter(isAsk).length / swaps.length
    expect(asks).toBeGreaterThan(0.505)
    expect(asks).toBeLessThan(0.535)
    expect(Math.abs(mean(swaps.map((step) => step.maxSpreadBps)) - 60)).toBeLessThan(2)
    const paying = swaps.filter((step) => step.maxSpreadBps >= 60).length / swaps.length
    expect(Math.abs(paying - Math.exp(-1))).toBeLessThan(0.01)
  })

  it('bring about 250 dollars, at most 5,000', () => {
    const sizes = retail('normal', 3).filter(isAsk).map(usdOf)
    expect(Math.abs(median(sizes) - 250)).toBeLessThan(20)
    expect(Math.max(...sizes)).toBe(5_000)
    // Shillings are brought for as many dollars at the venue's mid.
    const inShillings = retail('normal', 3)
      .filter((step) => !isAsk(step))
      .map(usdOf)
    expect(Math.abs(median(inShillings) / median(sizes) - 1)).toBeLessThan(0.1)
  })

  it('are half as many in calm times', () => {
    expect(Math.abs(retail('calm', 5).length / 10 - 600)).toBeLessThan(30)
  })

  it('want dollars in a devaluation and bring them in an appreciation', () => {
    const askShare = (scenario: ScenarioName): number => {
      const swaps = retail(scenario, 4)
      return swaps.filter(isAsk).length / swaps.length
    }
    expect(askShare('devaluation')).toBeLessThan(0.45)
    expect(askShare('appreciation')).toBeGreaterThan(0.55)
  })

  it('bring dollars four times as often in the mornings of payroll, and nothing else changes', () => {
    const inHours = (steps: StepOf<'swap'>[], from: number, to: number): number =>
      steps.filter(({ at }) => at % DAY_MS >= from * HOUR_MS && at % DAY_MS < to * HOUR_MS).length /
      (to - from)
    const swaps = retail('payroll', 10)
    const [asks, bids] = [swaps.filter(isAsk), swaps.filter((step) => !isAsk(step))]
    const rush = inHours(asks, 6, 11) / inHours(asks, 11, 24)
    expect(rush).toBeGreaterThan(3.6)
    expect(rush).toBeLessThan(4.4)
    expect(Math.abs(inHours(bids, 6, 11) / inHours(bids, 11, 24) - 1)).toBeLessThan(0.1)
  })

  it('bring the cheaper stablecoin and do not want it back when it trades under the other', () => {
    const swaps = retail('stablecoin-basis', 4)
    const brought = swaps.filter(isAsk)
    const wanted = swaps.filter((step) => !isAsk(step))
    const share = (steps: StepOf<'swap'>[]): number =>
      steps.filter(({ from, to }) => from === 'USDT' || to === 'USDT').length / steps.length
    expect(Math.abs(share(brought) - 0.75)).toBeLessThan(0.03)
    expect(Math.abs(share(wanted) - 0.1)).toBeLessThan(0.02)
    const patience = (token: string): number =>
      mean(brought.filter(({ from }) => from === token).map((step) => step.maxSpreadBps))
    expect(Math.abs(patience('USDT') - patience('USDC') - 45)).toBeLessThan(6)
  })
})

describe('informed takers', () => {
  it('buy dollars where the mid is too low, bring them where it is too high, and pay less than they know', () => {
    const params = SCENARIO_PARAMS['toxic-taker']
    const story = tell({ scenario: 'toxic-taker', days: 20 })
    const trueRate = createTrueRate(params.trueRate, 1, MONDAY, openingDayOf(MONDAY))
    const swaps = story.of('swap').filter((step) => !isRetail(step))
    expect(Math.abs(swaps.length / 20 - params.informed.perDay)).toBeLessThan(12)
    for (const step of swaps) {
      const seen = 10_000 * Math.log(rateToNumber(story.midAt.get(step)!) / 2_568.1584)
      const gap = trueRate.at(step.at) - seen
      expect(isAsk(step)).toBe(gap <= 0)
      expect(step.maxSpreadBps).toBeCloseTo(Math.abs(gap) - 2, 6)
    }
  })

  it('mostly buy dollars while the shilling is being devalued', () => {
    const swaps = informed('devaluation', 20).filter((step) => step.maxSpreadBps > 0)
    expect(swaps.filter((step) => !isAsk(step)).length / swaps.length).toBeGreaterThan(0.75)
  })

  it('would pay 60 bps several times a day when toxic, and hardly ever in calm times', () => {
    const dear = (scenario: ScenarioName): number =>
      informed(scenario, 30).filter((step) => step.maxSpreadBps > 60).length / 30
    expect(dear('toxic-taker')).toBeGreaterThan(5)
    expect(dear('calm')).toBeLessThan(0.2)
  })
})

describe('the stories', () => {
  it('stale-jump: three days without a print, then one that jumps about as far as the worst on record', () => {
    const prints = tell({ scenario: 'stale-jump', days: 10 }).of('print')
    expect(prints[0]!.at - MONDAY).toBeGreaterThan(3 * DAY_MS)
    const jumps = Array.from({ length: 30 }, (_, seed) => {
      const world = createWorld({ scenario: 'stale-jump', seed, start: MONDAY })
      const first = printsOf('stale-jump', seed, 4)[0]!
      return returnsBps([world.openingMid, first.mid])[0]!
    })
    expect(Math.abs(mean(jumps) - 133)).toBeLessThan(20)
  })

  it('stale-jump: the informed buy the dollars that are 133 bps too cheap long before the print', () => {
    const swaps = informed('stale-jump', 3)
    const before = swaps.filter(({ at }) => at < MONDAY + 6 * HOUR_MS)
    const after = swaps.filter(({ at }) => at > MONDAY + 8 * HOUR_MS)
    expect(after.filter((step) => !isAsk(step) && step.maxSpreadBps > 60).length).toBeGreaterThan(40)
    expect(before.filter((step) => step.maxSpreadBps > 100)).toEqual([])
  })

  it('fat-finger-mid: the first print is 3.5 % too high and is put right 45 minutes later', () => {
    const [wrong, right] = tell({ scenario: 'fat-finger-mid', days: 1 }).of('print')
    expect(right!.at - wrong!.at).toBe(45 * MINUTE_MS)
    expect(rateToNumber(wrong!.mid) / rateToNumber(right!.mid)).toBeCloseTo(1.035, 6)
  })

  it('undercut: somebody always quotes under 40 bps, while nobody does so in normal times', () => {
    const cheapest = (scenario: ScenarioName): number =>
      Math.min(
        ...tell({ scenario, days: 5 })
          .of('competitorQuote')
          .flatMap((step) => [step.bidBps ?? 500, step.askBps ?? 500]),
      )
    expect(cheapest('undercut')).toBeLessThan(20)
    expect(cheapest('normal')).toBe(55)
    const quotes = tell({ scenario: 'undercut', days: 5 }).of('competitorQuote')
    const mara = quotes.filter(({ name }) => name === 'mara').flatMap((step) => [step.bidBps, step.askBps])
    expect(mara.length).toBeGreaterThan(2 * 5 * 250)
    expect(Math.max(...mara.map((bps) => bps ?? 0))).toBeLessThanOrEqual(40)
  })

  it('normal: three competitors with capital stand between 55 and 90 bps and sometimes leave a side off', () => {
    const { competitors } = createWorld({ scenario: 'normal', seed: 1, start: MONDAY })
    expect(competitors.map(({ name }) => name)).toEqual(['rufiji', 'pangani', 'ruvuma'])
    for (const { amounts } of competitors) {
      expect(amounts.NTZS > 0n && amounts.USDC > 0n && amounts.USDT > 0n).toBe(true)
    }
    const quotes = tell({ scenario: 'normal', days: 5 }).of('competitorQuote')
    const all = quotes.flatMap((step) => [step.bidBps, step.askBps])
    expect(all).toContain(null)
    expect(Math.max(...all.map((bps) => bps ?? 0))).toBe(90)
    const leans = quotes.flatMap((step) =>
      step.bidBps === null || step.askBps === null ? [] : [step.askBps - step.bidBps],
    )
    expect(deviation(leans)).toBeGreaterThan(5)
  })

  it('weekend: the market moves on Saturdays, and the mid is not quotable from Sunday 20:00 to Monday 07:00', () => {
    const saturday = MONDAY + 5 * DAY_MS
    const moved = (scenario: ScenarioName): number => {
      const rate = createTrueRate(SCENARIO_PARAMS[scenario].trueRate, 1, MONDAY, openingDayOf(MONDAY))
      return rate.at(saturday + 12 * HOUR_MS) - rate.at(saturday)
    }
    expect(moved('weekend')).not.toBe(0)
    expect(moved('normal')).toBe(0)
    const spells = tell({ scenario: 'weekend', days: 14 }).of('notQuotable')
    expect(
      spells.map(({ at, untilMs }) => [new Date(at).toISOString(), new Date(untilMs).toISOString()]),
    ).toEqual([
      ['2026-08-09T20:00:00.000Z', '2026-08-10T07:00:00.000Z'],
      ['2026-08-16T20:00:00.000Z', '2026-08-17T07:00:00.000Z'],
    ])
    expect(tell({ scenario: 'normal', days: 14 }).of('notQuotable')).toEqual([])
  })

  it('api-outage: the API is away eight times a day for five minutes on the average, never twice at once', () => {
    const outages = tell({ scenario: 'api-outage', days: 40 }).of('outage')
    expect(Math.abs(outages.length / 40 - 8)).toBeLessThan(1.5)
    expect(Math.abs(mean(outages.map(({ at, untilMs }) => untilMs - at)) / MINUTE_MS - 5)).toBeLessThan(1)
    outages.slice(1).forEach(({ at }, i) => expect(at).toBeGreaterThan(outages[i]!.untilMs))
    expect(tell({ scenario: 'normal', days: 10 }).of('outage')).toEqual([])
  })
})
