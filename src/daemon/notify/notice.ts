import type { Ms } from '../../base/time.ts'
import type { Severity } from '../../core/alerts/entry.ts'
import { POSITION_NOTICES, type PositionNotice } from '../../core/alerts/position-notices.ts'
import { entryOf } from '../catalogue/catalogue.ts'
import type { Observation } from '../../core/engine/model/observation.ts'

/** A consequence in words: title, text and code. */
export type Consequence = { readonly code: string; readonly text: string }

/**
 * An event that operators may need to see. `raised` begins an alert, `lifted` ends the one with the same code; `reminder` repeats that it
 * still holds; `acknowledged` = someone acknowledged it; `summary` and `test` report no event.
 */
export type Notice = {
  readonly t: Ms
  readonly kind: 'raised' | 'lifted' | 'reminder' | 'acknowledged' | 'summary' | 'test'
  readonly severity: Severity
  /** The subject: a risk rule, an alert code, or a step in the daemon's life. Never external text. */
  readonly code: string
  /** One or more lines. May contain external text, which is sanitized before it is sent. */
  readonly text: string
  /** When it began; null = at `t`. */
  readonly since: Ms | null
  /** For a halt: the rule that halted. */
  readonly rule?: string
  /** Consequences, if the notice reports them. */
  readonly also?: readonly Consequence[]
}

/** Returns the notice of a beginning at `t`, with the severity of the alert catalogue. */
export function raisedNotice(t: Ms, code: PositionNotice, text: string, since: Ms | null = null): Notice {
  return { t, kind: 'raised', severity: POSITION_NOTICES[code].severity, code, text, since }
}

/** Returns the notice that the alert of this code has ended: good news, however severe it was. */
export function liftedNotice(t: Ms, code: string, text: string): Notice {
  return { t, kind: 'lifted', severity: 'info', code, text, since: null }
}

/** Returns the notice of a beginning: a step in the daemon's life, a disk, a thread. */
export function positionNotice(code: PositionNotice, text: string): Notice {
  return raisedNotice(Date.now(), code, text)
}

/**
 * Maps each observation of one position to the notice, if any, that the catalogue defines. Merges what the core
 * reports twice in one transition (an alert and the rule behind it) into one notice.
 */
export function createNoticeMapper(): (observation: Observation) => Notice | null {
  const raisedAt = new Map<string, Ms>()

  return (observation) => {
    const entry = entryOf(observation)
    const call = entry?.call?.(observation) ?? null
    if (entry === null || call === null || !('t' in observation)) return null
    const { t } = observation
    const { code, kind, rule, text = entry.sentence(observation) } = call
    if (kind === 'lifted') return liftedNotice(t, code, text)
    // Every command gets its own notice; it is not merged into another one of the same transition.
    if (raisedAt.get(code) === t && observation.type !== 'operator') return null
    raisedAt.set(code, t)
    const severity = entry.severity(observation)
    return {
      t,
      kind,
      severity: severity === 'debug' ? 'info' : severity,
      code,
      text,
      since: null,
      ...(rule === undefined ? {} : { rule }),
    }
  }
}
