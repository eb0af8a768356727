import { seededRandom } from '../../src/base/random.ts'
import type { Ms } from '../../src/base/time.ts'

export const TAPE_START: Ms = Date.UTC(2025, 0, 1)
/** Mids of one batch, and how long a mid stands on a still tape: a day of the daemon's looks at the rate. */
export const MIDS_A_DAY = 14_400

/** `walk`: every mid differs from the one before. `still`: a new mid once a day, as this venue publishes it. */
export type TapeKind = 'still' | 'walk'

export type TapeChoice = {
  readonly kind: TapeKind
  readonly mids: number
  /** One taker comes in each stretch of so many mids; null = none come. At least 40. */
  readonly takerEvery: number | null
  readonly stepMs: Ms
}

/** A tape in whole numbers, before anything of mizani has touched it. */
export type DrawnTape = {
  readonly kind: TapeKind
  readonly stepMs: Ms
  /** TZS per USD, whole shillings. Mid `i` is shown at TAPE_START + i * stepMs. */
  readonly mids: Int32Array
  readonly takers: Takers
}

/** Takers by rising mid, each half a step after it was shown. */
export type Takers = {
  readonly length: number
  /** Index into `mids`. */
  readonly mid: Int32Array
  /** 1 = brings dollars and meets our ask side, -1 = brings shillings and meets our bid side. */
  readonly side: Int8Array
  /** The widest half-spread that this taker accepts. */
  readonly bps: Int16Array
}

const SEED = 7
/** A walk is turned back at both ends, so that prices stay comparable over ten million steps. */
const WALK = { from: 2_500, lowest: 2_300, highest: 2_700 }
/** A day's step of a still tape, in shillings: no order of a peer at the old mid is run over by the new one. */
const STILL = { from: 2_600, step: 5, lowest: 2_000, highest: 3_200 }
/** Distance of a taker from both ends of its stretch: every engine has settled between two takers. */
const APART = 10

/** Equal choices give equal tapes. */
export function drawTape({ kind, mids: count, takerEvery, stepMs }: TapeChoice): DrawnTape {
  const mids = kind === 'walk' ? walk(count) : still(count)
  return { kind, stepMs, mids, takers: drawTakers(count, takerEvery) }
}

function walk(count: number): Int32Array {
  const random = seededRandom(SEED, 'walk')
  const mids = new Int32Array(count)
  let mid = WALK.from
  for (let i = 0; i < count; i++) {
    const up = mid === WALK.lowest || (mid !== WALK.highest && random() < 0.5)
    mid += up ? 1 : -1
    mids[i] = mid
  }
  return mids
}

function still(count: number): Int32Array {
  const random = seededRandom(SEED, 'still')
  const mids = new Int32Array(count)
  let mid = STILL.from
  for (let first = 0; first < count; first += MIDS_A_DAY) {
    const step = Math.floor(random() * (2 * STILL.step + 1)) - STILL.step
    mid = Math.min(STILL.highest, Math.max(STILL.lowest, mid + step))
    mids.fill(mid, first, first + MIDS_A_DAY)
  }
  return mids
}

/** Between 51 and 99 bps by odd steps, so that no taker is at exactly an even quote and rounding decides nothing. */
function drawTakers(mids: number, every: number | null): Takers {
  if (every !== null && every < 4 * APART) {
    throw new Error(`one taker in ${every} mids: at least ${4 * APART} lie between two takers`)
  }
  const length = every === null ? 0 : Math.floor(mids / every)
  const random = seededRandom(SEED, 'takers')
  const takers = {
    length,
    mid: new Int32Array(length),
    side: new Int8Array(length),
    bps: new Int16Array(length),
  }
  if (every === null) return takers
  for (let i = 0; i < length; i++) {
    takers.mid[i] = i * every + APART + Math.floor(random() * (every - 2 * APART))
    takers.side[i] = random() < 0.5 ? 1 : -1
    takers.bps[i] = 51 + 2 * Math.floor(random() * 25)
  }
  return takers
}
