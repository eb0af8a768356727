import { MINUTE_MS, type Ms } from '../../base/time.ts'
import { fieldsOf, isCount } from '../../base/record.ts'
import type { Severity } from './entry.ts'

type OpenAlertRow = {
  readonly code: string
  /** The latest message text sent for this alert. */
  text: string
  /** Since when the condition holds; null = since it was raised. */
  readonly since: Ms | null
  /** When it was raised, or raised again after an acknowledgement. */
  raisedAt: Ms
  /** When people were notified of it last. */
  notifiedAt: Ms
  /** Number of repeats. */
  repeats: number
  /** Number of escalation steps that were notified. */
  escalated: number
  /** The person who acknowledged it; null = not acknowledged. */
  ack: { readonly who: string; readonly why: string; readonly at: Ms } | null
}
export type OpenAlert = Readonly<OpenAlertRow>

/** The open alerts by code. Plain data, kept in a file, so that a restart continues with them. */
export type AlertBook = { alerts: OpenAlertRow[] }

/** The part of a notice that the book uses. */
export type ReceivedNotice = {
  readonly t: Ms
  readonly kind: string
  readonly severity: Severity
  readonly code: string
  readonly text: string
  readonly since: Ms | null
}

/** When an unacknowledged alert is sent again, and when it is escalated. */
type AlertRules = {
  /** Null = it is not repeated. */
  readonly repeatMs: Ms | null
  /** After how long each step of the escalation learns of it, ascending. */
  readonly escalateAfterMs: readonly Ms[]
}

/** An alert that is due. `step`: the step of the escalation that is notified for the first time. */
export type DueAlert =
  | { readonly kind: 'repeat'; readonly alert: OpenAlert }
  | { readonly kind: 'escalate'; readonly alert: OpenAlert; readonly step: number }

/** Codes come from a fixed list; these limits only bound an error. */
const MOST_OPEN = 200
const MOST_TEXT = 10_000
const MOST_CODE = 100
const MOST_WORDS = 1_000

export function emptyAlertBook(): AlertBook {
  return { alerts: [] }
}

/**
 * Applies a notice. A critical one opens its code, again after an acknowledgement; a lifting one ends it. Returns whether the book
 * changed, and the alert that ended.
 */
export function takeNotice(
  book: AlertBook,
  { kind, severity, code, text, since, t }: ReceivedNotice,
): { readonly changed: boolean; readonly ended: OpenAlert | null } {
  const at = book.alerts.findIndex((alert) => alert.code === code)
  const known = book.alerts[at]
  if (kind === 'lifted') {
    if (known === undefined) return { changed: false, ended: null }
    book.alerts.splice(at, 1)
    return { changed: true, ended: known }
  }
  if (kind !== 'raised' || severity !== 'critical') return { changed: false, ended: null }
  const words = text.slice(0, MOST_TEXT)
  if (known !== undefined && known.ack === null) {
    known.text = words
    return { changed: true, ended: null }
  }
  if (known === undefined && book.alerts.length >= MOST_OPEN) return { changed: false, ended: null }
  const opened = { code, text: words, since, raisedAt: t, notifiedAt: t, repeats: 0, escalated: 0, ack: null }
  if (known === undefined) book.alerts.push(opened)
  else book.alerts[at] = opened
  return { changed: true, ended: null }
}

/** Returns the unacknowledged alerts that are due, and records them as sent. */
export function takeDue(
  book: AlertBook,
  { repeatMs, escalateAfterMs }: AlertRules,
  now: Ms,
): readonly DueAlert[] {
  return book.alerts.flatMap((alert): DueAlert[] => {
    if (alert.ack !== null) return []
    // A clock that was set back must not silence an alert.
    alert.raisedAt = Math.min(alert.raisedAt, now)
    alert.notifiedAt = Math.min(alert.notifiedAt, now)
    const steps = escalateAfterMs.flatMap((afterMs, step): DueAlert[] =>
      step >= alert.escalated && now - alert.raisedAt >= afterMs ? [{ kind: 'escalate', alert, step }] : [],
    )
    const isRepeated = repeatMs !== null && now - alert.notifiedAt >= repeatMs
    alert.escalated += steps.length
    if (!isRepeated) return steps
    alert.notifiedAt = now
    alert.repeats += 1
    return [...steps, { kind: 'repeat', alert }]
  })
}

/** Acknowledges the open alerts of these codes for `who`. Returns those that were unacknowledged. */
export function acknowledge(
  book: AlertBook,
  codes: readonly string[],
  { who, why, at }: { readonly who: string; readonly why: string; readonly at: Ms },
): readonly OpenAlert[] {
  const taken = book.alerts.filter(({ code, ack }) => ack === null && codes.includes(code))
  for (const alert of taken) alert.ack = { who: who.slice(0, MOST_WORDS), why: why.slice(0, MOST_WORDS), at }
  return taken
}

/** Ends codes that a start has proven to be over, without a notification. */
export function endAlerts(book: AlertBook, codes: readonly string[]): boolean {
  const left = book.alerts.filter(({ code }) => !codes.includes(code))
  const changed = left.length < book.alerts.length
  book.alerts = left
  return changed
}

/** Returns the text of a due alert. */
export function dueText({ alert, kind }: DueAlert, now: Ms): string {
  const minutes = Math.max(1, Math.round((now - alert.raisedAt) / MINUTE_MS))
  const isLate = kind === 'escalate'
  const words = isLate
    ? `not acknowledged within ${minutes} min`
    : `not acknowledged, reminder ${alert.repeats}`
  return `${alert.text} (${words})`
}

/** Parses a written book; null = it is invalid. */
export function parseAlertBook(written: unknown): AlertBook | null {
  const { alerts } = fieldsOf(written)
  if (!Array.isArray(alerts) || alerts.length > MOST_OPEN) return null
  const read = alerts.map(parseAlert)
  return read.every((one) => one !== null) ? { alerts: read } : null
}

function parseAlert(written: unknown): OpenAlertRow | null {
  const { code, text, since, raisedAt, notifiedAt, repeats, escalated, ack } = fieldsOf(written)
  if (!isText(code, MOST_CODE) || !isText(text, MOST_TEXT)) return null
  if (since !== null && !isMoment(since)) return null
  if (!isMoment(raisedAt) || !isMoment(notifiedAt) || !isCount(repeats) || !isCount(escalated)) return null
  const alert = { code, text, since, raisedAt, notifiedAt, repeats, escalated }
  if (ack === null) return { ...alert, ack }
  const { who, why, at } = fieldsOf(ack)
  if (!isText(who, MOST_WORDS) || !isText(why, MOST_WORDS) || !isMoment(at)) return null
  return { ...alert, ack: { who, why, at } }
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most
}

function isMoment(value: unknown): value is Ms {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
