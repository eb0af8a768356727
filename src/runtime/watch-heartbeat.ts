export type HeartbeatWatch = {
  /** Shared with the worker: 0 outside the core, else the number of the event it is in. */
  readonly buffer: SharedArrayBuffer
  /** A new worker begins outside the core. */
  readonly reset: () => void
  readonly close: () => void
}

const LOOK_MS = 100

/** Looks at the heartbeat from another thread and tells when the core has been in one event for too long. */
export function watchHeartbeat(timeoutMs: number, onHang: (seq: number) => void): HeartbeatWatch {
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
  }, LOOK_MS)
  function reset(): void {
    Atomics.store(beat, 0, 0)
    seen = { seq: 0, since: 0 }
  }
  return { buffer, reset, close: () => clearInterval(timer) }
}
