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

export function moneyWords({ amount, asset }: { readonly amount: string; readonly asset: string }): string {
  return `${decimalText(amount, 2)} ${asset}`
}

/** A registered name on a terminal. */
export function registeredPiece(registered: RegisteredView | null): Piece {
  const { words, isFault } = registeredWords(registered)
  return isFault ? { text: words, tone: 'warn' } : words
}

/** Where every unit is, what is open, and what a person has to do, as lines for a terminal of this width. */
export function renderTreasury(view: TreasuryView, row: RowOptions): string[] {
  return [
    ...tableRow('treasury', heading(view), row),
    ...(view.obstacle === null ? [] : tableRow('  !!', [{ text: view.obstacle, tone: 'bad' }], row)),
    ...view.holdings.places.flatMap(({ place, onHand, available }) => {
      if (onHand === null) return tableRow(place, [unknownPiece(place, view.holdings)], row)
      const held = (['NTZS', 'USDC', 'USDT'] as const).filter((token) => onHand[token] !== '0')
      const pieces = held.map((token) => {
        const free =
          available[token] === onHand[token] ? '' : ` (${decimalText(available[token], 2)} available)`
        return `${decimalText(onHand[token], 2)} ${token}${free}`
      })
      return tableRow(place, pieces.length === 0 ? [{ text: 'nothing', tone: 'dim' }] : pieces, row)
    }),
    ...view.holdings.tokens.flatMap((token) => tableRow(token.asset, tokenPieces(token), row)),
    ...view.expectedPayments.flatMap(({ amount, reference, by, isOverdue }) =>
      tableRow(
        'to be paid',
        [
          { text: `${moneyWords(amount)} with reference ${reference ?? 'as instructed'}`, tone: 'bold' },
          { text: `${isOverdue ? 'OVERDUE since' : 'by'} ${timeText(by)}`, tone: isOverdue ? 'bad' : 'warn' },
        ],
        row,
      ),
    ),
    ...(view.transferCaps == null ? [] : tableRow('venue caps', transferCapWords(view.transferCaps), row)),
    ...renderIntents(view.intents, view.now, row),
    ...(view.claims.length === 0
      ? []
      : tableRow(
          'claims',
          [{ text: `${view.claims.length}: see \`mizani treasury claims\``, tone: 'bad' }],
          row,
        )),
    ...(view.supply.alarm === null
      ? []
      : tableRow('supply', [{ text: view.supply.alarm, tone: 'bad' }], row)),
    ...tableRow('desk', identityPieces(view), row),
    ...(view.exit === null
      ? []
      : tableRow(
          'could leave',
          [`${percentText(view.exit.homeBps / 10_000)} of all that is ours, now`],
          row,
        )),
  ]
}

function unknownPiece(place: Parameters<typeof unknownPlace>[0], holdings: TreasuryView['holdings']): Piece {
  const { words, isFault } = unknownPlace(place, holdings)
  return { text: words, tone: isFault ? 'bad' : 'dim' }
}

function heading({ mode, now, startedAt, holdings, policy }: TreasuryView): Piece[] {
  return [
    mode === 'live' ? { text: 'live', tone: 'good' } : { text: 'plan: sends nothing', tone: 'warn' },
    holdings.at === null ? 'balances not read yet' : `balances read ${ageText(now - holdings.at)} ago`,
    policy.people === 1
      ? {
          text: `one person approves, after ${ageText(policy.coolOffMs)} and with half of each cap`,
          tone: 'warn',
        }
      : `${policy.people} tokens approve`,
    { text: `up ${ageText(now - startedAt)}`, tone: 'dim' },
  ]
}

function tokenPieces(token: TreasuryView['holdings']['tokens'][number]): Piece[] {
  const { onHand, inTransit, reserved, claims, available, band } = token
  return [
    { text: `${decimalText(onHand, 2)} on hand`, tone: 'bold' },
    ...(inTransit === '0'
      ? []
      : [{ text: `${decimalText(inTransit, 2)} in transit`, tone: 'warn' } as const]),
    ...(reserved === '0' ? [] : [`${decimalText(reserved, 2)} reserved`]),
    ...(claims === '0' ? [] : [{ text: `${decimalText(claims, 2)} claimed`, tone: 'bad' } as const]),
    `${decimalText(available, 2)} available`,
    ...(band === null
      ? []
      : [
          {
            text: `band ${decimalText(band.refillBelow, 0)} to ${decimalText(band.skimAbove, 0)}, target ${decimalText(band.target, 0)}`,
            tone: 'dim',
          } as const,
        ]),
  ]
}

function identityPieces({ identity }: TreasuryView): Piece[] {
  if (identity === null) return ['cannot be valued yet']
  const { value, residual } = identity.tzs
  return [
    `${decimalText(value, 0)} TZS in all`,
    `${decimalText(identity.usd.value, 2)} USD`,
    { text: `residual ${residual}`, tone: residual === '0' ? 'good' : 'bad' },
  ]
}

/** What the listener for webhooks counted since the start; no line where none runs. */
export function renderWebhooks(webhooks: WebhooksView | null, row: RowOptions): string[] {
  if (webhooks === null) return []
  const { port, kept, repeated, lost, refused } = webhooks
  const refusals = Object.entries(refused).filter(([, count]) => count > 0)
  return tableRow(
    'webhooks',
    [
      `${kept} kept${repeated === 0 ? '' : `, ${repeated} repeated`}`,
      refusals.length === 0
        ? { text: 'none refused', tone: 'good' }
        : { text: `refused: ${refusals.map(([why, count]) => `${count} ${why}`).join(', ')}`, tone: 'bad' },
      ...(lost === 0 ? [] : [{ text: `${lost} could not be kept`, tone: 'bad' } as const]),
      { text: `on port ${port}`, tone: 'dim' },
    ],
    row,
  )
}

