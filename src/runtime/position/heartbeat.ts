import type { Ms } from '../../base/time.ts'

/** Shows the supervisor, which lives in another thread, that a core is inside an event. */
export type Heartbeat = { readonly enter: (seq: number) => void; readonly leave: () => void }

/** Which position of a worker is inside which event (low 31 bits of its number). */
export type InsideEvent = { readonly slot: number; readonly seq: number }

export type HeartbeatWatch = {
  /** Shared with the worker, see `createHeartbeat`. */
  readonly buffer: SharedArrayBuffer
  /** Where the worker is; null = in no core. Also after the worker's death: then where it was. */
  readonly inside: () => InsideEvent | null
  readonly close: () => void
}

const CHECK_EVERY_MS: Ms = 100
const [SEQ, SLOT] = [0, 1]

/** The side of one position: the numbers of its event and of its slot in the worker; event 0 = in none. */
export function createHeartbeat(buffer: SharedArrayBuffer, slot: number): Heartbeat {
  const beat = new Int32Array(buffer)
  return {
    enter(seq) {
      Atomics.store(beat, SLOT, slot)
      Atomics.store(beat, SEQ, seq & 0x7fffffff)
    },
    leave: () => void Atomics.store(beat, SEQ, 0),
  }
}

/** Checks the heartbeat from another thread; calls `onHang` once, when a core has been in one event for too long. */
export function watchHeartbeat(timeoutMs: Ms, onHang: (where: InsideEvent) => void): HeartbeatWatch {
  const buffer = new SharedArrayBuffer(8)
  const beat = new Int32Array(buffer)
  let seen = { seq: 0, slot: 0, since: 0 }
  const inside = (): InsideEvent | null => {
    const seq = Atomics.load(beat, SEQ)
    return seq === 0 ? null : { seq, slot: Atomics.load(beat, SLOT) }
  }
  const timer = setInterval(() => {
    const { seq, slot } = inside() ?? { seq: 0, slot: 0 }
    // Not the time of day: that may be set forward while the core is inside.
    const now = performance.now()
    if (seq !== seen.seq || slot !== seen.slot) seen = { seq, slot, since: now }
    if (seq === 0 || now - seen.since < timeoutMs) return
    clearInterval(timer)
    onHang({ seq, slot })
  }, CHECK_EVERY_MS)
  return { buffer, inside, close: () => clearInterval(timer) }
}
