import { ageText, timeText } from '../../base/text/times.ts'
import type { BankMatchView } from '../../daemon/view/treasury/bank-view.ts'
import type { IntentView } from '../../daemon/view/treasury/intent-view.ts'
import type { TreasuryView } from '../../daemon/view/treasury-view.ts'
import { decimalText } from '../../base/text/numbers.ts'
import { moneyWords, registeredPiece, type RenderRow, toned } from './render.ts'

/** Renders the data with which a venue's operator can find a claim: every request with its exact body, its answer and its time. */
export function renderClaims({ claims }: TreasuryView, row: RenderRow): string[] {
  if (claims.length === 0) return ['no claim is open']
  return claims.flatMap((claim) => [
    ...row('claim', toned('bold', claim.id), toned('bad', claim.why)),
    ...claim.legs.flatMap((leg, index) => [
      ...row(
        `  step ${index + 1}`,
        `${leg.kind} of ${moneyWords(leg.spend)} from ${leg.from} to ${leg.payee ?? leg.to}`,
        toned(leg.stage === 'claim' ? 'bad' : 'dim', leg.stage),
        leg.resourceId === null ? null : `resource ${leg.resourceId}`,
        leg.reference === null ? null : `reference ${leg.reference}`,
      ),
      ...leg.attempts.flatMap(({ n, key, sendings, firstSentAt, outcome, block, body, words }) =>
        row(
          `    try ${n}`,
          `key ${key}`,
          `${sendings} times${firstSentAt === null ? '' : `, first ${timeText(firstSentAt)}`}`,
          outcome,
          block === null ? null : `chain at block ${block}`,
          toned('dim', body),
          words === null ? null : `answer: ${words}`,
        ),
      ),
      ...renderFound(claim, leg, row),
    ]),
    ...claim.timeline.flatMap(({ at, step, what, text }) =>
      row('', toned('dim', timeText(at)), step === null ? what : `step ${step} ${what}`, text),
    ),
  ])
}

/** Shows the evidence of a claim, with the order that resolves it if the evidence is right. */
function renderFound({ id }: IntentView, { evidence }: IntentView['legs'][number], row: RenderRow): string[] {
  return evidence.flatMap(({ by, at, suggests, amount, words }) =>
    row(
      '    evidence',
      toned('dim', `${by}, ${timeText(at)}`),
      words,
      toned('warn', 'no proof: compare it, then'),
      `mizani treasury resolve-claim --intent ${id} --as ${suggests} --received ${amount.amount} --reason "..."`,
    ),
  )
}

/** Shows the payees with their accounts, their ages and the caps. */
export function renderPayees({ payees, now, caps }: TreasuryView, row: RenderRow): string[] {
  if (payees.length === 0) return ['treasury.payees is empty, so nothing is paid to outside accounts']
  return [
    ...payees.flatMap(({ name, kind, account, registered, listedAt, admittedAt, payableFrom }) =>
      row(
        name,
        `${kind} ${account}`,
        kind === 'address' ? null : registeredPiece(registered),
        `listed ${ageText(now - listedAt)} ago`,
        admittedAt !== null
          ? toned('good', 'any amount within the caps')
          : payableFrom > now
            ? toned('warn', `new: nothing before ${timeText(payableFrom)}`)
            : toned('warn', 'never paid: the first payout is a small one'),
      ),
    ),
    ...caps.flatMap(({ route, destination, asset, day, month }) => {
      const part = (used: typeof day, span: string) =>
        used === null
          ? null
          : `${decimalText(used.used, 0)} of ${decimalText(used.limit, 0)} ${asset} ${span}`
      const what = `${route ?? 'any route'} to ${destination ?? 'anybody'}`
      return row('cap', what, part(day, 'in 24 h'), part(month, 'in 30 days'))
    }),
  ]
}

/** Shows a bank's file next to the payments of intents: matches in one line, other lines by their kind. */
export function renderMatch(match: BankMatchView, row: RenderRow): string[] {
  const { format, lines, matched, exceptions, missing, leftOut } = match
  return [
    ...row('bank file', `${format}, ${lines} lines`, toned('good', `${matched.length} matched`)),
    ...exceptions.flatMap(({ kind, line, why }) =>
      row(
        kind,
        `line ${line.line}, ${line.day}: ${decimalText(line.amount, 2, 'plus')} TZS ${line.reference}`,
        toned(kind === 'unknown' ? 'dim' : 'bad', why),
      ),
    ),
    ...missing.flatMap(({ payment, isOverdue }) => {
      const { amount, intent, reference, lastDay } = payment
      return row(
        'missing',
        `${decimalText(amount, 2, 'plus')} TZS of intent ${intent}, reference ${reference ?? 'none'}`,
        isOverdue ? toned('bad', `overdue since ${lastDay}`) : toned('dim', `until ${lastDay}`),
      )
    }),
    ...leftOut.flatMap(({ line, message }) => row('left out', toned('warn', `line ${line}: ${message}`))),
  ]
}
