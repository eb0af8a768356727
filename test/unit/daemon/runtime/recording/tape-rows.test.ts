import { expect, test } from 'vitest'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import { MINUTE_MS } from '../../../../../src/base/time.ts'
import { tapeRowsOf } from '../../../../../src/daemon/runtime/recording/tape-rows.ts'
import type { RowKind, TapeRow } from '../../../../../src/store/tape/model/row.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, type Harness } from '../../../../support/core-harness.ts'
import { makeFill } from './make-fill.ts'
import { replayed } from './replayed-rows.ts'

const RATE = 10n ** 18n

function rowsOf(journal: readonly Event[]): TapeRow[] {
  const rows: TapeRow[] = []
  replayed(journal, (_seq, event, audit, state) => rows.push(...tapeRowsOf(event, audit, state)))
  return rows
}

function ofKind<Kind extends RowKind>(
  { journal }: Pick<Harness, 'journal'>,
  kind: Kind,
): Extract<TapeRow, { type: Kind }>[] {
  return rowsOf(journal).filter((row): row is Extract<TapeRow, { type: Kind }> => row.type === kind)
}

/** A position in the market, its quote confirmed and its books open. */
function market(options: Parameters<typeof coreHarness>[0] = {}): Harness {
  const harness = coreHarness(options)
  harness.run(MINUTE_MS)
  expect(harness.state().reconciliation.opened).toBe(true)
  return harness
}

test('every answered poll of the rate is a row, also where nothing changed; what is no rate is no row', () => {
  const harness = market()
  const answers = harness.journal.filter((event) => event.type === 'rate')
  expect(answers.length).toBeGreaterThan(3)
  expect(ofKind(harness, 'rate')).toEqual(
    answers.map(({ t, mid, rateUpdatedAt, quotable }) => ({ type: 'rate', t, mid, rateUpdatedAt, quotable })),
  )
  const last = answers.at(-1)
  const broken = { ...last, mid: null, problem: 'no rate' } as Event
  expect(ofKind({ journal: [...harness.journal, broken] }, 'rate')).toEqual(ofKind(harness, 'rate'))
})

test('a mid that risk refuses is on the tape all the same: the venue showed it', () => {
  const harness = market()
  harness.venue.mid = 5_000n * RATE
  harness.run(30_000)
  expect(harness.state().market.mid).toBe(2_500n * RATE)
  expect(ofKind(harness, 'rate').at(-1)?.mid).toBe(5_000n * RATE)
})

/** A venue whose clock is ahead of ours. */
function aheadOfUs(ahead: number): Harness {
  const harness = coreHarness()
  harness.venue.answers.readRate = () => {
    const { mid, quotable } = harness.venue
    const rateUpdatedAt = (harness.venue.rateUpdatedAt ?? 0) + ahead
    return { type: 'rate', mid, problem: null, rateUpdatedAt, quotable, venueTime: harness.now + ahead }
  }
  harness.run(MINUTE_MS)
  return harness
}

test('where the clock of the venue also runs faster, a fill is no older than the answer before it', () => {
  const ahead = 3_600_000
  const harness = aheadOfUs(ahead)
  const polled = harness.journal.findLast(({ type }) => type === 'fills')?.t ?? Number.NaN
  harness.venue.fills.push(makeFill('f1', { createdAt: harness.now + ahead - 10 * MINUTE_MS }))
  harness.run(10_000)
  expect(ofKind(harness, 'fill').map(({ t }) => t)).toEqual([polled])
})

test('where the venue keeps another clock, the date of its mid and of its fills are put on ours', () => {
  const ahead = 3_600_000
  const harness = aheadOfUs(ahead)
  const happened = harness.now
  harness.venue.fills.push(makeFill('f1', { createdAt: happened + ahead }))
  harness.run(10_000)
  const [fill] = ofKind(harness, 'fill')
  // To the time that an answer takes.
  expect(Math.abs((fill?.t ?? 0) - happened)).toBeLessThan(100)
  const dates = new Set(
    ofKind(harness, 'rate')
      .slice(2)
      .map(({ rateUpdatedAt }) => rateUpdatedAt),
  )
  expect(dates.size).toBe(1)
  expect(Math.abs(([...dates][0] ?? 0) - (harness.venue.rateUpdatedAt ?? 0))).toBeLessThanOrEqual(MINUTE_MS)
})

test('a public probe tells of the side it asked for; the other side was not asked', () => {
  const rows = ofKind(market(), 'competition')
  expect(rows.length).toBeGreaterThan(5)
  const ask = { from: 'USDC', to: 'NTZS', amount: 100n * 10n ** 18n, bidBps: null, askBps: 70 }
  const bid = { from: 'NTZS', to: 'USDC', amount: 250_000n * RATE, bidBps: 70, askBps: null }
  for (const { type: _type, t: _t, own: _own, ...row } of rows) expect([ask, bid]).toContainEqual(row)
})

