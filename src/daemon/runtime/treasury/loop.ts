import { decodeJson, encodeJson } from '../../../base/codec.ts'
import { errorText } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { TreasuryJournal, TreasuryRecord } from '../../../store/treasury/journal.ts'
import type { Treasury, TreasuryAudit } from '../../../treasury/core/treasury.ts'
import type { TreasuryEffect } from '../../../treasury/model/effect.ts'
import type { TreasuryEvent } from '../../../treasury/model/event.ts'
import type { TreasuryObservation } from '../../../treasury/model/observation.ts'
import type { Clock } from '../position/clock.ts'
import { runAfter } from '../../../base/threads/timing.ts'

/** What the shell is asked to do; the loop itself keeps the time. */
export type PerformedEffect = Exclude<TreasuryEffect, { readonly type: 'wake' }>

type TreasuryLoopParts = {
  readonly journal: TreasuryJournal
  readonly treasury: Treasury
  readonly clock: Pick<Clock, 'now'>
  /** Performs one effect and resolves with what came of it, in order; never rejects. */
  readonly perform: (effect: PerformedEffect) => Promise<readonly TreasuryEvent[]>
  readonly observe: (observation: TreasuryObservation) => void
  /** What the core or a listener threw: the treasury has stopped, and the position continues. */
  readonly onCrash: (error: unknown) => void
}

export type TreasuryLoop = {
  /** Takes an event; null once the treasury has stopped, or where the event stopped it. */
  readonly submit: (event: TreasuryEvent) => TreasuryAudit | null
  /** Takes an event and resolves once it is on disk; false where it will not be. `onAudit` receives at once what it brought about. */
  readonly submitDurably: (event: TreasuryEvent, onAudit?: (audit: TreasuryAudit) => void) => Promise<boolean>
  /** No further events, no further effects. */
  readonly stop: () => void
}

/**
 * The treasury's loop, as the position's: an event is numbered, posted to the journal and processed at once; its effects
 * wait until it is on disk, and what comes of them are the next events.
 */
export function createTreasuryLoop(parts: TreasuryLoopParts): TreasuryLoop {
  const { journal, treasury, clock, observe, onCrash } = parts
  const waiting: { readonly seq: number; readonly resolve: (isDurable: boolean) => void }[] = []
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const gate = createGate(parts.perform, (events) => events.forEach(submit), crash)

  function submit(event: TreasuryEvent): TreasuryAudit | null {
    if (stopped) return null
    try {
      const seq = journal.lastSeq() + 1
      journal.append({ seq, t: event.t, type: event.type, body: encodeJson(event) })
      const audit = treasury.process(event)
      journal.note(seq, audit.observations.map(noticeOf))
      gate.hold(seq, audit.effects)
      audit.effects.forEach((effect) => effect.type === 'wake' && wakeAt(effect.at))
      audit.observations.forEach(observe)
      return audit
    } catch (error) {
      crash(error)
      return null
    }
  }

  function wakeAt(at: Ms): void {
    clearTimeout(timer)
    timer = runAfter(() => submit({ type: 'tick', t: clock.now() }), Math.max(1, at - clock.now()))
  }

  function crash(error: unknown): void {
    if (stopped) return
    stop()
    onCrash(error)
  }

  function stop(): void {
    stopped = true
    gate.close()
    clearTimeout(timer)
    for (const one of waiting.splice(0)) one.resolve(false)
  }

  journal.onDurable((durableSeq) => {
    while (waiting[0] !== undefined && waiting[0].seq <= durableSeq) waiting.shift()?.resolve(true)
    gate.release(durableSeq)
  })
  return {
    submit,
    submitDurably(event, onAudit) {
      const audit = submit(event)
      if (audit === null) return Promise.resolve(false)
      onAudit?.(audit)
      const seq = journal.lastSeq()
      if (journal.durableSeq() >= seq) return Promise.resolve(true)
      return new Promise((resolve) => waiting.push({ seq, resolve }))
    },
    stop,
  }
}

type Gate = {
  readonly hold: (seq: number, effects: readonly TreasuryEffect[]) => void
  readonly release: (durableSeq: number) => void
  readonly close: () => void
}

/** Journal before effect: nothing is sent that a restart would not know of. */
function createGate(
  perform: TreasuryLoopParts['perform'],
  onEvents: (events: readonly TreasuryEvent[]) => void,
  onError: (error: unknown) => void,
): Gate {
  const held: { readonly seq: number; readonly effects: readonly PerformedEffect[] }[] = []
  return {
    hold(seq, all) {
      const effects = all.filter((effect): effect is PerformedEffect => effect.type !== 'wake')
      if (effects.length > 0) held.push({ seq, effects })
    },
    release(durableSeq) {
      while (held[0] !== undefined && held[0].seq <= durableSeq) {
        for (const effect of held.shift()?.effects ?? []) void perform(effect).then(onEvents, onError)
      }
    },
    close: () => void held.splice(0),
  }
}

/** The events of a journal, in order. Throws a sentence for a row that is no event. */
export function readEvents(records: Iterable<TreasuryRecord>): readonly TreasuryEvent[] {
  return [...records].map(({ seq, body }) => {
    try {
      return decodeJson(body) as TreasuryEvent
    } catch (error) {
      throw new Error(`treasury event ${seq} does not parse: ${errorText(error)}`, { cause: error })
    }
  })
}

function noticeOf(observation: TreasuryObservation) {
  const { t, type } = observation
  return { t, type, body: encodeJson(observation) }
}
