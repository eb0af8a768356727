import { describe, expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../src/base/codec.ts'
import { createEngine } from '../../src/core/engine/engine.ts'
import type { Effect } from '../../src/core/engine/model/effect.ts'
import type { EngineState } from '../../src/core/engine/model/state.ts'
import { position } from '../../src/core/ledger/book/book.ts'
import { identityResidual } from '../../src/core/ledger/book/pnl.ts'
import { coreHarness } from '../support/core-harness.ts'
import { worldStrategy } from '../support/world-strategies.ts'
import { copyStore, readStore, type Release } from './open-recording.ts'
import { positionFacts } from './position-facts.ts'
import { replayFacts } from './replay-facts.ts'

const MINUTE = 60_000
const RELEASES: readonly Release[] = ['0.1.0', '0.2.0-before', '0.3.0-before']

type Outstanding = {
  readonly ledger: unknown
  readonly openOrders: readonly Readonly<Record<string, unknown>>[]
}

const amountsOf = ({
  id,
  makerAmount,
  takerAmount,
  makerFilled,
  takerFilled,
  hash,
}: Outstanding['openOrders'][number]) => [id, makerAmount, takerAmount, makerFilled, takerFilled, hash]

/** Effects that only a chain answers, or that no one answers while the network is down. */
const SILENT = [
  'readAccount',
  'readRate',
  'readBalances',
  'readFills',
  'readQuote',
  'readBestQuote',
  'setQuote',
  'activate',
  'withdraw',
  'readSolver',
  'readChain',
  'reserveOrder',
  'placeOrder',
  'withholdOrder',
  'cancelOrders',
] as const satisfies readonly Effect['type'][]

/** The position of a recorded store, taken over by a new process. */
function takenOver(release: Release, name: 'pooled' | 'custody') {
  const { state, seq } = readStore(copyStore(release, name), (reader) => {
    const snapshot = reader.latestSnapshot()
    return replayFacts({
      snapshot,
      tail: reader.journal((snapshot?.seq ?? 0) + 1),
      suspensions: reader.suspensions(),
    })
  })
  const before = decodeJson(encodeJson(state)) as EngineState
  const engine = createEngine({ strategyFor: worldStrategy, calendar: () => false, from: { state, seq } })
  const mid = before.market.mid
  if (mid === null) throw new Error('the recording ends with a mid')
  const harness = coreHarness({
    recovered: { engine, seq },
    start: before.now + 1_000,
    venue: {
      mid,
      rateUpdatedAt: before.now,
      isActive: before.activation.isActive ?? false,
      amounts: position(before.book),
      answers:
        name === 'pooled' ? {} : Object.fromEntries(SILENT.map((type) => [type, () => 'silence' as const])),
    },
  })
  return { harness, before }
}

describe.each(RELEASES)('a position of %s that a new process takes over', (release) => {
  test('with pooled capital is reconciled again, quotes, and books the next fill once without moving what it held before', () => {
    const { harness, before } = takenOver(release, 'pooled')
    harness.run(5 * MINUTE)
    expect(positionFacts(harness.state())).toMatchObject({
      ledger: (positionFacts(before) as { ledger: unknown }).ledger,
      reconciliation: { state: 'reconciled', unreconciled: {} },
      trading: { state: 'ACTIVE' },
      quote: { status: 'confirmed' },
    })
    const held = position(harness.state().book)
    const [paid, got] = [2_500_000n * 10n ** 18n, 990n * 10n ** 6n]
    harness.venue.fills.push({
      id: 'after-the-upgrade',
      side: 'bid',
      inAsset: 'NTZS',
      amountIn: paid,
      outAsset: 'USDC',
      amountOut: got,
      fee: 0n,
      earnedText: null,
      txHash: null,
      createdAt: harness.now,
      raw: '{}',
    })
    harness.venue.amounts = { ...held, NTZS: held.NTZS + paid, USDC: held.USDC - got }
    harness.run(5 * MINUTE)
    expect(position(harness.state().book)).toEqual(harness.venue.amounts)
    expect(harness.observations.filter(({ type }) => type === 'fillPosted')).toHaveLength(1)
    expect(identityResidual(harness.state().book)).toEqual({ tzs: 0n, usd: 0n })
  })

  test('in self-custody keeps every open order outstanding and its books unmoved while neither venue nor chain answers', () => {
    const { harness, before } = takenOver(release, 'custody')
    harness.run(3 * MINUTE)
    const then = positionFacts(before) as Outstanding
    const now = positionFacts(harness.state()) as Outstanding
    expect(then.openOrders.length).toBeGreaterThan(0)
    expect(now.openOrders.map(amountsOf)).toEqual(then.openOrders.map(amountsOf))
    expect(now.ledger).toEqual(then.ledger)
    expect(harness.effects.filter(({ type }) => type === 'placeOrder')).toEqual([])
    expect(harness.effects.length).toBeGreaterThan(0)
  })
})
