import type { RiskInput } from '../../../../src/core/risk/risk-input.ts'
import type { RiskSettings } from '../../../../src/core/risk/risk-settings.ts'
import { describe, expect, it } from 'vitest'
import { assess } from '../../../../src/core/risk/assess.ts'
import { found, riskInput, riskSettings } from './support.ts'

const TZS36 = 10n ** 36n
const USD18 = 10n ** 18n
const NTZS = 10n ** 18n

const stepped = (bps: number) =>
  ({ rule: 'mid-step', bps, mid: 2_600n * 10n ** 18n, why: 'stepped' }) as const

describe('no breach', () => {
  it('no rule is breached in a good state with every limit on', () => {
    const limits = { NTZS: { min: 0n, max: 10n * NTZS }, USDC: { min: null, max: 10n } }
    const settings = riskSettings({
      maxMidAgeMs: 60_000,
      maxMidStepBps: 150,
      maxLossTzs: TZS36,
      maxDrawdownTzs: TZS36,
      maxFillsPerMinute: 1,
      maxVolumePerDayUsd: USD18,
    })
    const position = { NTZS, USDC: 1n, USDT: 0n, 'USDT.bnb': 0n }
    expect(found(riskInput({ position, fillsLastMinute: 1 }), settings, limits)).toEqual([])
  })

  it('no rule is breached with every limit off, whatever was traded, lost or held', () => {
    const volumeLastDayUsd = { bid: USD18, ask: USD18 }
    const flow = { fillsLastMinute: 99, volumeLastDayUsd, pnlTzs: -TZS36, drawdownTzs: TZS36 }
    expect(found(riskInput(flow), riskSettings(), { USDC: { min: null, max: null } })).toEqual([])
    const oneLimit = (change: Partial<RiskSettings>) => found(riskInput(flow), riskSettings(change))
    expect(oneLimit({ maxLossTzs: TZS36 })).toEqual([])
    expect(oneLimit({ maxDrawdownTzs: TZS36 })).toEqual([])
  })
})

describe('the rules about the mid', () => {
  it('without a mid the rules require the safe quote', () => {
    expect(found(riskInput({}, { present: false }))).toEqual(['mid-missing safe'])
  })

  it('a mid older than the limit requires the safe quote, and one at the limit does not', () => {
    const settings = riskSettings({ maxMidAgeMs: 1_000 })
    expect(found(riskInput({}, { ageMs: 1_001 }), settings)).toEqual(['mid-age safe'])
    expect(found(riskInput({}, { ageMs: 1_000 }), settings)).toEqual([])
  })

  it('a mid of unknown age is not old while the venue never dated one', () => {
    const input = riskInput({}, { ageMs: null, everDated: false })
    expect(found(input, riskSettings({ maxMidAgeMs: 1_000 }))).toEqual([])
  })

  it('an undated mid after dated ones requires the safe quote', () => {
    const problem = 'the venue stopped dating its mid (no rateUpdatedAt)'
    expect(found(riskInput({}, { problem }))).toEqual(['mid-undated safe'])
  })

  it('a mid that is zero, negative or no number requires the safe quote', () => {
    expect(found(riskInput({}, { problem: 'midRateTZS is 0' }))).toEqual(['mid-invalid safe'])
  })

  it('a mid with quotable false requires the safe quote, and one without the field does not', () => {
    expect(found(riskInput({}, { quotable: false }))).toEqual(['not-quotable safe'])
    expect(found(riskInput({}, { quotable: null }))).toEqual([])
  })

  it('a mid that stepped up over the bound closes the ask, which would lose shillings, and the bid is safe', () => {
    const up = found(riskInput({}, { pending: stepped(400), problem: 'stepped' }))
    expect(up).toEqual(['mid-step safe', 'mid-step ask-off'])
  })

  it('a mid that stepped down over the bound closes the bid, which would lose dollars, and the ask is safe', () => {
    const down = found(riskInput({}, { pending: stepped(-400), problem: 'stepped' }))
    expect(down).toEqual(['mid-step safe', 'mid-step bid-off'])
  })
})