/** What the rows of the ask's probes say of whose quote they show, from `since` on. */
function ownFlags(harness: Harness, since: number): ReadonlySet<boolean | undefined> {
  const rows = ofKind(harness, 'competition').filter(({ t, askBps }) => t >= since && askBps !== null)
  expect(rows.length).toBeGreaterThan(3)
  return new Set(rows.map(({ own }) => own))
}

/** The harness's strategy quotes 60 on both sides; the venue shows this provider from the start on. */
function shows(askBps: number, picked?: { readonly bidBps: number; readonly askBps: number }): Harness {
  return market({
    venue: {
      answers: {
        readBestQuote: (effect) =>
          effect.type === 'readBestQuote'
            ? {
                type: 'bestQuote',
                side: effect.side,
                probe: effect.probe,
                mid: null,
                bestBps: askBps,
                ...(picked === undefined ? {} : { picked }),
                protocolFeeBps: null,
                lowLiquidity: false,
              }
            : 'silence',
      },
    },
  })
}

test('a probe that shows another spread than our confirmed one is recorded as another provider', () => {
  const harness = shows(70)
  const confirmedAt = harness.state().quoting.confirmedAt ?? 0
  expect(harness.state().quoting.confirmed).toMatchObject({ bidBps: 60, askBps: 60 })
  // A probe from before the confirmation may still show our old spread.
  const [first] = ofKind(harness, 'competition').filter(
    ({ t }) => t >= confirmedAt && t < confirmedAt + 9_000,
  )
  expect(first).toBeDefined()
  expect(first).not.toHaveProperty('own')
  expect(ownFlags(harness, confirmedAt + 10_000)).toEqual(new Set([false]))
})

test('a probe that shows our number is recorded as ours where both sides are ours, and not decided from one side', () => {
  const since = (harness: Harness) => (harness.state().quoting.confirmedAt ?? 0) + 10_000
  const ours = shows(60, { bidBps: 60, askBps: 60 })
  expect(ownFlags(ours, since(ours))).toEqual(new Set([true]))
  const rival = shows(60, { bidBps: 75, askBps: 60 })
  expect(ownFlags(rival, since(rival))).toEqual(new Set([false]))
  const unknown = shows(60)
  expect(ownFlags(unknown, since(unknown))).toEqual(new Set([undefined]))
})

test('whose quote a probe shows is not recorded while our own quote is not known', () => {
  const harness = shows(70)
  const event = harness.journal.findLast(({ type }) => type === 'bestQuote') as Event
  const state = structuredClone(harness.state())
  const own = (change: Partial<typeof state.quoting>) =>
    tapeRowsOf(event, { observations: [] } as never, { ...state, quoting: { ...state.quoting, ...change } })
  expect(own({})).toMatchObject([{ own: false }])
  const spread = state.quoting.confirmed
  if (spread === null) throw new Error('nothing is confirmed')
  for (const change of [
    { status: 'unknown' },
    { status: 'mismatch' },
    { confirmed: null },
    { inFlight: { request: 1, spread } },
  ] as const) {
    expect(own(change)).toHaveLength(1)
    expect(own(change)[0]).not.toHaveProperty('own')
  }
})

test('a probe that no one quotes is a row with neither side', () => {
  const nobody = { type: 'bestQuote', mid: null, bestBps: null, protocolFeeBps: null, lowLiquidity: true }
  const harness = market({
    venue: {
      answers: {
        readBestQuote: (effect) =>
          effect.type === 'readBestQuote'
            ? ({ ...nobody, type: 'bestQuote', side: effect.side, probe: effect.probe } as const)
            : 'silence',
      },
    },
  })
  const rows = ofKind(harness, 'competition')
  expect(rows.length).toBeGreaterThan(5)
  for (const row of rows) expect(row).toMatchObject({ bidBps: null, askBps: null })
})

test('balances are rows as the venue says them', () => {
  const harness = market()
  const rows = ofKind(harness, 'balances')
  expect(rows.length).toBeGreaterThan(2)
  expect(rows[0]).toMatchObject({ amounts: harness.venue.amounts, source: null })
})

test('a fill is one row at its own time, however often and however late it is reported', () => {
  const harness = market()
  const happened = harness.now + 500
  const taker = { wallet: '0xab', source: 'waas', partner: 'p1' }
  const fill = makeFill('f1', { createdAt: happened, fee: null, taker })
  harness.venue.fills.push(fill)
  harness.run(20_000)
  // Another process is notified of everything again.
  harness.restart()
  harness.run(20_000)
  expect(ofKind(harness, 'fill')).toEqual([
    {
      type: 'fill',
      t: happened,
      id: 'f1',
      from: 'USDC',
      to: 'NTZS',
      amountIn: fill.amountIn,
      amountOut: fill.amountOut,
      protocolFee: null,
      feesEarned: fill.earnedText,
      txHash: fill.txHash,
      seenAt: expect.any(Number),
      taker,
    },
  ])
  const seenAt = ofKind(harness, 'fill')[0]?.seenAt ?? 0
  expect(seenAt).toBeGreaterThan(happened)
  expect(seenAt).toBeLessThan(happened + 5_000)
})

