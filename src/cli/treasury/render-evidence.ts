import { ageText, timeText } from '../../base/text/times.ts'
import type { BankMatchView } from '../../daemon/view/treasury/bank-view.ts'
import type { IntentView } from '../../daemon/view/treasury/intent-view.ts'
import type { TreasuryView } from '../../daemon/view/treasury-view.ts'
import { decimalText } from '../../base/text/numbers.ts'
import { type RowOptions, tableRow } from '../output/tables.ts'
import { moneyWords, registeredPiece } from './render.ts'

/** What the operator of a venue needs to find a claim: every request with its exact body, what came back, and when. */
export function renderClaims({ claims }: TreasuryView, row: RowOptions): string[] {
  if (claims.length === 0) return ['no claim is open']
  return claims.flatMap((claim) => [
    ...tableRow(
      'claim',
      [
        { text: claim.id, tone: 'bold' },
        { text: claim.why, tone: 'bad' },
      ],
      row,
    ),
    ...claim.legs.flatMap((leg, index) => [
      ...tableRow(
        `  step ${index + 1}`,
        [
          `${leg.kind} of ${moneyWords(leg.spend)} from ${leg.from} to ${leg.payee ?? leg.to}`,
          { text: leg.stage, tone: leg.stage === 'claim' ? 'bad' : 'dim' },
          ...(leg.resourceId === null ? [] : [`resource ${leg.resourceId}`]),
          ...(leg.reference === null ? [] : [`reference ${leg.reference}`]),
        ],
        row,
      ),
      ...leg.attempts.flatMap((attempt) =>
        tableRow(
          `    try ${attempt.n}`,
          [
            `key ${attempt.key}`,
            `${attempt.sendings} times${attempt.firstSentAt === null ? '' : `, first ${timeText(attempt.firstSentAt)}`}`,
            attempt.outcome,
            ...(attempt.block === null ? [] : [`chain at block ${attempt.block}`]),
            { text: attempt.body, tone: 'dim' },
            ...(attempt.words === null ? [] : [`answer: ${attempt.words}`]),
          ],
          row,
        ),
      ),
      ...renderFound(claim, leg, row),
    ]),
    ...renderTimeline(claim, row),
  ])
}

/** What the finders saw of a claim, and the order that a person gives where it is right. */
function renderFound(
  { id }: IntentView,
  { evidence }: IntentView['legs'][number],
  row: RowOptions,
): string[] {
  return evidence.flatMap(({ by, at, suggests, amount, words }) =>
    tableRow(
      '    evidence',
      [
        { text: `${by}, ${timeText(at)}`, tone: 'dim' },
        words,
        { text: 'no proof: compare it, then', tone: 'warn' },
        `mizani treasury resolve-claim --intent ${id} --as ${suggests} --received ${amount.amount} --reason "..."`,
      ],
      row,
    ),
  )
}

function renderTimeline({ timeline }: IntentView, row: RowOptions): string[] {
  return timeline.flatMap(({ at, step, what, text }) =>
    tableRow(
      '',
      [{ text: timeText(at), tone: 'dim' }, step === null ? what : `step ${step} ${what}`, text],
      row,
    ),
  )
}

/** Who may be paid, and since when. */
export function renderPayees({ payees, now, caps }: TreasuryView, row: RowOptions): string[] {
  if (payees.length === 0) return ['treasury.payees is empty, so nothing is paid to outside accounts']
  return [
    ...payees.flatMap(({ name, kind, account, registered, listedAt, admittedAt, payableFrom }) =>
      tableRow(
        name,
        [
          `${kind} ${account}`,
          ...(kind === 'address' ? [] : [registeredPiece(registered)]),
          `listed ${ageText(now - listedAt)} ago`,
          admittedAt !== null
            ? { text: 'any amount within the caps', tone: 'good' }
            : payableFrom > now
              ? { text: `new: nothing before ${timeText(payableFrom)}`, tone: 'warn' }
              : { text: 'never paid: the first payout is a small one', tone: 'warn' },
        ],
        row,
      ),
    ),
    ...caps.flatMap(({ route, destination, asset, day, month }) => {
      const part = (used: typeof day, span: string) =>
        used === null
          ? []
          : [`${decimalText(used.used, 0)} of ${decimalText(used.limit, 0)} ${asset} ${span}`]
      const what = `${route ?? 'any route'} to ${destination ?? 'anybody'}`
      return tableRow('cap', [what, ...part(day, 'in 24 h'), ...part(month, 'in 30 days')], row)
    }),
  ]
}

/** A bank's file beside the payments of intents: what fits in one line, what does not by its kind. */
export function renderMatch(match: BankMatchView, row: RowOptions): string[] {
  const { format, lines, matched, exceptions, missing, leftOut } = match
  return [
    ...tableRow(
      'bank file',
      [`${format}, ${lines} lines`, { text: `${matched.length} matched`, tone: 'good' }],
      row,
    ),
    ...exceptions.flatMap(({ kind, line, why }) =>
      tableRow(
        kind,
        [
          `line ${line.line}, ${line.day}: ${decimalText(line.amount, 2, 'plus')} TZS ${line.reference}`,
          { text: why, tone: kind === 'unknown' ? 'dim' : 'bad' },
        ],
        row,
      ),
    ),
    ...missing.flatMap(({ payment, isOverdue }) =>
      tableRow(
        'missing',
        [
          `${decimalText(payment.amount, 2, 'plus')} TZS of intent ${payment.intent}, reference ${payment.reference ?? 'none'}`,
          {
            text: isOverdue ? `overdue since ${payment.lastDay}` : `until ${payment.lastDay}`,
            tone: isOverdue ? 'bad' : 'dim',
          },
        ],
        row,
      ),
    ),
    ...leftOut.flatMap(({ line, message }) =>
      tableRow('left out', [{ text: `line ${line}: ${message}`, tone: 'warn' }], row),
    ),
  ]
}
