import { SYSTEM_TIMING, type Timing } from '../../base/threads/timing.ts'
import type { Ms } from '../../base/time.ts'

type JournalLoopParts<Event, Audit, Effect, Outcome> = {
  /** Posts an event to the journal under the next number, and returns the number. */
  readonly append: (event: Event) => number
  /** Calls the listener with the number of the last event on disk, in order. */
  readonly onDurable: (listener: (durableSeq: number) => void) => void
  readonly process: (seq: number, event: Event) => Audit
  readonly effectsOf: (audit: Audit) => readonly Effect[]
  /** Performs one effect and resolves with its outcome. */
  readonly perform: (effect: Effect) => Promise<Outcome>
  readonly onOutcome: (outcome: Outcome) => void
  /** Takes what an effect or the processing of its outcome throws. */
  readonly onError: (error: unknown) => void
  /** Called at the time that was given to `wakeAt`. */
  readonly onWake: () => void
  readonly now: () => Ms
  /** Replaced only in simulations. */
  readonly timing?: Timing | undefined
}

type JournalLoop<Event, Audit> = {
  /** Processes the next event. Throws the errors of the journal and the core. */
  readonly submit: (event: Event) => Audit
  /** Replaces the time at which the core is woken; infinite = never. */
  readonly wakeAt: (at: Ms) => void
  /** Resolves with true once the journal has this event on disk; false = the loop was stopped before. */
  readonly whenDurable: (seq: number) => Promise<boolean>
  /** Returns how long the oldest effects have waited for the disk; infinite once the loop was stopped. */
  readonly waitedMs: () => Ms
  /** Stops all events and effects. */
  readonly stop: () => void
}

/**
 * The loop of a position and of a treasury: an event is numbered, posted to the journal and processed at once. Journal before
 * effect: its effects wait until the journal has the event on disk, and their outcomes are the next events.
 */
export function createJournalLoop<Event, Audit, Effect, Outcome>(
  parts: JournalLoopParts<Event, Audit, Effect, Outcome>,
): JournalLoop<Event, Audit> {
  const { append, process, effectsOf, perform, onError, now, timing = SYSTEM_TIMING } = parts
  const held: { readonly seq: number; readonly effects: readonly Effect[]; readonly since: Ms }[] = []
  const waiting: { readonly seq: number; readonly settle: (isDurable: boolean) => void }[] = []
  let durable = 0
  let stopped = false
  let cancelWake = (): void => undefined
  const pass = (outcome: Outcome): void => {
    if (!stopped) parts.onOutcome(outcome)
  }

  parts.onDurable((durableSeq) => {
    durable = durableSeq
    while (held[0] !== undefined && held[0].seq <= durable) {
      for (const effect of held.shift()?.effects ?? []) void perform(effect).then(pass).catch(onError)
    }
    while (waiting[0] !== undefined && waiting[0].seq <= durable) waiting.shift()?.settle(true)
  })

  return {
    submit(event) {
      const seq = append(event)
      const audit = process(seq, event)
      const effects = effectsOf(audit)
      if (effects.length > 0 && !stopped) held.push({ seq, effects, since: timing.moment().steadyMs })
      return audit
    },
    wakeAt(at) {
      cancelWake()
      if (Number.isFinite(at) && !stopped) cancelWake = timing.after(Math.max(1, at - now()), parts.onWake)
    },
    whenDurable(seq) {
      if (seq <= durable || stopped) return Promise.resolve(seq <= durable)
      return new Promise((settle) => waiting.push({ seq, settle }))
    },
    waitedMs() {
      if (stopped) return Number.POSITIVE_INFINITY
      return held[0] === undefined ? 0 : timing.moment().steadyMs - held[0].since
    },
    stop() {
      stopped = true
      held.splice(0)
      cancelWake()
      for (const { settle } of waiting.splice(0)) settle(false)
    },
  }
}
