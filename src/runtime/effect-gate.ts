import type { Audit } from '../engine/engine.ts'
import type { Effect } from '../engine/model/effect.ts'
import type { Event } from '../engine/model/event.ts'

export type EffectGate = {
  /** Keeps an event's effects until the event is on disk. */
  readonly hold: (audit: Audit) => void
  /** Events up to this number are on disk: their effects are performed, in order. */
  readonly release: (durableSeq: number) => void
  /** Nothing goes out and no outcome comes back any more. */
  readonly close: () => void
}

/** Journal before effect: nothing is sent that a restart would not know of. */
export function createEffectGate(
  perform: (effect: Effect) => Promise<Event>,
  hear: (outcome: Event) => void,
): EffectGate {
  const held: Audit[] = []
  let closed = false
  const pass = (outcome: Event): void => {
    if (!closed) hear(outcome)
  }
  return {
    hold(audit) {
      if (audit.effects.length > 0) held.push(audit)
    },
    release(durableSeq) {
      if (closed) return
      while (held[0] !== undefined && held[0].seq <= durableSeq) {
        for (const effect of held.shift()?.effects ?? []) void perform(effect).then(pass)
      }
    },
    close() {
      closed = true
    },
  }
}