describe('the rules about money', () => {
  it('a loss over the limit halts; a loss at the limit does not', () => {
    const settings = riskSettings({ maxLossTzs: 100n * TZS36 })
    expect(found(riskInput({ pnlTzs: -101n * TZS36 }), settings)).toEqual(['loss halt'])
    expect(found(riskInput({ pnlTzs: -100n * TZS36 }), settings)).toEqual([])
    expect(found(riskInput({ pnlTzs: 500n * TZS36 }), settings)).toEqual([])
  })

  it('a drawdown over the limit halts although the position is still in profit', () => {
    const settings = riskSettings({ maxDrawdownTzs: 100n * TZS36 })
    const input = riskInput({ pnlTzs: 500n * TZS36, drawdownTzs: 101n * TZS36 })
    expect(found(input, settings)).toEqual(['drawdown halt'])
  })

  it('a loss that is proven to be within its limits asks for no valuation', () => {
    const settings = riskSettings({ maxLossTzs: 100n * TZS36, maxDrawdownTzs: 50n * TZS36 })
    const asked: unknown[] = []
    const input: RiskInput = {
      ...riskInput(),
      isLossSurelyWithin: (...limits) => {
        asked.push(limits)
        return true
      },
      get pnlTzs(): bigint {
        throw new Error('the total was asked for')
      },
    }
    expect(found(input, settings)).toEqual([])
    expect(asked).toEqual([[100n * TZS36, 50n * TZS36]])
  })

  it('a position that cannot be valued halts if a loss limit is set', () => {
    const input = riskInput({ pnlTzs: null, drawdownTzs: null })
    expect(found(input, riskSettings({ maxLossTzs: TZS36 }))).toEqual(['cannot-value halt'])
    expect(found(input, riskSettings({ maxDrawdownTzs: TZS36 }))).toEqual(['cannot-value halt'])
  })

  it('a position that cannot be valued does not halt without a loss limit, and no position never does', () => {
    const nothing = { pnlTzs: null, drawdownTzs: null }
    expect(found(riskInput(nothing))).toEqual([])
    const empty = riskInput({ ...nothing, hasPosition: false })
    expect(found(empty, riskSettings({ maxLossTzs: TZS36 }))).toEqual([])
  })
})

describe('the rules about inventory', () => {
  const rule = (asset: 'NTZS' | 'USDC' | 'USDT', held: bigint, min: bigint | null, max: bigint | null) => {
    const position = { NTZS: 50n, USDC: 50n, USDT: 50n, 'USDT.bnb': 50n, [asset]: held }
    return found(riskInput({ position }), riskSettings(), { [asset]: { min, max } })
  }

  it('too few shillings close the ask, which would sell more of them', () => {
    expect(rule('NTZS', 9n, 10n, null)).toEqual(['inventory-limit ask-off'])
  })
  it('too many shillings close the bid, which would buy more of them', () => {
    expect(rule('NTZS', 91n, null, 90n)).toEqual(['inventory-limit bid-off'])
  })
  it('too few dollars close the bid, which would sell more of them', () => {
    expect(rule('USDC', 9n, 10n, null)).toEqual(['inventory-limit bid-off'])
  })
  it('too many dollars close the ask, which would buy more of them', () => {
    expect(rule('USDT', 91n, null, 90n)).toEqual(['inventory-limit ask-off'])
  })
  it('an inventory limit binds when it is reached, not only when it is passed', () => {
    expect(rule('USDC', 10n, 10n, null)).toEqual(['inventory-limit bid-off'])
    expect(rule('USDC', 11n, 10n, 12n)).toEqual([])
    expect(rule('USDC', 12n, 10n, 12n)).toEqual(['inventory-limit ask-off'])
  })
})

