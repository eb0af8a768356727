import { decodeJson, encodeJson } from '../../../base/codec.ts'
import { errorText } from '../../../base/result.ts'
import type { TreasuryJournal, TreasuryRecord } from '../../../store/treasury/journal.ts'
import type { Treasury, TreasuryAudit } from '../../../treasury/core/treasury.ts'
import type { TreasuryEffect } from '../../../treasury/model/effect.ts'
import type { TreasuryEvent } from '../../../treasury/model/event.ts'
import type { TreasuryObservation } from '../../../treasury/model/observation.ts'
import type { Clock } from '../position/clock.ts'
import { createJournalLoop } from '../journal-loop.ts'

/** The effects that are performed outside the loop; the loop handles `wake` itself. */
export type PerformedEffect = Exclude<TreasuryEffect, { readonly type: 'wake' }>

type TreasuryLoopParts = {
  readonly journal: TreasuryJournal
  readonly treasury: Treasury
  readonly clock: Pick<Clock, 'now'>
  /** Performs one effect and resolves with its outcomes as events, in order; never rejects. */
  readonly perform: (effect: PerformedEffect) => Promise<readonly TreasuryEvent[]>
  readonly observe: (observation: TreasuryObservation) => void
  /** Receives the error of the core or a listener. The treasury has stopped, and the position continues. */
  readonly onCrash: (error: unknown) => void
}

export type TreasuryLoop = {
  /** Processes an event. Returns null if the treasury has stopped, or if the event stopped it. */
  readonly submit: (event: TreasuryEvent) => TreasuryAudit | null
  /** Processes an event and resolves with true once it is on disk, or false if it cannot be. `onAudit` receives the result at once. */
  readonly submitDurably: (event: TreasuryEvent, onAudit?: (audit: TreasuryAudit) => void) => Promise<boolean>
  /** Ends all events and effects. */
  readonly stop: () => void
}

/** The loop of the treasury's core. An error of the core or a listener stops the treasury. */
export function createTreasuryLoop(parts: TreasuryLoopParts): TreasuryLoop {
  const { journal, treasury, clock, observe, onCrash } = parts
  let stopped = false
  const loop = createJournalLoop<TreasuryEvent, TreasuryAudit, PerformedEffect, readonly TreasuryEvent[]>({
    append(event) {
      const seq = journal.lastSeq() + 1
      journal.append({ seq, t: event.t, type: event.type, body: encodeJson(event) })
      return seq
    },
    onDurable: journal.onDurable,
    process(seq, event) {
      const audit = treasury.process(event)
      journal.note(seq, audit.observations.map(noticeOf))
      return audit
    },
    effectsOf: ({ effects }) => effects.filter((effect) => effect.type !== 'wake'),
    perform: parts.perform,
    onOutcome: (events) => events.forEach(submit),
    onError: crash,
    onWake: () => void submit({ type: 'tick', t: clock.now() }),
    now: clock.now,
  })

  function submit(event: TreasuryEvent): TreasuryAudit | null {
    if (stopped) return null
    try {
      const audit = loop.submit(event)
      for (const effect of audit.effects) if (effect.type === 'wake') loop.wakeAt(effect.at)
      audit.observations.forEach(observe)
      return audit
    } catch (error) {
      crash(error)
      return null
    }
  }

  function crash(error: unknown): void {
    if (stopped) return
    stop()
    onCrash(error)
  }

  function stop(): void {
    stopped = true
    loop.stop()
  }

  return {
    submit,
    submitDurably(event, onAudit) {
      const audit = submit(event)
      if (audit === null) return Promise.resolve(false)
      onAudit?.(audit)
      return loop.whenDurable(journal.lastSeq())
    },
    stop,
  }
}

/** Returns the events of a journal, in order. Throws an error that names a row which is not an event. */
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
