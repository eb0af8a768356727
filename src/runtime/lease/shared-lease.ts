import type { Ms } from '../../base/time.ts'
import type { GuardWrite } from '../../guard/protocol/renewal.ts'
import type { Side } from '../../money/side.ts'
import type { Moment } from '../../lease/holder.ts'

/** What a position's own thread tells of it with each count. */
export type LeaseFacts = {
  readonly quote: { readonly bidBps: number; readonly askBps: number } | null
  readonly isActive: boolean | null
  readonly worse: Side | null
  readonly isReconciled: boolean
  /** The position has left as configured, and the venue confirmed it. */
  readonly hasLeft: boolean
}

/** What the renewing thread has to say to one position; a renewal that only extends the lease says nothing. */
export type LeaseNews = {
  readonly kind: 'absent' | 'drained' | 'refused' | 'granted'
  /** For people. */
  readonly words: string
  readonly fence: number | null
  readonly writes: readonly GuardWrite[]
  readonly requestsAgoMs: readonly Ms[]
}

const [COUNT, FACTS, FENCE, STEADY, WALL] = [0, 1, 2, 3, 4]
const WORDS = 5

/**
 * One position's lease between the thread that renews and the thread that writes. The position's loop counts up and leaves
 * what the renewal carries; the renewing thread leaves the number of the lease and the moment before the renewal was sent.
 */
export function createLeaseBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(WORDS * 8)
}

/** Now, on clocks that all threads of this process share. */
export function momentNow(): Moment {
  return { steadyMs: Number(process.hrtime.bigint()) / 1e6, wallMs: Date.now() }
}

/** The side of the position's thread. */
export function positionSide(buffer: SharedArrayBuffer) {
  const shared = new BigInt64Array(buffer)
  return {
    count(facts: LeaseFacts): void {
      Atomics.store(shared, FACTS, encode(facts))
      Atomics.add(shared, COUNT, 1n)
    },
    /** What the lease was last renewed by; the number is 0 before the first one. */
    renewed: (): { readonly fence: number; readonly sentAt: Moment } => ({
      fence: Number(Atomics.load(shared, FENCE)),
      sentAt: {
        steadyMs: Number(Atomics.load(shared, STEADY)) / 1e6,
        wallMs: Number(Atomics.load(shared, WALL)),
      },
    }),
  }
}

/** The side of the thread that renews. */
export function renewingSide(buffer: SharedArrayBuffer) {
  const shared = new BigInt64Array(buffer)
  return {
    read: (): LeaseFacts & { readonly count: number } => ({
      count: Number(Atomics.load(shared, COUNT)),
      ...decode(Atomics.load(shared, FACTS)),
    }),
    fence: (): number => Number(Atomics.load(shared, FENCE)),
    /** The number last: with it the moments count. A reader between two of them sees an older moment, which is the safe way. */
    renewed(fence: number, { steadyMs, wallMs }: Moment): void {
      Atomics.store(shared, STEADY, BigInt(Math.floor(steadyMs * 1e6)))
      Atomics.store(shared, WALL, BigInt(wallMs))
      Atomics.store(shared, FENCE, BigInt(fence))
    },
  }
}

const NO_QUOTE = 0xffff
const SIDES = [null, 'bid', 'ask'] as const

function encode({ quote, isActive, worse, isReconciled, hasLeft }: LeaseFacts): bigint {
  const flags =
    (isActive === null ? 2 : Number(isActive)) |
    (SIDES.indexOf(worse) << 2) |
    (Number(isReconciled) << 4) |
    (Number(hasLeft) << 5)
  return (
    (BigInt(quote?.bidBps ?? NO_QUOTE) << 32n) | (BigInt(quote?.askBps ?? NO_QUOTE) << 16n) | BigInt(flags)
  )
}

function decode(packed: bigint): LeaseFacts {
  const [bidBps, askBps, flags] = [
    Number((packed >> 32n) & 0xffffn),
    Number((packed >> 16n) & 0xffffn),
    Number(packed & 0xffffn),
  ]
  const active = flags & 3
  return {
    quote: packed === 0n || bidBps === NO_QUOTE ? null : { bidBps, askBps },
    isActive: packed === 0n || active === 2 ? null : active === 1,
    worse: SIDES[(flags >> 2) & 3] ?? null,
    isReconciled: (flags & 16) !== 0,
    hasLeft: (flags & 32) !== 0,
  }
}