describe('the rules about flow and errors', () => {
  it('too many fills in a minute leave only the side that reduces the inventory imbalance', () => {
    const settings = riskSettings({ maxFillsPerMinute: 10 })
    expect(found(riskInput({ fillsLastMinute: 11 }), settings)).toEqual(['fills-per-minute reduce'])
    expect(found(riskInput({ fillsLastMinute: 10 }), settings)).toEqual([])
  })

  it('a side that traded more than the volume of a day is closed, and the other one is not', () => {
    const settings = riskSettings({ maxVolumePerDayUsd: 1_000n * USD18 })
    const over = 1_001n * USD18
    expect(found(riskInput({ volumeLastDayUsd: { bid: over, ask: 0n } }), settings)).toEqual([
      'volume-per-day bid-off',
    ])
    expect(found(riskInput({ volumeLastDayUsd: { bid: 0n, ask: over } }), settings)).toEqual([
      'volume-per-day ask-off',
    ])
  })

  it('failed requests in a row require the safe quote from the threshold on', () => {
    expect(found(riskInput({ errorCycles: 4 }))).toEqual([])
    expect(found(riskInput({ errorCycles: 5 }))).toEqual(['error-cycles safe'])
  })
})

describe('the rules about reconciliation', () => {
  const reconciliationBreak = { breakSince: 1_000_000, breakReason: 'balances and ledger differ' }

  it('a reconciliation break requires the safe quote at once and halts when the difference lasts for the grace', () => {
    const unreconciled = { NTZS: -5n }
    expect(found(riskInput({ ...reconciliationBreak, unreconciled, now: 1_059_999 }))).toEqual([
      'fills-gap safe',
    ])
    expect(found(riskInput({ ...reconciliationBreak, unreconciled, now: 1_060_000 }))).toEqual([
      'unexplained-balance halt',
    ])
  })

  it('an unreconciled balance halts at once without a grace', () => {
    const input = riskInput({ ...reconciliationBreak, unreconciled: { USDC: 1n } })
    expect(found(input, riskSettings({ unexplainedGraceMs: 0 }))).toEqual(['unexplained-balance halt'])
  })

  it('fills that may be missing without a difference require the safe quote and never halt by themselves', () => {
    expect(found(riskInput({ ...reconciliationBreak, now: 9_000_000 }))).toEqual(['fills-gap safe'])
    expect(found(riskInput({ ...reconciliationBreak, now: 9_000_000, unreconciled: { NTZS: 0n } }))).toEqual([
      'fills-gap safe',
    ])
  })

  it('an unreconciled balance names the token and the signed amount', () => {
    const [finding] = assess(
      riskInput({ ...reconciliationBreak, now: 2_000_000, unreconciled: { USDC: (-3n * USD18) / 2n } }),
      riskSettings(),
      {},
    )
    expect(finding?.actual).toBe('-1.5 USDC')
  })
})

describe('the rules about the daemon itself', () => {
  it('a suspended strategy, a pause and a shutdown require the safe quote, and a refused key halts', () => {
    expect(found(riskInput({ strategySuspended: 'it threw' }))).toEqual(['strategy-suspended safe'])
    expect(found(riskInput({ paused: 'lunch' }))).toEqual(['paused safe'])
    expect(found(riskInput({ leaving: true }))).toEqual(['shutdown safe'])
    expect(found(riskInput({ authFailure: '401' }))).toEqual(['auth halt'])
  })

  it('the most serious breach comes first, and every breach is returned', () => {
    const input = riskInput(
      { authFailure: '401', paused: 'lunch', fillsLastMinute: 2 },
      { pending: stepped(400), problem: 'stepped' },
    )
    expect(found(input, riskSettings({ maxFillsPerMinute: 1 }))).toEqual([
      'auth halt',
      'paused safe',
      'mid-step safe',
      'fills-per-minute reduce',
      'mid-step ask-off',
    ])
  })
})
