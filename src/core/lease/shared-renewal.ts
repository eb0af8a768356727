import type { Moment } from './holder.ts'

const [COUNT, FENCE, STEADY, WALL, STEPS] = [0, 1, 2, 3, 4]
const WORDS = 5

/** Alignment in bytes of the part of the buffer that a lease transport uses. */
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

/** The loop's side. */
export function countingSide(buffer: SharedArrayBuffer) {
  const shared = new BigInt64Array(buffer, 0, WORDS)
  return {
    count: (): void => void Atomics.add(shared, COUNT, 1n),
    /** Reports progress of the start as a sign of life, until the loop itself counts. */
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

/** The renewing thread's side. */
export function renewalSide(buffer: SharedArrayBuffer) {
  const shared = new BigInt64Array(buffer, 0, WORDS)
  return {
    count: (): number => Number(Atomics.load(shared, COUNT)),
    steps: (): number => Number(Atomics.load(shared, STEPS)),
    fence: (): number => Number(Atomics.load(shared, FENCE)),
    /** Writes the fence last, which publishes the times. A reader in between sees an older time, which is safe. */
    renewed: (fence: number, { steadyMs, wallMs }: Moment): void => {
      Atomics.store(shared, STEADY, BigInt(Math.floor(steadyMs * 1e6)))
      Atomics.store(shared, WALL, BigInt(wallMs))
      Atomics.store(shared, FENCE, BigInt(fence))
    },
  }
}
