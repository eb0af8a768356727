import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLearner } from '../../../src/conformance/learn.ts'
import { changesBetween, profileSchema, sandboxOf, type Profile } from '../../../src/conformance/profile.ts'
import type { Topic } from '../../../src/conformance/trait.ts'
import type { Event } from '../../../src/engine/model/event.ts'
import type { Fill } from '../../../src/ledger/fills/fill.ts'
import {
  dollarsForShillings,
  shillingsForDollars,
  splitProtocolFee,
  type BidFormula,
} from '../../../src/money/payout.ts'

const MID = 2_612_345_678_901_234_567_890n
const SPREAD = { bidBps: 60, askBps: 70 }
const MONDAY = Date.UTC(2026, 2, 2, 9, 2)

type Venue = { readonly formula: BidFormula; readonly feeBps: number; readonly namesFee?: boolean }

/** A fill as such a venue pays it: the taker's dollars or shillings, before and after the fee. */
function fillOf(id: number, isBid: boolean, amountIn: bigint, { formula, feeBps, namesFee }: Venue): Fill {
  const gross = isBid
    ? dollarsForShillings(amountIn, 'USDC', MID, SPREAD.bidBps, formula, 'down')
    : shillingsForDollars(amountIn, 'USDC', MID, SPREAD.askBps, 'down')
  const { net, fee } = splitProtocolFee(gross, feeBps)
  return {
    id: `f${id}`,
    side: isBid ? 'bid' : 'ask',
    inAsset: isBid ? 'NTZS' : 'USDC',
    amountIn,
    outAsset: isBid ? 'USDC' : 'NTZS',
    amountOut: net,
    fee: namesFee === true ? fee : null,
    earnedText: null,
    txHash: null,
    createdAt: MONDAY + id,
    raw: JSON.stringify({ id: `f${id}`, amountIn: '1', strange: id }),
  }
}

function amountsOf(isBid: boolean, seed: number): bigint {
  return isBid ? BigInt(10_007 + 3 * seed) * 10n ** 18n + BigInt(seed) : BigInt(5_000_003 + 7_919 * seed)
}

const rate = (t: number, rateUpdatedAt: number): Event => ({
  type: 'rate',
  t,
  request: 1,
  mid: MID,
  problem: null,
  rateUpdatedAt,
  quotable: true,
  venueTime: null,
})
const quoteSet = (t: number): Event => ({
  type: 'quoteSet',
  t,
  request: 2,
  spread: { ...SPREAD, quoteBid: true, quoteAsk: true, quotePairs: null },
})
const best = (t: number, bestBps: number): Event => ({
  type: 'bestQuote',
  t,
  request: 3,
  side: 'ask',
  probe: 1n,
  mid: MID,
  bestBps,
  protocolFeeBps: 10,
  lowLiquidity: false,
})
const fillsEvent = (t: number, fills: readonly Fill[]): Event => ({
  type: 'fills',
  t,
  request: 4,
  sentAt: t - 1,
  fills,
  quarantined: [],
  repeated: 0,
  windowFull: false,
})

function profileOf(events: readonly Event[], feeModel: 'none' | 'from-position' | null = null): Profile {
  const learner = createLearner()
  for (const event of events) learner.add(event)
  return learner.profile('desk-1', feeModel)
}

function journalOf(venue: Venue, count = 20): readonly Event[] {
  const fills = Array.from({ length: count }, (_, index) =>
    fillOf(index, index % 2 === 0, amountsOf(index % 2 === 0, index), venue),
  )
  return [rate(MONDAY, MONDAY), quoteSet(MONDAY + 1), fillsEvent(MONDAY + 2, fills)]
}

const valueOf = ({ traits }: Profile, topic: Topic) => traits.find((one) => one.topic === topic)

describe('what a venue does is learned from its fills', () => {
  test('whatever its formula and its fee are, named in the rows or not, without being told either', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<BidFormula>('divide', 'multiply'),
        fc.integer({ min: 0, max: 200 }),
        fc.boolean(),
        (formula, feeBps, namesFee) => {
          const profile = profileOf(journalOf({ formula, feeBps, namesFee }))
          expect(profile.sandbox).toMatchObject({ bidFormula: formula, protocolFeeBps: feeBps })
          expect(valueOf(profile, 'bid-formula')).toMatchObject({ observed: 10, exceptions: 0 })
          expect(valueOf(profile, 'protocol-fee')?.sure).toContain('rarer than 15 % (95 %)')
        },
      ),
      { numRuns: 40 },
    )
  })

  test('a fill that is priced otherwise is an exception with its amounts, and the rest is learned all the same', () => {
    const odd = {
      ...fillOf(99, true, amountsOf(true, 99), { formula: 'divide', feeBps: 10 }),
      amountOut: 1_234_567n,
    }
    const profile = profileOf([
      ...journalOf({ formula: 'divide', feeBps: 10 }),
      fillsEvent(MONDAY + 9, [odd]),
    ])
    expect(profile.sandbox).toMatchObject({ bidFormula: 'divide', protocolFeeBps: 10 })
    const trait = valueOf(profile, 'bid-formula')
    expect(trait).toMatchObject({ value: 'divide', observed: 11, exceptions: 1 })
    expect(trait?.examples[0]).toContain('1234567 USDC (f99)')
    expect(trait?.sure).toContain('expected of the next: 15 %')
  })

  test('rounding down is told from what a fill of an odd amount leaves', () => {
    expect(valueOf(profileOf(journalOf({ formula: 'divide', feeBps: 10 })), 'rounding')?.value).toContain(
      'down',
    )
  })

  test('two fills teach nothing, and a fill that is shown twice counts once', () => {
    const events = journalOf({ formula: 'divide', feeBps: 10 }, 2)
    const profile = profileOf([...events, ...events.slice(2)])
    expect(profile.sandbox).toMatchObject({ bidFormula: null, protocolFeeBps: null })
    expect(valueOf(profile, 'protocol-fee')).toMatchObject({ value: null, observed: 2 })
  })
})

