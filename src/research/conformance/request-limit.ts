import { MINUTE_MS, type Ms } from '../../base/time.ts'
import type { Event } from '../../core/engine/model/event.ts'
import { traitOf, type Trait } from './trait.ts'

/** Scope of a limit: the key, or the address that polls the public endpoint. */
type Limited = 'key' | 'public'

/** A refusal: the requests in the minute before it, and the most that were answered in a minute since. */
type Refusal = { readonly at: Ms; readonly counted: number; mostAfter: number }
type Counted = { times: Ms[]; most: number; refused: number; last: Refusal[] }

/** Older refusals may reflect a limit that has changed. */
const KEPT_REFUSALS = 5
const TOPIC = { key: 'request-limit', public: 'public-request-limit' } as const

/** Learns the number of requests a minute that the venue accepts. */
export function createLimitEvidence() {
  const budgets = { key: newBudget(), public: newBudget() }
  return {
    add(event: Event): void {
      if (event.type === 'requestsElsewhere') {
        for (const at of event.times) count(budgets[event.lane], at)
        return
      }
      if (!('request' in event)) return
      const isPublic =
        event.type === 'bestQuote' ||
        (event.type === 'requestFailed' && event.failure.route.includes('/swap/rate'))
      const budget = isPublic ? budgets.public : budgets.key
      if ('alsoSentAt' in event) for (const at of event.alsoSentAt ?? []) count(budgets.key, at)
      if (event.type === 'requestFailed' && event.failure.kind === 'rate-limit') refuse(budget, event.t)
      else count(budget, event.t)
    },
    /** Null = no limit was reached. */
    learned: (name: Limited): number | null => limitOf(budgets[name]),
    trait(name: Limited): Trait {
      const { most, refused, last } = budgets[name]
      const limit = limitOf(budgets[name])
      const counts = last.map(({ counted }) => counted)
      const example =
        limit === null
          ? `none met: ${most} requests in one minute were all answered`
          : `the last refusals came after ${counts.join(', ')} requests within a minute`
      return traitOf(TOPIC[name], limit === null ? null : limitText(limit), {
        observed: limit === null ? most : refused,
        examples: most === 0 ? [] : [example],
        sure:
          limit === null
            ? 'without a refusal only what was answered is known'
            : `${refused} refusals; requests of someone else with the key are not seen, so that it may be higher`,
      })
    },
  }
}

export function limitText(limit: number): string {
  return `about ${limit} requests a minute`
}

function newBudget(): Counted {
  return { times: [], most: 0, refused: 0, last: [] }
}

function count(budget: Counted, at: Ms): void {
  forget(budget, at)
  budget.times.push(at)
  budget.most = Math.max(budget.most, budget.times.length)
  for (const refusal of budget.last)
    if (at - refusal.at >= MINUTE_MS) refusal.mostAfter = Math.max(refusal.mostAfter, budget.times.length)
}

function refuse(budget: Counted, at: Ms): void {
  forget(budget, at)
  budget.refused += 1
  budget.last = [...budget.last, { at, counted: budget.times.length, mostAfter: 0 }].slice(-KEPT_REFUSALS)
}

function forget(budget: Counted, now: Ms): void {
  budget.times = budget.times.filter((at) => at > now - MINUTE_MS)
}

/**
 * Returns the median of the last refusals' counts, or the most requests answered within a minute since the first of
 * them if that is more: unseen requests by others make a count too small.
 */
function limitOf({ last }: Counted): number | null {
  if (last.length === 0) return null
  const counts = last.map(({ counted }) => counted).toSorted((a, b) => a - b)
  const middle = counts[Math.floor(counts.length / 2)] ?? 0
  const limit = Math.max(middle, last[0]?.mostAfter ?? 0)
  return limit === 0 ? null : limit
}
