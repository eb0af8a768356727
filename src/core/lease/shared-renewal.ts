import type { Moment } from './holder.ts'

const [COUNT, FENCE, STEADY, WALL, STEPS] = [0, 1, 2, 3, 4]
const WORDS = 5

/** Where in a buffer what belongs to one transport of a lease may begin. */
export const RENEWAL_BYTES = WORDS * 8

/** The fence of the last renewal and the moment before it was sent; fence 0 = never renewed. */
type Renewed = { readonly fence: number; readonly sentAt: Moment }

/**
 * A lease shared in memory by two threads. The position's loop increments a counter while it is alive; the renewing thread
 * stores the fence and the moment before the renewal was sent. `moreBytes` are reserved for the transport.
 */
export function createSharedRenewal(moreBytes = 0): SharedArrayBuffer {
  return new SharedArrayBuffer(RENEWAL_BYTES + moreBytes)
}

/** The side of the loop. */
export function countingSide(buffer: SharedArrayBuffer) {
  const shared = new BigInt64Array(buffer, 0, WORDS)
  return {
    count: (): void => void Atomics.add(shared, COUNT, 1n),
    /** The start of the loop has come one step further: until it counts, that is its life. */
    step: (): void => void Atomics.add(shared, STEPS, 1n),
    renewed: (): Renewed => ({
      fence: Number(Atomics.load(shared, FENCE)),
      sentAt: {
        steadyMs: Number(Atomics.load(shared, STEADY)) / 1e6,
        wallMs: Number(Atomics.load(shared, WALL)),
      },
    }),
  }
}

/** The side of the thread that renews. */
export function renewalSide(buffer: SharedArrayBuffer) {
  const shared = new BigInt64Array(buffer, 0, WORDS)
  return {
    count: (): number => Number(Atomics.load(shared, COUNT)),
    steps: (): number => Number(Atomics.load(shared, STEPS)),
    fence: (): number => Number(Atomics.load(shared, FENCE)),
    /** The number last: with it the moments count. A reader between two of them sees an older moment, which is the safe way. */
    renewed: (fence: number, { steadyMs, wallMs }: Moment): void => {
      Atomics.store(shared, STEADY, BigInt(Math.floor(steadyMs * 1e6)))
      Atomics.store(shared, WALL, BigInt(wallMs))
      Atomics.store(shared, FENCE, BigInt(fence))
    },
  }
}
