import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLearner, type ShownFee } from '../../../../src/research/conformance/learn.ts'
import { changesBetween } from '../../../../src/research/conformance/changes.ts'
import { profileSchema, sandboxOf, type Profile } from '../../../../src/research/conformance/profile.ts'
import type { Topic } from '../../../../src/research/conformance/trait.ts'
import type { Event, RequestFailedEvent } from '../../../../src/core/engine/model/event.ts'
import type { Fill } from '../../../../src/core/ledger/fills/fill.ts'
import { TOKEN_UNIT } from '../../../../src/base/money/asset.ts'
import {
  dollarsForShillings,
  shillingsForDollars,
  splitProtocolFee,
  type BidFormula,
} from '../../../../src/base/money/payout.ts'

const MID = 2_612_345_678_901_234_567_890n
const SPREAD = { bidBps: 60, askBps: 70 }
const MONDAY = Date.UTC(2026, 2, 2, 9, 2)

type Venue = {
  readonly formula: BidFormula
  readonly feeBps: number
  readonly namesFee?: boolean
  /** The smallest step of its payouts in dollars. */
  readonly grain?: bigint
}

/** A fill as such a venue pays it: the taker's dollars or shillings, before and after the fee. */
function fillOf(id: number, isBid: boolean, amountIn: bigint, venue: Venue): Fill {
  const { formula, feeBps, namesFee, grain = TOKEN_UNIT.USDC } = venue
  const gross = isBid
    ? dollarsForShillings(amountIn, MID, SPREAD.bidBps, formula, grain, 'down')
    : shillingsForDollars(amountIn, MID, SPREAD.askBps, 'down')
  const { net, fee } = splitProtocolFee(gross, feeBps, isBid ? grain : 1n)
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
  return isBid
    ? BigInt(10_007 + 3 * seed) * 10n ** 18n + BigInt(seed)
    : BigInt(5_000_003 + 7_919 * seed) * TOKEN_UNIT.USDC
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

const quoteRead = (t: number, side: 'bid' | 'ask', spreadBps: number): Event => ({
  type: 'quoteRead',
  t,
  request: 6,
  side,
  spreadBps,
  mid: MID,
  protocolFeeBps: 10,
  formula: null,
})
const account = (t: number, isActive = true): Event => ({
  type: 'account',
  t,
  request: 7,
  isActive,
  walletAddress: null,
})
const balances = (t: number, NTZS = 10n ** 25n): Event => ({
  type: 'balances',
  t,
  request: 8,
  sentAt: t,
  amounts: { NTZS, USDC: 10n ** 24n },
  source: null,
})
const refused = (t: number): RequestFailedEvent => ({
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
/** Ourselves with a quote that stands, active and with tokens. */
const READY = [quoteSet(MONDAY), account(MONDAY), balances(MONDAY)]

function profileOf(events: readonly Event[], feeModel: 'none' | 'from-position' | null = null): Profile {
  const learner = createLearner()
  for (const event of events) learner.add(event)
  const shown = feeModel === null ? null : { model: feeModel, at: Number.POSITIVE_INFINITY, unproven: 0 }
  return learner.profile('desk-1', shown)
}

function journalOf(venue: Venue, count = 20): readonly Event[] {
  const fills = Array.from({ length: count }, (_, index) =>
    fillOf(index, index % 2 === 0, amountsOf(index % 2 === 0, index), venue),
  )
  return [rate(MONDAY, MONDAY), quoteSet(MONDAY + 1), fillsEvent(MONDAY + 2, fills)]
}

const valueOf = ({ traits }: Profile, topic: Topic) => traits.find((one) => one.topic === topic)

describe('what a venue does is learned from its fills', () => {
  test('whatever its formula, its fee and its smallest step are, named in the rows or not, without being given any', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<BidFormula>('divide', 'multiply'),
        fc.integer({ min: 0, max: 200 }),
        fc.boolean(),
        fc.constantFrom(TOKEN_UNIT.USDC, 1n),
        (formula, feeBps, namesFee, grain) => {
          const profile = profileOf(journalOf({ formula, feeBps, namesFee, grain }))
          expect(profile.sandbox).toMatchObject({ bidFormula: formula, protocolFeeBps: feeBps })
          expect(valueOf(profile, 'bid-formula')).toMatchObject({ observed: 10, exceptions: 0 })
          expect(valueOf(profile, 'protocol-fee')?.sure).toContain('rarer than 15 % (95 %)')
        },
      ),
      { numRuns: 40 },
    )
  })

  test('fills of a venue that prices in doubles show formulas, the fee at the mid and whose slippage it is', () => {
    const mid = Number(MID) / 1e18
    const text = (value: number) => BigInt(Math.round(value * 1e12)) * 10n ** 6n
    const fills = Array.from({ length: 40 }, (_, index): Fill => {
      const isBid = index % 2 === 0
      const amountIn = amountsOf(isBid, index)
      const [whole, slippage] = [Number(amountIn) / 1e18, [0, 50, 100, 37][index % 4] ?? 0]
      const quoted = isBid
        ? whole / (mid * (1 + SPREAD.bidBps / 1e4))
        : whole * (mid * (1 - SPREAD.askBps / 1e4))
      const atMid = isBid ? whole / mid : whole * mid
      const fill = fillOf(index, isBid, amountIn, { formula: 'divide', feeBps: 0 })
      return {
        ...fill,
        amountOut: text(quoted * (1 - slippage / 1e4) * (1 - 20 / 1e4)),
        fee: text((atMid * 20) / 1e4),
      }
    })
    const profile = profileOf([rate(MONDAY, MONDAY), quoteSet(MONDAY + 1), fillsEvent(MONDAY + 2, fills)])
    expect(valueOf(profile, 'bid-formula')).toMatchObject({ value: 'divide', observed: 20, exceptions: 0 })
    expect(valueOf(profile, 'ask-formula')).toMatchObject({ value: 'multiply', observed: 20, exceptions: 0 })
    expect(valueOf(profile, 'protocol-fee')?.value).toMatch(/^20 bps .* 0 to 100 bps .*position$/)
    expect(valueOf(profile, 'fee-side')?.value).toBe('from the position')
    expect(valueOf(profile, 'rounding')?.value).toBeNull()
    expect(profile.sandbox).toMatchObject({ bidFormula: 'divide', protocolFeeBps: 20, feeFrom: 'position' })
  })

  test('a value that the fills do not show is not said to have no exception', () => {
    const odd = Array.from({ length: 9 }, (_, index) => ({
      ...fillOf(index, true, amountsOf(true, index), { formula: 'divide', feeBps: 10 }),
      amountOut: BigInt(index + 1),
    }))
    const profile = profileOf([rate(MONDAY, MONDAY), quoteSet(MONDAY + 1), fillsEvent(MONDAY + 2, odd)])
    expect(valueOf(profile, 'bid-formula')).toMatchObject({
      value: null,
      observed: 9,
      sure: '9 observed, and they do not show it',
    })
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
    expect(trait?.sure).toContain('the next: 15 %')
  })

  test('rounding down is recognised from the payout of an odd amount', () => {
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

  test('five publications at five times of day are no rule, and the trait counts those that differ', () => {
    const hour = 3_600_000
    const times = [0, 24, 50, 75, 101, 127].map((hours) => MONDAY + hours * hour)
    const trait = valueOf(profileOf(times.map((t) => rate(t, t))), 'publication')
    expect(trait).toMatchObject({ observed: 5, exceptions: 4 })
    expect(trait?.sure).not.toContain('none otherwise')
  })

  test('the tolerance is at least what was picked three times beside a quote of ours that stood and could fill', () => {
    const at = MONDAY + 60_000
    const picks = [75, 82, 82, 82, 90, 70].map((bps, index) => best(at + index, bps))
    const profile = profileOf([...READY, best(MONDAY + 5, 99), ...picks])
    expect(profile.sandbox.toleranceBps).toBe(12)
    expect(valueOf(profile, 'rotation-tolerance')).toMatchObject({
      observed: 6,
      value: 'at least 12 bps',
      sure: expect.stringContaining('5 of 6 picks') as string,
    })
  })

  test.each([
    ['inactive', [quoteSet(MONDAY), account(MONDAY, false), balances(MONDAY)]],
    ['without the tokens that the taker asks for', [quoteSet(MONDAY), account(MONDAY), balances(MONDAY, 0n)]],
    ['of unknown activity', [quoteSet(MONDAY), balances(MONDAY)]],
  ])('picks of others show no tolerance while we are %s', (_how, before) => {
    const picks = [82, 82, 82, 82].map((bps, index) => best(MONDAY + 60_000 + index, bps))
    const dollars = picks.map((event) => ({ ...event, probe: 1_000_000n }) as Event)
    expect(profileOf([...before, ...dollars]).sandbox.toleranceBps).toBeNull()
    expect(valueOf(profileOf([...READY, ...dollars]), 'rotation-tolerance')?.observed).toBe(4)
  })

  test('a tolerance of zero shows in a rival a little wider that is passed over ten times', () => {
    const at = MONDAY + 60_000
    // Seen before our quote had settled.
    const rival = best(MONDAY + 5, 73)
    const ours = (count: number) => Array.from({ length: count }, (_, index) => best(at + index, 70))
    expect(profileOf([...READY, rival, ...ours(9)]).sandbox.toleranceBps).toBeNull()
    const profile = profileOf([...READY, rival, ...ours(10)])
    expect(profile.sandbox.toleranceBps).toBe(0)
    expect(valueOf(profile, 'rotation-tolerance')?.value).toBe('less than 3 bps')
    // A rival of an hour ago may be gone.
    const later = ours(10).map((event) => ({ ...event, t: event.t + 3_600_000 }))
    expect(profileOf([...READY, rival, ...later]).sandbox.toleranceBps).toBeNull()
  })

  test('the routing of each source is learned from fills that came while a probe showed who was the best', () => {
    const at = MONDAY + 60_000
    const minutes = Array.from({ length: 10 }, (_, index) => at + index * 60_000)
    const fill = (id: string, t: number, source: unknown): Fill => ({
      ...fillOf(1, false, TOKEN_UNIT.USDC, { formula: 'divide', feeBps: 0 }),
      id,
      createdAt: t,
      raw: JSON.stringify({ source }),
    })
    const events = minutes.flatMap((t) => [
      best(t, 67),
      fillsEvent(t + 1_000, [fill(`app-${t}`, t + 500, 'app'), fill(`late-${t}`, t + 200_000, 'late')]),
      best(t + 20_000, 70),
      fillsEvent(t + 30_000, [
        fill(`waas-${t}`, t + 25_000, 'waas'),
        fill(`none-${t}`, t + 25_000, ['waas']),
      ]),
    ])
    const routing = valueOf(profileOf([...READY, ...events]), 'routing')
    expect(routing).toMatchObject({
      value: 'app: also providers 3 bps wider than the best; waas: the lowest spread only',
      observed: 20,
    })
    // Who picks the lowest only is open while our quote was hardly ever wider.
    // A fill that came after two rounds of probes had passed shows nothing.
    const stale = events.map((event) =>
      event.type === 'fills'
        ? {
            ...event,
            fills: event.fills.map((one) => ({ ...one, createdAt: (one.createdAt ?? 0) + 90_000 })),
          }
        : event,
    )
    // Of the first one no round is known.
    expect(valueOf(profileOf([...READY, ...stale]), 'routing')?.observed).toBe(1)
    const ahead = events.filter((event) => event.type !== 'bestQuote' || event.bestBps === 70)
    expect(valueOf(profileOf([...READY, ...ahead]), 'routing')?.value).toBeNull()
  })

  test('a quote that is held for days is known by what is read back, so that fills are explained from it', () => {
    const fills = Array.from({ length: 12 }, (_, index) =>
      fillOf(index, index % 2 === 0, amountsOf(index % 2 === 0, index), { formula: 'multiply', feeBps: 10 }),
    )
    const read = [
      rate(MONDAY, MONDAY),
      quoteRead(MONDAY + 1, 'bid', SPREAD.bidBps),
      quoteRead(MONDAY + 2, 'ask', SPREAD.askBps),
      fillsEvent(MONDAY + 3, fills),
    ]
    const profile = profileOf(read)
    expect(profile.sandbox).toMatchObject({ bidFormula: 'multiply', protocolFeeBps: 10 })
    expect(valueOf(profile, 'ask-formula')).toMatchObject({ value: 'multiply', observed: 6, exceptions: 0 })
    // Of a side whose spread is not known a fill shows nothing, and is no exception.
    const oneSide = profileOf(read.filter((event) => event.type !== 'quoteRead' || event.side === 'bid'))
    expect(valueOf(oneSide, 'ask-formula')).toMatchObject({ value: null, observed: 0 })
    expect(valueOf(oneSide, 'protocol-fee')).toMatchObject({ observed: 6, exceptions: 0 })
  })

  test('an ask that divides by one plus the spread is distinguished from the contract’s formula', () => {
    const divided = Array.from({ length: 6 }, (_, index): Fill => {
      const amountIn = amountsOf(false, index)
      const gross = (amountIn * MID * 10_000n) / (10n ** 18n * (10_000n + BigInt(SPREAD.askBps)))
      const plain = fillOf(index, false, amountIn, { formula: 'divide', feeBps: 10 })
      return { ...plain, amountOut: splitProtocolFee(gross, 10).net }
    })
    const profile = profileOf([rate(MONDAY, MONDAY), quoteSet(MONDAY), fillsEvent(MONDAY + 1, divided)])
    expect(valueOf(profile, 'ask-formula')).toMatchObject({ value: 'divide', observed: 6, exceptions: 0 })
    expect(valueOf(profileOf(journalOf({ formula: 'divide', feeBps: 10 })), 'ask-formula')?.value).toBe(
      'multiply',
    )
  })

  test('who bears the fee is claimed only where fills with a fee were proven by the balances', () => {
    const events = journalOf({ formula: 'divide', feeBps: 10 }, 6)
    const learned = (shown: ShownFee | null, of = events) => {
      const learner = createLearner()
      for (const event of of) learner.add(event)
      return learner.profile('desk-1', shown)
    }
    const shown = { model: 'from-position', at: MONDAY + 10, unproven: 0 } as const
    expect(learned(shown).sandbox.feeFrom).toBe('position')
    expect(valueOf(learned(shown), 'fee-side')).toMatchObject({ observed: 6 })
    const nothing = [
      learned(null),
      // The default, which no fill rests on.
      learned(shown, []),
      learned({ ...shown, unproven: 4 }),
      // A snapshot of before the fills.
      learned({ ...shown, at: MONDAY }),
      // Without a fee no one bears it.
      learned(shown, journalOf({ formula: 'divide', feeBps: 0 }, 6)),
    ]
    expect(nothing.map((profile) => profile.sandbox.feeFrom)).toEqual(nothing.map(() => null))
    expect(nothing.map((profile) => valueOf(profile, 'fee-side')?.value)).toEqual(nothing.map(() => null))
  })

  test('fields that the contract does not name are listed with an example and their count', () => {
    const answer = { ...balances(1), unknownFields: '{"positions":[1]}' } as Event
    const profile = profileOf([...journalOf({ formula: 'divide', feeBps: 10 }, 4), answer])
    const trait = valueOf(profile, 'undocumented-fields')
    expect(trait?.value).toBe('balances.positions, fills.strange')
    expect(trait?.examples).toEqual(['balances.positions = [1] (1)', 'fills.strange = 0 (4)'])
    expect(trait?.sure).toContain('7 answers and rows')
  })

  test('a row or an answer that was cut for the journal is listed, and not taken for one without other fields', () => {
    const [fill] = journalOf({ formula: 'divide', feeBps: 10 }, 1).flatMap((event) =>
      event.type === 'fills' ? event.fills : [],
    )
    if (fill === undefined) throw new Error('no fill')
    const cut = { ...fill, raw: `{"id":"f","note":"${'x'.repeat(2_000)}... (5000 characters)` }
    const answer = { ...balances(1), unknownFields: '{"positions":[{"token":"0x' } as Event
    const trait = valueOf(profileOf([answer, fillsEvent(MONDAY, [cut])]), 'undocumented-fields')
    expect(trait?.value).toBe('balances.(cut), fills.(cut)')
  })

  test('the wrapper of the account is its dialect; journals of before it was kept show nothing of it', () => {
    const wrapped = (n: number) => ({ ...account(MONDAY + n), isWrapped: true }) as Event
    const { evidence, sandbox, traits } = profileOf([0, 1, 2, 3].map(wrapped))
    expect([evidence.dialects, sandbox.venue]).toEqual([{ account: 'observed' }, 'measured'])
    expect(traits.find(({ topic }) => topic === 'dialect')).toMatchObject({
      value: 'the other form (account)',
      observed: 4,
      exceptions: 0,
    })
    expect(profileOf([account(MONDAY)]).evidence.dialects).toEqual({})
  })

  test('each kind of answer has a dialect of its own', () => {
    const bare = { ...rate(MONDAY, MONDAY), rateUpdatedAt: null, quotable: null } as Event
    const partial: Event = {
      type: 'activation',
      t: MONDAY,
      request: 1,
      isActive: true,
      partial: true,
      returned: [],
    }
    const profile = profileOf([
      bare,
      partial,
      balances(MONDAY),
      ...journalOf({ formula: 'divide', feeBps: 10 }).slice(1),
    ])
    expect(profile.evidence.dialects).toEqual({
      rate: 'observed',
      activation: 'observed',
      balances: 'contract',
      fills: 'contract',
    })
    expect(valueOf(profile, 'dialect')?.value).toMatch(/\(balances, fills\).*\(activation, rate\)/)
  })

  test('the method of activations and the words of refusals have a dialect, and journals of before show nothing of it', () => {
    const activation = {
      type: 'activation',
      t: MONDAY,
      request: 1,
      isActive: true,
      partial: false,
      returned: [],
    }
    const taken = (method: string) => ({ ...activation, method }) as Event
    const written = (status: number, form: string): Event => {
      const event = refused(MONDAY)
      if (event.type !== 'requestFailed') throw new Error('that is no refusal')
      return { ...event, failure: { ...event.failure, kind: 'refused', status, form } } as Event
    }
    const old = [activation as unknown as Event, refused(MONDAY)]
    expect(profileOf(old).evidence.dialects).toEqual({})
    const strange = profileOf([...old, taken('PATCH'), written(401, 'text'), written(409, 'sentence')])
    expect(strange.evidence.dialects).toEqual({
      'method of activate': 'observed',
      'refusals of the key': 'observed',
      refusals: 'observed',
    })
    expect(strange.sandbox.venue).toBe('measured')
    const usual = profileOf([taken('POST'), written(401, 'code'), written(409, 'code')])
    expect(valueOf(usual, 'dialect')).toMatchObject({
      value: 'the contract’s (method of activate, refusals, refusals of the key)',
      observed: 3,
      exceptions: 0,
    })
  })

  test('a limit shows where it refuses, and one that was not met is no number', () => {
    const asked = Array.from({ length: 30 }, (_, index) => rate(MONDAY + index * 1_000, MONDAY))
    expect(profileOf(asked).sandbox.requestsPerMinute).toBeNull()
    expect(valueOf(profileOf(asked), 'request-limit')).toMatchObject({
      value: null,
      examples: ['none met: 30 requests in one minute were all answered'],
    })
    const limited = profileOf([...asked, refused(MONDAY + 30_000)])
    expect(limited.sandbox.requestsPerMinute).toBe(30)
    expect(valueOf(limited, 'request-limit')?.value).toContain('30 requests')
  })

  test('a limit that was lowered is the one that refuses now, and requests of commands count', () => {
    const minute = 60_000
    const burst = (at: number, count: number) =>
      Array.from({ length: count }, (_, index) => rate(at + index * 100, MONDAY))
    const lowered = Array.from({ length: 5 }, (_, n) => {
      const at = MONDAY + (n + 2) * 2 * minute
      return [...burst(at, 20), refused(at + 10_000)]
    }).flat()
    expect(profileOf([...burst(MONDAY, 50), ...lowered]).sandbox.requestsPerMinute).toBe(20)
    const elsewhere: Event = {
      type: 'requestsElsewhere',
      t: MONDAY,
      lane: 'key',
      times: Array.from({ length: 15 }, (_, index) => MONDAY + index),
    }
    const shared = profileOf([elsewhere, ...burst(MONDAY + 100, 5), refused(MONDAY + 10_000)])
    expect(shared.sandbox.requestsPerMinute).toBe(20)
    const alsoSentAt = [MONDAY + 8_000, MONDAY + 9_000]
    const twiceSent = profileOf([...burst(MONDAY, 18), { ...refused(MONDAY + 10_000), alsoSentAt }])
    expect(twiceSent.sandbox.requestsPerMinute).toBe(20)
    // More than was counted at a refusal is answered since: someone else had a part of that minute.
    const raised = profileOf([
      ...burst(MONDAY, 10),
      refused(MONDAY + 5_000),
      ...burst(MONDAY + 3 * minute, 40),
    ])
    expect(raised.sandbox.requestsPerMinute).toBe(40)
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