test('a fill without a date stands where it was first seen', () => {
  const harness = market()
  harness.venue.fills.push(makeFill('f1', { createdAt: null }))
  harness.run(10_000)
  const [row] = ofKind(harness, 'fill')
  expect(row?.t).toBe(row?.seenAt)
})

test('what traded before the books were opened is not on the tape: it is in the opening', () => {
  const harness = market({ venue: { fills: [makeFill('before', { createdAt: 900_000 })] } })
  expect(ofKind(harness, 'fill')).toEqual([])
})

test('our quote stands from the confirmation on, not from the request', () => {
  const harness = market()
  const confirmed = harness.journal.filter((event) => event.type === 'quoteSet')
  expect(confirmed.length).toBeGreaterThan(0)
  const on = ofKind(harness, 'quote').filter(({ quoteBid }) => quoteBid)
  expect(on.at(-1)).toMatchObject({
    bidBps: 60,
    askBps: 60,
    quoteBid: true,
    quoteAsk: true,
    quotePairs: null,
  })
})

test('while the position is out of the market nothing of ours is quoted', () => {
  const harness = coreHarness()
  harness.run(MINUTE_MS)
  const activated = harness.journal.find((event) => event.type === 'activation')?.t ?? 0
  const before = ofKind(harness, 'quote').filter(({ t }) => t < activated)
  expect(before.length).toBeGreaterThan(0)
  for (const row of before) expect(row).toMatchObject({ quoteBid: false, quoteAsk: false })
  expect(ofKind(harness, 'quote').find(({ t }) => t === activated)).toMatchObject({
    bidBps: 60,
    quoteBid: true,
    quoteAsk: true,
  })
  harness.order({ name: 'deactivate' })
  harness.run(MINUTE_MS)
  expect(ofKind(harness, 'quote').at(-1)).toMatchObject({ quoteBid: false, quoteAsk: false })
})

test('after a restart no quote is claimed before it was read back or confirmed', () => {
  const harness = market()
  const before = ofKind(harness, 'quote').length
  harness.restart()
  harness.run(MINUTE_MS)
  const [first] = ofKind(harness, 'quote').slice(before)
  const confirmed = harness.journal.filter((event) => event.type === 'quoteSet').at(-1)
  expect(first?.t).toBe(confirmed?.t)
})

test('a dry run records what it would do, and as its quote only what it reads back at the venue', () => {
  const held = { bidBps: 45, askBps: 55, quoteBid: true, quoteAsk: true, quotePairs: null }
  const harness = market({ config: { mode: 'dry-run' }, venue: { isActive: true, held } })
  harness.venue.answers.setQuote = (effect) => {
    if (effect.type !== 'setQuote') return 'silence'
    return { type: 'quoteSet', spread: effect.spread }
  }
  harness.run(MINUTE_MS)
  expect(harness.journal.some((event) => event.type === 'quoteSet')).toBe(true)
  expect(ofKind(harness, 'decision').at(-1)).toMatchObject({ bidBps: 60, askBps: 60 })
  expect(ofKind(harness, 'quote').at(-1)).toMatchObject({ bidBps: 45, askBps: 55, quoteBid: true })
  // Someone sets it by hand.
  harness.venue.held = { ...held, bidBps: 80 }
  harness.run(6 * MINUTE_MS)
  expect(ofKind(harness, 'quote').at(-1)).toMatchObject({ bidBps: 80, askBps: 55 })
})

test('a decision is a row where a PATCH was worth it or the trading state changed, with its trace', () => {
  const harness = market()
  const decisions = ofKind(harness, 'decision')
  const patches = harness.effects.filter(({ type }) => type === 'setQuote')
  expect(decisions.at(-1)).toMatchObject({ state: 'ACTIVE', bidBps: 60, askBps: 60, because: ['test'] })
  expect(decisions.length).toBeLessThanOrEqual(patches.length + 2)
  harness.run(10 * MINUTE_MS)
  expect(ofKind(harness, 'decision')).toEqual(decisions)

  harness.order({ name: 'halt' })
  expect(ofKind(harness, 'decision').at(-1)).toMatchObject({
    t: harness.now,
    state: 'HALTED',
    bidBps: null,
    askBps: null,
  })
})

test('a reference from elsewhere is a row', () => {
  const harness = market()
  const reference: Event = { type: 'reference', t: harness.now, source: 'bank-board', mid: 2_600n * RATE }
  expect(rowsOf([...harness.journal, reference]).at(-1)).toEqual(reference)
})

test('nothing is on a tape before the first event of a core', () => {
  const audit = { seq: 1, effects: [], observations: [], wakeAt: 0, reconcileAt: Infinity }
  const started: Event = { type: 'started', t: 1, version: 'test', config: coreConfig() }
  expect(tapeRowsOf(started, audit, null)).toEqual([])
})