/** One block an intent: what, how far, and what it waits for. */
export function renderIntents(intents: readonly IntentView[], now: number, row: RowOptions): string[] {
  return intents.flatMap((intent) => {
    const { envelope, approval, stage, route, expected, registered } = intent
    const waits =
      approval.missing === 0
        ? []
        : [
            {
              text: `${approval.missing} more to approve, not by ${approval.excluded.join(', ') || 'the daemon'}`,
              tone: 'warn',
            } as const,
          ]
    return [
      ...tableRow(
        intent.rule,
        [
          {
            text: `${moneyWords(envelope.mostSpent)} over ${route} to ${envelope.destination}`,
            tone: 'bold',
          },
          { text: stage, tone: STAGE_TONE[stage] ?? 'dim' },
          ...(registered === null ? [] : [registeredPiece(registered)]),
          ...waits,
          intent.endedAt === null
            ? `expected ${timeText(expected.arrivesAt)}${expected.isLate ? ', LATE' : ''}`
            : `ended ${ageText(now - intent.endedAt)} ago`,
        ],
        row,
      ),
      ...tableRow(
        '',
        [
          { text: intent.id, tone: 'dim' },
          { text: intent.why, tone: 'dim' },
        ],
        row,
      ),
    ]
  })
}

/** What the policy would do now, what it will not do and why, and when each side runs dry. */
export function renderPlan(view: TreasuryView, row: RowOptions): string[] {
  const { plan, now, refusedSteps, rails, payees } = view
  if (plan === null) return ['no balances were read yet, so there is no plan']
  const steps = plan.steps.flatMap((step) =>
    tableRow(
      step.rule,
      [
        { text: `${moneyWords(step.mostSpent)} over ${step.route} to ${step.destination}`, tone: 'bold' },
        ...payees
          .filter(({ name, kind }) => name === step.destination && kind !== 'address')
          .map(({ registered }) => registeredPiece(registered)),
        `costs ${decimalText(step.costTzs, 0)} TZS`,
        ...(step.worthTzs === null ? [] : [`worth ${decimalText(step.worthTzs, 0)} TZS`]),
        `arrives ${timeText(step.arrivesAt)}, in 95 of 100 cases by ${timeText(step.latestAt)}`,
        `fails in ${percentText(step.failureOdds)}`,
        { text: step.why, tone: 'dim' },
      ],
      row,
    ),
  )
  return [
    ...(steps.length === 0 ? tableRow('steps', ['nothing needs to move now'], row) : steps),
    ...plan.rejected.flatMap(({ route, asset, direction, why }) =>
      tableRow('not taken', [`${route}, ${asset} ${direction}`, { text: why, tone: 'dim' }], row),
    ),
    ...refusedSteps.flatMap(({ step, why }) => tableRow('refused', [step, { text: why, tone: 'warn' }], row)),
    ...plan.forecast.flatMap(({ asset, runsDryAt, mayRunDryAt, refillAt, basis }) =>
      tableRow(
        asset,
        [
          runsDryAt !== null
            ? { text: `runs dry ${timeText(runsDryAt)}, in ${ageText(runsDryAt - now)}`, tone: 'bad' }
            : basis === 'none'
              ? 'no flow recorded yet: nothing is forecast'
              : 'does not run dry within the forecast',
          ...(mayRunDryAt === null ? [] : [`in the worst of 20 cases ${timeText(mayRunDryAt)}`]),
          ...(refillAt === null ? [] : [`refill from ${timeText(refillAt)}`]),
          ...(basis === 'none' ? [] : [{ text: `from ${basis}`, tone: 'dim' } as const]),
        ],
        row,
      ),
    ),
    ...plan.benchmarks.flatMap(({ asset, reorderLevel, orderUpTo, millerOrr }) =>
      tableRow(
        `${asset} levels`,
        [
          `ours ${decimalText(reorderLevel, 0)} up to ${decimalText(orderUpTo, 0)}`,
          millerOrr === null
            ? 'Miller-Orr: the flow does not vary'
            : `Miller-Orr ${decimalText(millerOrr.target, 0)}, at most ${decimalText(millerOrr.upper, 0)}`,
        ],
        row,
      ),
    ),
    ...rails.filter(({ tries }) => tries > 0).flatMap((rail) => tableRow(rail.route, railPieces(rail), row)),
    ...plan.warnings.flatMap(({ message }) => tableRow('  !', [{ text: message, tone: 'warn' }], row)),
  ]
}

function railPieces(rail: TreasuryView['rails'][number]): Piece[] {
  const { tries, failures, medianMs, p95Ms, costBps, restedUntil } = rail
  return [
    `${tries} tried, ${failures} failed`,
    `median ${ageText(medianMs)}, 95 % ${ageText(p95Ms)}`,
    costBps === null ? 'cost unknown' : `${costBps} bps`,
    ...(restedUntil === null
      ? []
      : [{ text: `rests until ${timeText(restedUntil)}`, tone: 'warn' } as const]),
  ]
}