describe('the rest is learned from the other answers', () => {
  test('publications of the mid have their time of day, their days and no first one, which may be old', () => {
    const day = 86_400_000
    const profile = profileOf(
      [0, 1, 2].flatMap((n) => [rate(MONDAY + n * day, MONDAY + n * day + n * 60_000)]),
    )
    expect(valueOf(profile, 'publication')).toMatchObject({
      value: '09:04 UTC (09:03 to 09:04), Tue Wed',
      observed: 2,
    })
  })

  test('the tolerance is at least what was picked three times beside a quote of ours that stood', () => {
    const at = MONDAY + 60_000
    const picks = [75, 82, 82, 82, 90, 70].map((bps, index) => best(at + index, bps))
    const profile = profileOf([quoteSet(MONDAY), best(MONDAY + 5, 99), ...picks])
    expect(profile.sandbox.toleranceBps).toBe(12)
    expect(valueOf(profile, 'rotation-tolerance')).toMatchObject({ observed: 6 })
  })

  test('fields that the contract does not name are listed with an example and their count', () => {
    const balances: Event = {
      type: 'balances',
      t: 1,
      request: 5,
      sentAt: 0,
      amounts: {},
      source: 'pool',
      unknownFields: '{"positions":[1]}',
    }
    const profile = profileOf([...journalOf({ formula: 'divide', feeBps: 10 }, 4), balances])
    const trait = valueOf(profile, 'undocumented-fields')
    expect(trait?.value).toBe('balances.positions, fills.strange')
    expect(trait?.examples).toEqual(['balances.positions = [1] (1)', 'fills.strange = 0 (4)'])
  })

  test('a limit shows where it refuses, and one that was not met is no number', () => {
    const failed = (t: number): Event => ({
      type: 'requestFailed',
      t,
      request: 9,
      failure: {
        kind: 'rate-limit',
        code: 'RATE_LIMIT',
        status: 429,
        route: 'GET /fills',
        message: 'too many',
        retriable: true,
        outcome: 'failed',
        retryAfterMs: null,
      },
    })
    const asked = Array.from({ length: 30 }, (_, index) => rate(MONDAY + index * 1_000, MONDAY))
    expect(profileOf(asked).sandbox.requestsPerMinute).toBeNull()
    const refused = profileOf([...asked, failed(MONDAY + 30_000)])
    expect(refused.sandbox.requestsPerMinute).toBe(30)
    expect(valueOf(refused, 'request-limit')?.value).toContain('1 refused, the first after 30')
  })

  test('of an empty journal nothing is known, and nothing is claimed', () => {
    const profile = profileOf([])
    expect(profile.traits.map(({ value }) => value)).toEqual(profile.traits.map(() => null))
    expect(sandboxOf(profile)).toEqual({})
  })
})

describe('a profile', () => {
  const before = profileOf(journalOf({ formula: 'divide', feeBps: 10 }), 'from-position')

  test('survives being written and read', () => {
    expect(profileSchema.parse(JSON.parse(JSON.stringify(before)))).toEqual(before)
  })

  test('differs by what the venue does, with before and after, and not by counts or what is not known', () => {
    expect(
      changesBetween(before, profileOf(journalOf({ formula: 'divide', feeBps: 10 }, 40), 'from-position')),
    ).toEqual([])
    expect(changesBetween(before, profileOf([]))).toEqual([])
    const after = profileOf(journalOf({ formula: 'multiply', feeBps: 25 }), 'none')
    expect(changesBetween(before, after)).toEqual([
      { topic: 'bid-formula', before: 'divide', after: 'multiply' },
      { topic: 'protocol-fee', before: '10 bps', after: '25 bps' },
      { topic: 'fee-side', before: 'from the position', after: 'from the pool' },
    ])
  })

  test('is one that is read again, whatever fields and rows a venue sends', () => {
    const json = fc.oneof(fc.json(), fc.string(), fc.constant('{"__proto__":1,"constructor":{}}'))
    fc.assert(
      fc.property(fc.array(fc.tuple(json, json), { maxLength: 20 }), (answers) => {
        const events = answers.flatMap(([fields, raw], index): Event[] => {
          const fill = { ...fillOf(index, true, 1n, { formula: 'divide', feeBps: 0 }), raw }
          return [{ ...quoteSet(index), unknownFields: fields } as Event, fillsEvent(index, [fill])]
        })
        const learned = profileOf(events)
        expect(profileSchema.parse(JSON.parse(JSON.stringify(learned)))).toEqual(learned)
      }),
    )
  })

  test('lists at most two hundred fields, each cut, however many and long they are', () => {
    const fields = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`${index}${'x'.repeat(500)}`, 1]),
    )
    const learned = profileOf([{ ...quoteSet(1), unknownFields: JSON.stringify(fields) } as Event])
    expect(valueOf(learned, 'undocumented-fields')?.value?.split(', ')).toHaveLength(200)
    expect(profileSchema.safeParse(learned).success).toBe(true)
  })
})
