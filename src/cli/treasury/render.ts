import { decimalText, percentText } from '../../base/text/numbers.ts'
import { ageText, timeText } from '../../base/text/times.ts'
import type { IntentView } from '../../daemon/view/treasury/intent-view.ts'
import type { RegisteredView } from '../../daemon/view/treasury/payee-view.ts'
import { registeredWords } from '../../daemon/view/treasury/payee-words.ts'
import { unknownPlace } from '../../daemon/view/treasury/place-words.ts'
import { transferCapWords } from '../../daemon/view/treasury/transfer-cap-words.ts'
import type { WebhooksView } from '../../daemon/view/treasury-reading.ts'
import type { TreasuryView } from '../../daemon/view/treasury-view.ts'
import { type Piece, type RowOptions, tableRow, type Tone } from '../output/tables.ts'

const STAGE_TONE: Readonly<Partial<Record<IntentView['stage'], Tone>>> = {
  settled: 'good',
  claim: 'bad',
  silent: 'bad',
  reversed: 'bad',
  reverted: 'bad',
  refused: 'bad',
  held: 'warn',
  awaiting_approval: 'warn',
  waiting_for_funds: 'warn',
}

/** Lays out one labelled row for a terminal, without pieces that are null. */
export type RenderRow = (label: string, ...pieces: readonly (Piece | null)[]) => string[]

export function createRow(options: RowOptions): RenderRow {
  return (label, ...pieces) => {
    const shown = pieces.filter((piece) => piece !== null)
    return tableRow(label, shown, options)
  }
}

export function toned(tone: Tone, text: string): Piece {
  return { text, tone }
}

export function moneyWords({ amount, asset }: { readonly amount: string; readonly asset: string }): string {
  return `${decimalText(amount, 2)} ${asset}`
}

/** Renders a registered name for a terminal. */
export function registeredPiece(registered: RegisteredView | null): Piece {
  const { words, isFault } = registeredWords(registered)
  return isFault ? toned('warn', words) : words
}

/** Renders the place of every unit, open intents, and tasks for the operator. */
export function renderTreasury(view: TreasuryView, row: RenderRow): string[] {
  const { obstacle, holdings, transferCaps, claims, supply, exit } = view
  return [
    ...row('treasury', ...heading(view)),
    ...(obstacle === null ? [] : row('  !!', toned('bad', obstacle))),
    ...holdings.places.flatMap((place) => placeRow(place, holdings, row)),
    ...holdings.tokens.flatMap((token) => row(token.asset, ...tokenPieces(token))),
    ...view.expectedPayments.flatMap(({ amount, reference, by, isOverdue }) =>
      row(
        'to be paid',
        toned('bold', `${moneyWords(amount)} with reference ${reference ?? 'as instructed'}`),
        isOverdue ? toned('bad', `OVERDUE since ${timeText(by)}`) : toned('warn', `by ${timeText(by)}`),
      ),
    ),
    ...(transferCaps == null ? [] : row('venue caps', ...transferCapWords(transferCaps))),
    ...renderIntents(view.intents, view.now, row),
    ...(claims.length === 0
      ? []
      : row('claims', toned('bad', `${claims.length}: see \`mizani treasury claims\``))),
    ...(supply.alarm === null ? [] : row('supply', toned('bad', supply.alarm))),
    ...row('desk', ...identityPieces(view)),
    ...(exit === null
      ? []
      : row('could leave', `${percentText(exit.homeBps / 10_000)} of all that is ours, now`)),
  ]
}

type HoldingsView = TreasuryView['holdings']

function placeRow(
  { place, onHand, available }: HoldingsView['places'][number],
  holdings: HoldingsView,
  row: RenderRow,
): string[] {
  if (onHand === null) {
    const { words, isFault } = unknownPlace(place, holdings)
    return row(place, toned(isFault ? 'bad' : 'dim', words))
  }
  const held = (['NTZS', 'USDC', 'USDT'] as const).filter((token) => onHand[token] !== '0')
  const pieces = held.map((token) => {
    const free = available[token] === onHand[token] ? '' : ` (${decimalText(available[token], 2)} available)`
    return `${decimalText(onHand[token], 2)} ${token}${free}`
  })
  return pieces.length === 0 ? row(place, toned('dim', 'nothing')) : row(place, ...pieces)
}

function heading({ mode, now, startedAt, holdings, policy }: TreasuryView): Piece[] {
  const { people, coolOffMs } = policy
  return [
    mode === 'live' ? toned('good', 'live') : toned('warn', 'plan: sends nothing'),
    holdings.at === null ? 'balances not read yet' : `balances read ${ageText(now - holdings.at)} ago`,
    people === 1
      ? toned('warn', `one person approves, after ${ageText(coolOffMs)} and with half of each cap`)
      : `${people} tokens approve`,
    toned('dim', `up ${ageText(now - startedAt)}`),
  ]
}

function tokenPieces(token: HoldingsView['tokens'][number]): (Piece | null)[] {
  const { onHand, inTransit, reserved, claims, available, band } = token
  return [
    toned('bold', `${decimalText(onHand, 2)} on hand`),
    inTransit === '0' ? null : toned('warn', `${decimalText(inTransit, 2)} in transit`),
    reserved === '0' ? null : `${decimalText(reserved, 2)} reserved`,
    claims === '0' ? null : toned('bad', `${decimalText(claims, 2)} claimed`),
    `${decimalText(available, 2)} available`,
    band === null
      ? null
      : toned(
          'dim',
          `band ${decimalText(band.refillBelow, 0)} to ${decimalText(band.skimAbove, 0)}, target ${decimalText(band.target, 0)}`,
        ),
  ]
}

