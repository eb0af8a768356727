import { ENDPOINTS, type EndpointName } from '../../treasury/api/endpoints.ts'
import type { Outcome } from '../../treasury/api/outcome.ts'
import { randomKey, type SendOptions } from '../../treasury/api/send.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { confirmed } from '../output/confirm.ts'
import { fail, print } from '../output/print.ts'
import { partnerAccess, withPartner, type PartnerOptions } from './open-partner.ts'
import { answerLines, shownAnswer } from './show-answer.ts'

export type PerformOptions = PartnerOptions & {
  readonly yes?: boolean
  /** The Idempotency-Key; drawn and printed before the request leaves where none is given. */
  readonly key?: string
}

/** Sends one request of one endpoint and prints its outcome. Nothing is sent twice that moves money. */
export async function perform(
  name: EndpointName,
  params: Readonly<Record<string, unknown>>,
  options: PerformOptions,
): Promise<void> {
  const { route, isMoney, takesKey, isPublic, params: schema } = ENDPOINTS[name]
  const access = await partnerAccess(options, { needsKey: !isPublic })
  if (access === null) return
  const isKeyInBody = 'idempotencyKey' in schema.shape
  const key = takesKey || isKeyInBody ? (options.key ?? randomKey()) : undefined
  if (isMoney) {
    const question = `Send ${route} to ${access.settings.baseUrl}? It changes what is there and cannot be reversed.`
    if (!(await confirmed(options, question))) return
  }
  // Before the first byte leaves: whoever loses the answer needs it to learn the outcome.
  if (key !== undefined) process.stderr.write(`Idempotency-Key: ${key}\n`)
  await withPartner(access, async (client) => {
    const all = isKeyInBody ? { ...params, idempotencyKey: key } : params
    const send = client[name] as (params: unknown, options: SendOptions) => Promise<Outcome<unknown>>
    const outcome = await send(all, {
      ...(takesKey && key !== undefined ? { key } : {}),
      onLine: (line) => process.stderr.write(`${answerLines(line).join('  ')}\n`),
    })
    printPartnerOutcome(options, { name, key: key ?? null }, outcome)
  })
}

type Sent = { readonly name: EndpointName; readonly key: string | null }

function printPartnerOutcome(options: PerformOptions, { name, key }: Sent, outcome: Outcome<unknown>): void {
  const { route, isMoney } = ENDPOINTS[name]
  const exitCode = exitCodeOf(outcome, isMoney)
  const about = { route, ...(key === null ? {} : { key }) }
  if (outcome.kind === 'answered') {
    const value = shownAnswer(outcome.value)
    if (exitCode === EXIT_CODE.ok)
      return print(options, answerLines(value).join('\n'), { ...about, ...outcome, value, exitCode })
    return fail(options, exitCode, answerLines(value).join('\n'), { ...about, ...outcome, value })
  }
  const advice = adviceOf(name, key, exitCode)
  const text = [outcome.words, ...detailLines(outcome), ...(advice === null ? [] : [advice])].join('\n')
  fail(options, exitCode, text, { ...about, ...outcome, ...(advice === null ? {} : { advice }) })
}

function detailLines(outcome: Outcome<unknown>): readonly string[] {
  return outcome.kind === 'refused' && outcome.details !== null ? answerLines(outcome.details, '  ') : []
}

/** A swap that ended as FAILED is an answer, and a failure of what was asked for. */
function exitCodeOf(outcome: Outcome<unknown>, isMoney: boolean): number {
  switch (outcome.kind) {
    case 'answered':
      return hasFailed(outcome.value) ? EXIT_CODE.failed : EXIT_CODE.ok
    case 'refused':
      if (outcome.code === 'other(not_sent)') return EXIT_CODE.usage
      if (outcome.status === 401 || outcome.code === 'ip_not_allowed') return EXIT_CODE.unconfirmed
      return isMoney && outcome.retry === 'verify' ? EXIT_CODE.unknown : EXIT_CODE.refused
    case 'unknown':
      return isMoney && outcome.sent !== 'no' ? EXIT_CODE.unknown : EXIT_CODE.unconfirmed
  }
}

function hasFailed(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'steps' in value &&
    'status' in value &&
    value.status === 'FAILED'
  )
}

/** Where the outcome of a payment is found; `again` is the same command with the same key. */
const FINDERS: Readonly<Partial<Record<EndpointName, (again: string) => string>>> = {
  swap: () => "A used key is refused here: read the balances (`users read`) and the wallet's log on chain.",
  createTransfer: (again) =>
    `Look for it on chain, or learn the outcome by ${again}; transfers have no other record.`,
  createWithdrawal: withinFiveMinutes,
  createSpend: withinFiveMinutes,
  offramp: onRamp,
  onramp: onRamp,
}

function withinFiveMinutes(again: string): string {
  return `Within 5 minutes ${again} returns the original outcome; later look for its webhook and the balance.`
}

function onRamp(again: string): string {
  return `Look for it with \`ramp list\` and \`ramp balance\`, or learn the outcome by ${again}.`
}

/** What to do about a payment whose outcome is unknown; null = nothing is. */
function adviceOf(name: EndpointName, key: string | null, exitCode: number): string | null {
  if (exitCode !== EXIT_CODE.unknown) return null
  const never = 'The outcome is unknown: money may have moved. Do not send it again with another key.'
  if (key === null) return `${never} Read what it would have changed.`
  const again = `the same command with --key ${key}`
  const find = FINDERS[name] ?? (() => `Learn the outcome by ${again}, or read the balances.`)
  return `${never} ${find(again)}`
}
