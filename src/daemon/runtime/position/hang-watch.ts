import type { Ms } from '../../../base/time.ts'
import { StrategyLost } from '../../../core/strategy/ask-strategy.ts'
import { runEvery } from '../../../base/threads/timing.ts'

/** Shows the supervisor in another thread that a core is inside an event. */
export type Heartbeat = { readonly enter: (seq: number) => void; readonly leave: () => void }

/** Runs the core inside an event, which identifies the event if a strategy hangs. */
export function processInside<Value>(
  heartbeat: Heartbeat | undefined,
  seq: number,
  work: () => Value,
): Value {
  heartbeat?.enter(seq)
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof StrategyLost) thrown.seq = seq
    throw thrown
  } finally {
    heartbeat?.leave()
  }
}

/** The position of a worker and the event it is in (low 31 bits of the event's number). */
export type InsideEvent = { readonly slot: number; readonly seq: number }

type HeartbeatWatch = {
  /** Shared with the worker, see `createHeartbeat`. */
  readonly buffer: SharedArrayBuffer
  /** Returns the event that the worker is in, or was in when it died; null = none. */
  readonly inside: () => InsideEvent | null
  readonly close: () => void
}

const CHECK_EVERY_MS: Ms = 50
const [SEQ, SLOT, WAITING] = [0, 1, 2]
/** Longer than every limit on a wait for a strategy's process. */
const LONGEST_WAIT_MS: Ms = 7_000

/** Returns one position's writer: it stores the event's number and the position's slot; event 0 = none. */
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

/** Records that the thread waits for a strategy's process, which does not count as a hang. */
export function recordWaiting(buffer: SharedArrayBuffer): (isWaiting: boolean) => void {
  const beat = new Int32Array(buffer)
  return (isWaiting) => void Atomics.store(beat, WAITING, Number(isWaiting))
}

type HeartbeatLimits = {
  /** A core that stays in one event this long is hung: `onHang` is called once and the watch ends. */
  readonly hangMs: Ms
  readonly onHang: (where: InsideEvent) => void
}

/** Checks the heartbeat from another thread. */
export function watchHeartbeat({ hangMs, onHang }: HeartbeatLimits): HeartbeatWatch {
  const buffer = new SharedArrayBuffer(12)
  const beat = new Int32Array(buffer)
  let seen = { seq: 0, slot: 0, since: 0 }
  let workedAt = performance.now()
  const inside = (): InsideEvent | null => {
    const seq = Atomics.load(beat, SEQ)
    return seq === 0 ? null : { seq, slot: Atomics.load(beat, SLOT) }
  }
  const timer = runEvery(() => {
    const { seq, slot } = inside() ?? { seq: 0, slot: 0 }
    // Not the time of day, which may be set forward while the core is in an event.
    const now = performance.now()
    if (seq !== seen.seq || slot !== seen.slot) seen = { seq, slot, since: now }
    if (Atomics.load(beat, WAITING) === 0) workedAt = now
    // Waits are not counted, unless one exceeds the limit.
    else if (now - workedAt < LONGEST_WAIT_MS) seen.since = now
    if (seq === 0 || now - seen.since < hangMs) return
    clearInterval(timer)
    onHang({ seq, slot })
  }, CHECK_EVERY_MS)
  return { buffer, inside, close: () => clearInterval(timer) }
}