function identityPieces({ identity }: TreasuryView): Piece[] {
  if (identity === null) return ['cannot be valued yet']
  const { value, residual } = identity.tzs
  return [
    `${decimalText(value, 0)} TZS in all`,
    `${decimalText(identity.usd.value, 2)} USD`,
    toned(residual === '0' ? 'good' : 'bad', `residual ${residual}`),
  ]
}

/** Renders the counts of the webhook listener since its start; empty if none runs. */
export function renderWebhooks(webhooks: WebhooksView | null, row: RenderRow): string[] {
  if (webhooks === null) return []
  const { port, kept, repeated, lost, refused } = webhooks
  const refusals = Object.entries(refused).filter(([, count]) => count > 0)
  const refusedText = refusals.map(([why, count]) => `${count} ${why}`).join(', ')
  return row(
    'webhooks',
    `${kept} kept${repeated === 0 ? '' : `, ${repeated} repeated`}`,
    refusals.length === 0 ? toned('good', 'none refused') : toned('bad', `refused: ${refusedText}`),
    lost === 0 ? null : toned('bad', `${lost} could not be kept`),
    toned('dim', `on port ${port}`),
  )
}

/** Renders each intent: its movement, its progress, and the missing condition. */
export function renderIntents(intents: readonly IntentView[], now: number, row: RenderRow): string[] {
  return intents.flatMap((intent) => {
    const { envelope, approval, stage, route, expected, registered } = intent
    const excluded = approval.excluded.join(', ') || 'the daemon'
    return [
      ...row(
        intent.rule,
        toned('bold', `${moneyWords(envelope.mostSpent)} over ${route} to ${envelope.destination}`),
        toned(STAGE_TONE[stage] ?? 'dim', stage),
        registered === null ? null : registeredPiece(registered),
        approval.missing === 0
          ? null
          : toned('warn', `${approval.missing} more to approve, not by ${excluded}`),
        intent.endedAt === null
          ? `expected ${timeText(expected.arrivesAt)}${expected.isLate ? ', LATE' : ''}`
          : `ended ${ageText(now - intent.endedAt)} ago`,
      ),
      ...row('', toned('dim', intent.id), toned('dim', intent.why)),
    ]
  })
}

/** Renders the policy's plan, its rejected steps with reasons, and the forecast of each side's end. */
export function renderPlan(view: TreasuryView, row: RenderRow): string[] {
  const { plan, now, refusedSteps, rails } = view
  if (plan === null) return ['no balances were read yet, so there is no plan']
  return [
    ...(plan.steps.length === 0 ? row('steps', 'nothing needs to move now') : stepRows(view, row)),
    ...plan.rejected.flatMap(({ route, asset, direction, why }) =>
      row('not taken', `${route}, ${asset} ${direction}`, toned('dim', why)),
    ),
    ...refusedSteps.flatMap(({ step, why }) => row('refused', step, toned('warn', why))),
    ...plan.forecast.flatMap(({ asset, runsDryAt, mayRunDryAt, refillAt, basis }) =>
      row(
        asset,
        runsDryAt !== null
          ? toned('bad', `runs dry ${timeText(runsDryAt)}, in ${ageText(runsDryAt - now)}`)
          : basis === 'none'
            ? 'no flow recorded yet: nothing is forecast'
            : 'does not run dry within the forecast',
        mayRunDryAt === null ? null : `in the worst of 20 cases ${timeText(mayRunDryAt)}`,
        refillAt === null ? null : `refill from ${timeText(refillAt)}`,
        basis === 'none' ? null : toned('dim', `from ${basis}`),
      ),
    ),
    ...plan.benchmarks.flatMap(({ asset, reorderLevel, orderUpTo, millerOrr }) =>
      row(
        `${asset} levels`,
        `ours ${decimalText(reorderLevel, 0)} up to ${decimalText(orderUpTo, 0)}`,
        millerOrr === null
          ? 'Miller-Orr: the flow does not vary'
          : `Miller-Orr ${decimalText(millerOrr.target, 0)}, at most ${decimalText(millerOrr.upper, 0)}`,
      ),
    ),
    ...rails.filter(({ tries }) => tries > 0).flatMap((rail) => railRow(rail, row)),
    ...plan.warnings.flatMap(({ message }) => row('  !', toned('warn', message))),
  ]
}

function stepRows({ plan, payees }: TreasuryView, row: RenderRow): string[] {
  return (plan?.steps ?? []).flatMap((step) =>
    row(
      step.rule,
      toned('bold', `${moneyWords(step.mostSpent)} over ${step.route} to ${step.destination}`),
      ...payees
        .filter(({ name, kind }) => name === step.destination && kind !== 'address')
        .map(({ registered }) => registeredPiece(registered)),
      `costs ${decimalText(step.costTzs, 0)} TZS`,
      step.worthTzs === null ? null : `worth ${decimalText(step.worthTzs, 0)} TZS`,
      `arrives ${timeText(step.arrivesAt)}, in 95 of 100 cases by ${timeText(step.latestAt)}`,
      `fails in ${percentText(step.failureOdds)}`,
      toned('dim', step.why),
    ),
  )
}

function railRow(rail: TreasuryView['rails'][number], row: RenderRow): string[] {
  const { route, tries, failures, medianMs, p95Ms, costBps, restedUntil } = rail
  return row(
    route,
    `${tries} tried, ${failures} failed`,
    `median ${ageText(medianMs)}, 95 % ${ageText(p95Ms)}`,
    costBps === null ? 'cost unknown' : `${costBps} bps`,
    restedUntil === null ? null : toned('warn', `rests until ${timeText(restedUntil)}`),
  )
}
