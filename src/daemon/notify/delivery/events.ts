import { SEVERITY_RANK } from '../../../core/alerts/entry.ts'
import { isRiskRule, RISK_RULES } from '../../../core/alerts/risk-rules.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'
import { asConsequence } from '../message/compose-message.ts'
import type { Notice } from '../notice.ts'

/** The possible causes of each code or halting rule, the likeliest first. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  halted: [
    'foreign-hand',
    'foreign-write',
    'unreadable',
    'price-corridor',
    'reference-deviation',
    'fleet-limit',
  ],
  'quote-stuck': ['foreign-write', 'halted'],
  'not-active': ['foreign-write', 'foreign-hand', 'halted'],
  'fills-gap': ['foreign-hand', 'foreign-write', 'unreadable', 'withdrawal-unknown'],
  'partial-deactivation': ['foreign-write', 'foreign-hand', 'halted'],
  'not-left': ['partial-deactivation', 'halted'],
  'void-fills': ['foreign-write', 'halted'],
  'foreign-hand': ['foreign-write'],
  'foreign-write': ['foreign-hand'],
  'mid-step': ['mid-move', 'reference-deviation'],
  'mid-move': ['price-corridor'],
  'reference-deviation': ['price-corridor'],
  'execution-mid': ['reference-deviation'],
  mid: ['mid-step', 'mid-move', 'price-corridor', 'mid-invalid'],
  'error-cycles': ['halted'],
  'promise-over-balance': ['foreign-hand'],
  'exit-unconfirmed': ['store'],
  'daemon-gone': ['store', 'crash-loop'],
  'guard-latched': ['guard-fired'],
  'guard-deactivated': ['guard-fired'],
  'fleet-limit-near': ['fleet-limit'],
}
/** A notice that comes later than this after its cause is a separate event. */
const LINKED_MS: Ms = 10 * MINUTE_MS
/** A halt outranks every rule. */
const HALT_RANK = 3

/** The open notices of one position, so that one event causes one message. */
type Events = {
  /** Returns the notices to send: a consequence as part of its cause, an end once no graver rule holds. */
  readonly take: (notice: Notice) => readonly Notice[]
}

type OpenEvent = { readonly notice: Notice; readonly cause: Notice | null }
type OpenEvents = ReadonlyMap<string, OpenEvent>

export function createEvents(): Events {
  const open = new Map<string, OpenEvent>()
  let ends: readonly Notice[] = []

  return {
    take(notice) {
      const { kind, code, t } = notice
      if (kind === 'lifted') {
        open.delete(code)
        const all = [...ends.filter((end) => end.code !== code), notice]
        ends = all.filter((end) => isHeldBack(end.code, open))
        return all.filter((end) => !ends.includes(end)).toReversed()
      }
      // A command never ends, so it holds no other end back.
      if ((kind !== 'raised' && kind !== 'reminder') || code === 'operator') return [notice]
      ends = ends.filter((end) => end.code !== code)
      const cause = causeOf(notice, open)
      if (kind === 'raised' || !open.has(code)) open.set(code, { notice, cause })
      if (cause === null) {
        for (const [other, { notice: before, cause: known }] of open)
          if (known === null && canFollow(other, code) && Math.abs(t - before.t) <= SECOND_MS)
            open.set(other, { notice: before, cause: notice })
        return [notice]
      }
      const severity =
        SEVERITY_RANK[cause.severity] > SEVERITY_RANK[notice.severity] ? cause.severity : notice.severity
      return [{ ...cause, kind, t, severity, also: [asConsequence(notice)] }]
    },
  }
}

/** Returns the cause of a notice: the one already found, while it is open, or one that opened shortly before. */
function causeOf({ code, rule, t }: Notice, open: OpenEvents): Notice | null {
  const known = open.get(code)
  if (known !== undefined) return known.cause !== null && open.has(known.cause.code) ? known.cause : null
  const codes = [...(rule === undefined ? [] : [rule]), ...(CAUSES[code] ?? [])]
  const causes = codes.flatMap((one) => open.get(one) ?? []).map(({ notice, cause }) => cause ?? notice)
  return causes.find((one) => one.code !== code && Math.abs(t - one.t) <= LINKED_MS) ?? null
}

/** Whether one code can follow from another. */
export function canFollow(code: string, cause: string): boolean {
  return CAUSES[code]?.includes(cause) === true
}

function isHeldBack(code: string, open: OpenEvents): boolean {
  return isRiskRule(code) && [...open.keys()].some((other) => rankOf(other) > rankOf(code))
}

function rankOf(code: string): number {
  if (code === 'halted') return HALT_RANK
  return isRiskRule(code) ? SEVERITY_RANK[RISK_RULES[code].severity] : 0
}
