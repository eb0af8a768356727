import type { PositionAnswer, PositionRenewal } from '../../guard/protocol/renewal.ts'
import {
  countingSide,
  createSharedRenewal,
  RENEWAL_BYTES,
  renewalSide,
} from '../../../core/lease/shared-renewal.ts'

/** What a position's own thread tells of it with each count. */
export type LeaseFacts = Pick<PositionRenewal, 'quote' | 'isActive' | 'worse' | 'isReconciled'> & {
  /** The position has left as configured, and the venue confirmed it. */
  readonly hasLeft: boolean
  /** It has left to a daemon that has taken the position over. */
  readonly isHandedOver: boolean
}

/** What the renewing thread has to say to one position; a renewal that only extends the lease says nothing. */
export type LeaseNews = Pick<PositionAnswer, 'fence' | 'writes' | 'requestsAgoMs'> & {
  /** `held`: refused because another process holds the lease; `refused`: for every other reason. */
  readonly kind: 'absent' | 'drained' | 'held' | 'refused' | 'granted'
  /** For people. */
  readonly words: string
}

/** One position's lease: what every lease has, and what the renewal carries of the position. */
export function createLeaseBuffer(): SharedArrayBuffer {
  return createSharedRenewal(FACTS_BYTES)
}

const FACTS_BYTES = 8

/** The side of the position's thread. */
export function positionSide(buffer: SharedArrayBuffer) {
  const { count, renewed } = countingSide(buffer)
  const facts = factsIn(buffer)
  return {
    count(now: LeaseFacts): void {
      Atomics.store(facts, 0, encode(now))
      count()
    },
    renewed,
  }
}

/** The side of the thread that renews. */
export function renewingSide(buffer: SharedArrayBuffer) {
  const { count, fence, renewed } = renewalSide(buffer)
  const facts = factsIn(buffer)
  return {
    read: (): LeaseFacts & { readonly count: number } => ({
      count: count(),
      ...decode(Atomics.load(facts, 0)),
    }),
    fence,
    renewed,
  }
}

function factsIn(buffer: SharedArrayBuffer): BigInt64Array {
  return new BigInt64Array(buffer, RENEWAL_BYTES, 1)
}

const NO_QUOTE = 0xffff
const SIDES = [null, 'bid', 'ask'] as const

function encode({ quote, isActive, worse, isReconciled, hasLeft, isHandedOver }: LeaseFacts): bigint {
  const flags =
    (isActive === null ? 2 : Number(isActive)) |
    (SIDES.indexOf(worse) << 2) |
    (Number(isReconciled) << 4) |
    (Number(hasLeft) << 5) |
    (Number(isHandedOver) << 6)
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
    isHandedOver: (flags & 64) !== 0,
  }
}
