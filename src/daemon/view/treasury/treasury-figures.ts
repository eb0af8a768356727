import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import { wholeIdentity } from '../../../treasury/books/identity.ts'
import { railScores } from '../../../treasury/rails.ts'
import { activeIntents } from '../../../treasury/intents/plan-intent.ts'
import { civilDayOf, parseDay } from '../../../treasury/policy/calendar/civil-day.ts'
import type { TreasuryReading } from '../treasury-reading.ts'
import { exitView } from '../treasury-view.ts'
import { holdingsView } from './holdings-view.ts'
import { supplyView } from './rules-view.ts'

/** The figures of a treasury for charts and alert rules, at the time of its reading; exact decimal text. Null = unknown. */
export type TreasuryFigures = ReturnType<typeof treasuryFigures>

export function treasuryFigures({ now, state, plan, webhooks }: TreasuryReading) {
  const { stop, unconfirmed, config, books, mid } = state
  const holdings = holdingsView(state)
  const identity = wholeIdentity(books, mid)
  return {
    now,
    /** A person stopped it, or balances have to be confirmed after a restore. */
    isStopped: stop !== null || unconfirmed !== null,
    holdings,
    runsDry: holdings.tokens.map(({ asset }) => ({ asset, at: plan?.forecast[asset]?.runsDryAt ?? null })),
    open: activeIntents(state).map(({ stage, expected, plannedAt }) => ({
      stage,
      plannedAt,
      isLate: now > expected.latestAt,
    })),
    claims: Object.values(state.intents).filter(({ stage }) => stage === 'claim').length,
    residualTzs: identity === null ? null : formatDecimalText(identity.tzs.residual, 36),
    supply: supplyView(state),
    exit: exitView(state),
    webhooks,
    rails: railScores(state),
    calendarDaysLeft: (parseDay(config.calendar.confirmedUntil) ?? 0) - civilDayOf(now),
  }
}
