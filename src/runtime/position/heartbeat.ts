import type { Ms } from '../../base/time.ts'

/** Shows the supervisor, which lives in another thread, that the core is inside an event. */
export type Heartbeat = { readonly enter: (seq: number) => void; readonly leave: () => void }

export type HeartbeatWatch = {
  /** Shared with the worker. Slot 0: the number (low 31 bits) of the event the core is in, 0 while it is in none. */
  readonly buffer: SharedArrayBuffer
  /** A new worker begins outside of the core. */
  readonly reset: () => void
  readonly close: () => void
}

const CHECK_EVERY_MS: Ms = 100

/** The worker's side of the shared buffer. */
export function createHeartbeat(buffer: SharedArrayBuffer): Heartbeat {
  const beat = new Int32Array(buffer)
  return {
    enter: (seq) => void Atomics.store(beat, 0, seq & 0x7fffffff),
    leave: () => void Atomics.store(beat, 0, 0),
  }
}

/** Checks the heartbeat from another thread; calls `onHang` when the core has been in one event for too long. */
export function watchHeartbeat(timeoutMs: Ms, onHang: (seq: number) => void): HeartbeatWatch {
  const buffer = new SharedArrayBuffer(4)
  const beat = new Int32Array(buffer)
  let seen = { seq: 0, since: 0 }
  const timer = setInterval(() => {
    const seq = Atomics.load(beat, 0)
    // Not the time of day: that may be set forward while the core is inside.
    const now = performance.now()
    if (seq !== seen.seq) seen = { seq, since: now }
    if (seq === 0 || now - seen.since < timeoutMs) return
    reset()
    onHang(seq)
  }, CHECK_EVERY_MS)
  function reset(): void {
    Atomics.store(beat, 0, 0)
    seen = { seq: 0, since: 0 }
  }
  return { buffer, reset, close: () => clearInterval(timer) }
}
