import { Decimal } from 'decimal.js'
import { decimalText } from '../../text/numbers.ts'
import { ageText } from '../../text/times.ts'
import type { IntentView } from '../../view/treasury/intent-view.ts'
import type { TreasuryView } from '../../view/treasury-view.ts'
import type { ScreenContent } from '../output/screen.ts'
import { moneyWords, renderIntents } from '../treasury/render.ts'

/** The last intents that the screen of the demonstration shows. */
const SHOWN = 3

/** The status with what the treasury does beside it: its open intents, and the last that ended. */
export function withFunding(status: ScreenContent, view: TreasuryView | null): ScreenContent {
  if (view === null) return status
  const recent = recentIntents(view).slice(0, SHOWN)
  const [last] = recent
  return {
    lines: (look) => [...status.lines(look), ...renderIntents(recent, view.now, look)],
    line: () => (last === undefined ? status.line() : `${status.line()} | ${intentWords(last)}`),
  }
}

/** For the end: what was moved, what it cost, and whether every unit of the desk is accounted for. */
export function fundingSummary(view: TreasuryView): string {
  const intents = recentIntents(view)
  const settled = intents.filter(({ stage }) => stage === 'settled')
  const open = view.intents.length
  const moved = settled.map((intent) => `${intent.rule} ${moneyWords(intent.envelope.mostSpent)}`)
  const desk =
    view.identity === null
      ? 'the desk cannot be valued yet'
      : `the desk holds ${decimalText(view.identity.tzs.value, 0)} TZS with a residual of ${view.identity.tzs.residual}`
  const done = moved.length === 0 ? 'nothing arrived yet' : `${moved.join(', ')}; ${costWords(settled)}`
  return `  treasury   ${done}${open === 0 ? '' : `; ${open} open`}; ${desk}`
}

function recentIntents({ intents, ended }: TreasuryView): readonly IntentView[] {
  return [...intents, ...ended].toSorted((a, b) => b.plannedAt - a.plannedAt)
}

function intentWords(intent: IntentView): string {
  const { rule, route, stage, envelope, plannedAt, endedAt, approval } = intent
  const what = `${rule} ${moneyWords(envelope.mostSpent)} over ${route}`
  if (stage === 'settled' && endedAt !== null)
    return `${what} arrived within ${ageText(endedAt - plannedAt)}, ${costWords([intent])}`
  return `${what}: ${approval.missing === 0 ? stage.replace('_', ' ') : `${approval.missing} more to approve`}`
}

function costWords(intents: readonly IntentView[]): string {
  const fees = intents.flatMap(({ legs }) => legs.map(({ feeTzs }) => feeTzs ?? '0'))
  const cost = fees.reduce((sum, fee) => sum.plus(fee), new Decimal(0))
  return `cost ${decimalText(cost.toFixed(), 0)} TZS`
}
