import { formatTokens } from '../../base/money/asset.ts'
import type { BankLine } from './bank-line.ts'
import type { ExpectedPayment } from './expected-payments.ts'

/**
 * Why a line is not a plain match: its reference is known but the amount is `short` or `over`, it pays a payment twice
 * (`double`), it came after its last day (`late`), or no payment expects it (`unknown`).
 */
type ExceptionKind = 'short' | 'over' | 'double' | 'late' | 'unknown'

type BankException = {
  readonly kind: ExceptionKind
  readonly line: BankLine
  /** The payment that its reference names; null = no such payment. */
  readonly payment: ExpectedPayment | null
  readonly why: string
}

type BankMatch = {
  readonly matched: readonly { readonly line: BankLine; readonly payment: ExpectedPayment }[]
  readonly exceptions: readonly BankException[]
  /** Payments without a line; `isOverdue` as of the file's last day. */
  readonly missing: readonly { readonly payment: ExpectedPayment; readonly isOverdue: boolean }[]
}

/** Shorter references occur in texts by chance. */
const LEAST_REFERENCE = 6

/**
 * Matches a bank file's lines to the payments that intents expect: the exact reference as a word of the line and the
 * exact amount. A line that matches only the amount stays unknown; its reason names the payment that it may belong to,
 * for a person to decide.
 */
export function matchBank(lines: readonly BankLine[], expected: readonly ExpectedPayment[]): BankMatch {
  const answered = new Map<ExpectedPayment, BankLine>()
  const matched: { line: BankLine; payment: ExpectedPayment }[] = []
  const exceptions: BankException[] = []
  const named = lines.map((line) => ({ line, payments: paymentsNamed(line, expected) }))
  // Exact matches first, so that an earlier part payment does not take a full one's place.
  const rest = named.filter(({ line, payments }) => {
    const payment = payments.find((each) => !answered.has(each) && each.amount === line.amount)
    if (payment === undefined) return true
    answered.set(payment, line)
    if (line.day <= payment.lastDay) matched.push({ line, payment })
    else exceptions.push({ kind: 'late', line, payment, why: `it came after ${payment.lastDay}` })
    return false
  })
  for (const { line, payments } of rest) {
    const payment = payments.find((each) => !answered.has(each)) ?? payments[0] ?? null
    const exception = judge(line, payment, answered, expected)
    if (exception.kind === 'short' || exception.kind === 'over') answered.set(payment!, line)
    exceptions.push(exception)
  }
  const lastDay = lines.reduce((last, { day }) => (day > last ? day : last), '')
  const missing = expected
    .filter((payment) => !answered.has(payment))
    .map((payment) => ({ payment, isOverdue: payment.lastDay < lastDay }))
  const inOrder = exceptions.toSorted((a, b) => a.line.line - b.line.line)
  return { matched, exceptions: inOrder, missing }
}

function judge(
  line: BankLine,
  payment: ExpectedPayment | null,
  answered: ReadonlyMap<ExpectedPayment, BankLine>,
  expected: readonly ExpectedPayment[],
): BankException {
  if (payment === null) {
    const alike = expected.find((each) => each.amount === line.amount && !answered.has(each))
    const hint = alike === undefined ? '' : `; its amount is that of intent ${alike.intent}, leg ${alike.leg}`
    return { kind: 'unknown', line, payment: null, why: `no payment has its reference${hint}` }
  }
  const earlier = answered.get(payment)
  if (earlier !== undefined)
    return { kind: 'double', line, payment, why: `line ${earlier.line} already matches this payment` }
  if (line.amount > 0n !== payment.amount > 0n)
    return { kind: 'unknown', line, payment, why: 'its direction is opposite to the payment that it names' }
  const [paid, asked] = [sizeOf(line.amount), sizeOf(payment.amount)]
  const kind = paid < asked ? 'short' : 'over'
  const difference = formatTokens(sizeOf(paid - asked), 'NTZS')
  return {
    kind,
    line,
    payment,
    why: `${formatTokens(asked, 'NTZS')} TZS were expected: ${difference} ${kind === 'short' ? 'too few' : 'too many'}`,
  }
}

/** Returns the payments whose reference is a word of the line, or two words separated by the bank's line break. */
function paymentsNamed(
  { reference, text }: BankLine,
  expected: readonly ExpectedPayment[],
): readonly ExpectedPayment[] {
  const words = `${reference} ${text}`.split(/[^\p{L}\p{N}-]+/u).map(plain)
  const all = new Set([...words, ...words.map((word, index) => word + (words[index + 1] ?? ''))])
  return expected.filter(({ reference: wanted }) => {
    if (wanted === null) return false
    const key = plain(wanted)
    return key.length >= LEAST_REFERENCE && all.has(key)
  })
}

function plain(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
}

function sizeOf(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
