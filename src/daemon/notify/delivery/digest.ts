import type { Ms } from '../../../base/time.ts'
import type { Message } from '../message/message.ts'
import { SEVERITY_RANK } from '../../../core/alerts/entry.ts'
import { plainMessageText } from '../message/message-text.ts'

/** Messages that were not sent individually, counted by code, so that the size is bounded. */
export type Digest = {
  readonly add: (message: Pick<Message, 'code' | 'kind' | 'severity' | 'count' | 'first' | 'last'>) => void
  readonly isEmpty: () => boolean
  readonly worst: () => Message['severity']
  readonly count: () => number
  /** The time of the first message, the lines of a summary, and a function to restore it if sending fails. */
  readonly take: () => {
    readonly count: number
    readonly since: Ms
    readonly lines: readonly string[]
    readonly putBack: () => void
  }
}

type Tally = Pick<Message, 'kind' | 'severity' | 'count' | 'first' | 'last'> & { readonly code: string }

const MOST_CODES = 60
const SHOWN_CODES = 15
const SHOWN_TEXT = 160

export function createDigest(): Digest {
  let tallies = new Map<string, Tally>()

  const add: Digest['add'] = ({ code, kind, severity, count, first, last }) => {
    const name = `${kind} ${code}`
    const key = tallies.has(name) || tallies.size < MOST_CODES ? name : `${kind} other`
    const before = tallies.get(key)
    const worst =
      before !== undefined && SEVERITY_RANK[before.severity] > SEVERITY_RANK[severity]
        ? before.severity
        : severity
    const begin = before === undefined || first.t < before.first.t ? first : before.first
    const end = before === undefined || last.t >= before.last.t ? last : before.last
    tallies.set(key, {
      code: before?.code ?? (key === name ? code : 'other'),
      kind,
      severity: worst,
      count: count + (before?.count ?? 0),
      first: begin,
      last: end,
    })
  }

  function count(): number {
    return [...tallies.values()].reduce((sum, tally) => sum + tally.count, 0)
  }

  return {
    add,
    isEmpty: () => tallies.size === 0,
    worst: () =>
      [...tallies.values()].reduce<Message['severity']>(
        (worst, { severity }) => (SEVERITY_RANK[severity] > SEVERITY_RANK[worst] ? severity : worst),
        'info',
      ),
    count,
    take() {
      const all = [...tallies.values()].toSorted(
        (a, b) => SEVERITY_RANK[b.severity] - SEVERITY_RANK[a.severity] || a.first.t - b.first.t,
      )
      const taken = { count: count(), since: Math.min(...all.map(({ first }) => first.t)) }
      tallies = new Map()
      return { ...taken, lines: linesOf(all), putBack: () => all.forEach(add) }
    },
  }
}

/** Most severe first; the rest is only counted. */
function linesOf(all: readonly Tally[]): readonly string[] {
  const shown = all.slice(0, SHOWN_CODES).map(({ severity, kind, code, count, last }) => {
    const what = kind === 'lifted' ? `${code} lifted` : code
    return `${severity}: ${count} x ${what}, last: ${plainMessageText(last.text, SHOWN_TEXT)}`
  })
  const rest = all.slice(SHOWN_CODES)
  if (rest.length === 0) return shown
  return [...shown, `and ${rest.reduce((sum, { count }) => sum + count, 0)} of ${rest.length} other codes`]
}
