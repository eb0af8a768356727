import type { TapeBatch } from '../../src/store/tape/model/batch.ts'
import type { TapeFill } from '../../src/store/tape/model/row.ts'
import { MIDS_A_DAY, TAPE_START, type DrawnTape } from './draw-tape.ts'
import { LOT_USD, OPENING, SHILLING } from './recompute.ts'

const NTZS = 10n ** 18n
const USD = 10n ** 18n
/** The smallest step of a payout in dollars. */
const GRAIN = 10n ** 12n
const NOTHING_ELSE = {
  competition: {
    length: 0,
    t: new Float64Array(0),
    probe: new Int32Array(0),
    probes: [],
    bidBps: new Int16Array(0),
    askBps: new Int16Array(0),
    own: new Int8Array(0),
  },
  references: [],
  quotes: [],
  decisions: [],
} as const

/** Rows of the whole tape: mids, takers and the opening balances. */
export function rowsOf({ mids, takers }: DrawnTape): number {
  return mids.length + takers.length + 1
}

/**
 * The tape as mizani reads it, 14,400 mids a batch. A taker with dollars brings 100; one with shillings brings what 100
 * dollars cost at our own quote, `ownBps` of the recomputation, so that the sizes are equal in every engine.
 */
export function* batchesOf(tape: DrawnTape, ownBps: Int16Array): Generator<TapeBatch, undefined> {
  const { mids, takers, stepMs } = tape
  let next = 0
  let changedAt = TAPE_START
  for (let first = 0; first < mids.length; first += MIDS_A_DAY) {
    const rates = ratesOf(tape, first, changedAt)
    changedAt = rates.rateUpdatedAt.at(-1) ?? changedAt
    const fills: TapeFill[] = []
    for (; next < takers.length && takers.mid[next]! < first + rates.length; next++) {
      fills.push(fillOf(tape, next, ownBps[next]!, stepMs))
    }
    const balances = first === 0 ? [opening()] : []
    yield { rows: rates.length + fills.length + balances.length, rates, balances, fills, ...NOTHING_ELSE }
  }
}

function ratesOf({ mids, stepMs }: DrawnTape, first: number, changedBefore: number): TapeBatch['rates'] {
  const length = Math.min(MIDS_A_DAY, mids.length - first)
  const places = new Map<number, number>()
  const distinct: bigint[] = []
  const rates = {
    length,
    t: new Float64Array(length),
    mid: new Int32Array(length),
    mids: distinct,
    rateUpdatedAt: new Float64Array(length),
    quotable: new Int8Array(length).fill(1),
  }
  let changedAt = changedBefore
  for (let i = 0; i < length; i++) {
    const mid = mids[first + i]!
    const t = TAPE_START + (first + i) * stepMs
    if (mid !== mids[first + i - 1]) changedAt = t
    let place = places.get(mid)
    if (place === undefined) {
      place = distinct.push(BigInt(mid) * NTZS) - 1
      places.set(mid, place)
    }
    rates.t[i] = t
    rates.mid[i] = place
    rates.rateUpdatedAt[i] = changedAt
  }
  return rates
}

function opening(): TapeBatch['balances'][number] {
  const amounts = { NTZS: OPENING.shillings * NTZS, USDC: OPENING.usd * USD }
  return { type: 'balances', t: TAPE_START, amounts, source: 'pool' }
}

/** `amountOut` shows at which half-spread the taker was recorded: the widest that it accepts. */
function fillOf({ mids, takers }: DrawnTape, index: number, ownBps: number, stepMs: number): TapeFill {
  const at = takers.mid[index]!
  const mid = BigInt(mids[at]!)
  const bps = BigInt(takers.bps[index]!)
  const none = { protocolFee: null, feesEarned: null, txHash: null, seenAt: null }
  const known = { type: 'fill', t: TAPE_START + at * stepMs + stepMs / 2, id: `f${index}`, ...none } as const
  if (takers.side[index] === 1) {
    const amountOut = (LOT_USD * NTZS * mid * (SHILLING - bps)) / SHILLING
    return { ...known, from: 'USDC', to: 'NTZS', amountIn: LOT_USD * USD, amountOut }
  }
  const amountIn = (LOT_USD * NTZS * mid * (SHILLING + BigInt(ownBps))) / SHILLING
  const amountOut = ((amountIn * SHILLING) / (mid * (SHILLING + bps) * GRAIN)) * GRAIN
  return { ...known, from: 'NTZS', to: 'USDC', amountIn, amountOut }
}
