import { Decimal } from 'decimal.js'
import { decimalText } from '../../base/text/numbers.ts'
import { ageText } from '../../base/text/times.ts'
import type { IntentView } from '../../daemon/view/treasury/intent-view.ts'
import type { WebhooksView } from '../../daemon/view/treasury-reading.ts'
import type { TreasuryView } from '../../daemon/view/treasury-view.ts'
import type { ScreenContent } from '../output/screen.ts'
import type { TreasuryRead } from '../treasury/read-treasury.ts'
import { createRow, moneyWords, renderIntents, renderWebhooks } from '../treasury/render.ts'

/** The last intents that the screen of the demonstration shows. */
const SHOWN = 3

/** Adds the treasury to the status: the screen shows the latest intents, the line the latest of all and the latest that arrived. */
export function withFunding(status: ScreenContent, read: TreasuryRead | null): ScreenContent {
  if (read === null) return status
  const { view, webhooks } = read
  const recent = recentIntents(view).slice(0, SHOWN)
  const arrived = view.ended.find(({ stage }) => stage === 'settled')
  const latest = [...new Set([arrived, recent[0]])].filter((intent) => intent !== undefined)
  return {
    lines: (look) => {
      const row = createRow(look)
      return [
        ...status.lines(look),
        ...renderIntents(recent, view.now, row),
        ...renderWebhooks(webhooks, row),
      ]
    },
    line: () => [status.line(), ...latest.map(intentWords)].join(' | '),
  }
}

/** Returns the closing summary: the amounts moved, the costs, and whether every unit of the desk is accounted for. */
export function fundingSummary({ view, webhooks }: TreasuryRead): string {
  const intents = recentIntents(view)
  const settled = intents.filter(({ stage }) => stage === 'settled')
  const open = view.intents.length
  const moved = settled.map((intent) => `${intent.rule} ${moneyWords(intent.envelope.mostSpent)}`)
  const desk =
    view.identity === null
      ? 'the desk cannot be valued yet'
      : `the desk holds ${decimalText(view.identity.tzs.value, 0)} TZS with a residual of ${view.identity.tzs.residual}`
  const done = moved.length === 0 ? 'nothing arrived yet' : `${moved.join(', ')}; ${costWords(settled)}`
  const lines = [`  treasury   ${done}${open === 0 ? '' : `; ${open} open`}; ${desk}`]
  if (webhooks !== null) lines.push(`  webhooks   ${webhookWords(webhooks)}`)
  return lines.join('\n')
}

function webhookWords({ kept, repeated, refused }: WebhooksView): string {
  const refusals = Object.values(refused).reduce((sum, count) => sum + count, 0)
  return `${kept} of the venue kept since this start, ${repeated} repeated, ${refusals} refused`
}

function recentIntents({ intents, ended }: TreasuryView): readonly IntentView[] {
  return [...intents, ...ended].toSorted((a, b) => b.plannedAt - a.plannedAt)
}

function intentWords(intent: IntentView): string {
  const { rule, route, stage, envelope, plannedAt, endedAt, approval, why } = intent
  const what = `${rule} ${moneyWords(envelope.mostSpent)} over ${route}`
  if (stage === 'settled' && endedAt !== null)
    return `${what} arrived within ${ageText(endedAt - plannedAt)}, ${costWords([intent])}`
  if (why.startsWith('it waits')) return `${what}: ${why}`
  return `${what}: ${approval.missing === 0 ? stage.replace('_', ' ') : `${approval.missing} more to approve`}`
}

function costWords(intents: readonly IntentView[]): string {
  const fees = intents.flatMap(({ legs }) => legs.map(({ feeTzs }) => feeTzs ?? '0'))
  const cost = fees.reduce((sum, fee) => sum.plus(fee), new Decimal(0))
  return `cost ${decimalText(cost.toFixed(), 0)} TZS`
}
