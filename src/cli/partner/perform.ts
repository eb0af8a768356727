import type { Ms } from '../../base/time.ts'
import { isRecord } from '../../base/record.ts'
import type { PartnerClient } from '../../treasury/api/client.ts'
import { ENDPOINTS, type EndpointName } from '../../treasury/api/endpoints.ts'
import type { PartnerOutcome } from '../../treasury/api/outcome.ts'
import { randomKey, type SendOptions } from '../../treasury/api/send.ts'
import { modeOf } from '../../treasury/api/testmode/testmode.ts'
import type { KeyMemory } from '../../treasury/model/keys.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { confirmed } from '../output/confirm.ts'
import { fail, print, printStoreError, writeNote } from '../output/print.ts'
import { claimKey, isKeyProven } from '../../daemon/runtime/treasury/by-hand/key-evidence.ts'
import {
  type Looked,
  LOOKS_MS,
  searchFor,
  statusOf,
  whyUnclear,
} from '../../daemon/runtime/treasury/by-hand/look-for.ts'
import { partnerAccess, withPartner, type PartnerOptions } from './open-partner.ts'
import { answerLines, shownAnswer } from './show-answer.ts'

export type PerformOptions = PartnerOptions & {
  readonly yes?: boolean
  /** With `yes`: also if real money moves. */
  readonly live?: boolean
  /** The Idempotency-Key; if not given, it is generated and printed before the request is sent. */
  readonly key?: string
  /** Sends it even if an earlier payment used the key. */
  readonly again?: boolean
}

/** Sends one request of one endpoint and prints its outcome. Never sends a payment twice. */
export async function perform(
  name: EndpointName,
  params: Readonly<Record<string, unknown>>,
  options: PerformOptions,
  looksMs: readonly Ms[] = LOOKS_MS,
): Promise<void> {
  const { route, isMoney, takesKey, isPublic, params: schema } = ENDPOINTS[name]
  const access = await partnerAccess(options, { needsKey: !isPublic })
  if (access === null) return
  const isKeyInBody = 'idempotencyKey' in schema.shape
  const key = takesKey || isKeyInBody ? (options.key ?? randomKey()) : undefined
  const work = async (client: PartnerClient) => {
    const mode = isMoney ? await modeBefore(client, options) : null
    if (mode === undefined) return
    const isProven = isMoney && isKeyProven(access, client.settings, mode, route)
    const again =
      options.key !== undefined && !isProven
        ? ` If a request with this key was sent before, it may be paid twice: ${UNPROVEN}.`
        : ''
    const question = `Send ${route} to ${access.settings.baseUrl}? It changes data there and cannot be reversed.${again}`
    if (isMoney && !(await mayPay(mode, options, question))) return
    const claim = isMoney && key !== undefined ? claimKey(access, client.settings, route, key) : null
    if (claim?.ok === false && !isProven && options.again !== true)
      return fail(options, EXIT_CODE.refused, usedKeyText(name, claim.error))
    const search = isMoney && key !== undefined ? searchFor(client, access, name, params, looksMs) : null
    await search?.before()
    // Learns the venue's name for the shilling from a price before it moves money.
    if (name === 'swap') await client.swapRate(priceOf(params))
    // Printed before the request is sent, because a lost answer is searched for with it.
    if (key !== undefined) writeNote(`Idempotency-Key: ${key}`)
    const all = isKeyInBody ? { ...params, idempotencyKey: key } : params
    const send = client[name] as (params: unknown, options: SendOptions) => Promise<PartnerOutcome<unknown>>
    const answer = await send(all, {
      ...(takesKey && key !== undefined ? { key } : {}),
      onLine: (line) => writeNote(answerLines(line).join('  ')),
    })
    const outcome = isMoney ? asOurs(route, params, answer) : answer
    const exitCode = exitCodeOf(outcome, isMoney)
    const isOpen = exitCode === EXIT_CODE.unknown
    if (claim?.ok === true && NOT_PAID.has(exitCode)) claim.value.release()
    const looked = isOpen && search !== null ? await search.after(outcome) : NOT_LOOKED
    await search?.close()
    printPartnerOutcome(options, { name, key: key ?? null, isProven, looked }, outcome)
  }
  await printStoreError(options, () => withPartner(access, work))
}

/** Exit codes of a request that moved nothing. */
const NOT_PAID: ReadonlySet<number> = new Set([EXIT_CODE.usage, EXIT_CODE.refused, EXIT_CODE.unconfirmed])

function usedKeyText(name: EndpointName, why: string): string {
  return `nothing was sent: ${why}: ${UNPROVEN}. ${finderOf(name)} If it was not paid, omit --key, or add --again to send it under this key.`
}

/** Returns the venue's statement of the key's mode, null = no statement; undefined = unreachable, which was printed. */
async function modeBefore(
  client: PartnerClient,
  options: PerformOptions,
): Promise<KeyMemory['mode'] | undefined> {
  const outcome = await client.testmode({})
  if (outcome.kind === 'answered' || exitCodeOf(outcome, true) !== EXIT_CODE.unconfirmed)
    return modeOf(outcome)
  fail(options, EXIT_CODE.unconfirmed, `nothing was sent: ${outcome.words}`)
  return undefined
}

/** Asks before money moves. With a live key, or one of unknown mode, `--yes` alone is not enough. */
function mayPay(mode: KeyMemory['mode'], options: PerformOptions, question: string): Promise<boolean> {
  if (mode === 'test') return confirmed(options, question)
  const why = mode === 'live' ? 'real money moves' : 'the venue does not state the mode of the key'
  const yes = options.yes === true && options.live === true
  return confirmed({ ...options, yes }, `LIVE, ${why}: ${question}`, '--yes --live')
}

function priceOf({ fromToken, toToken, amount }: Readonly<Record<string, unknown>>) {
  return { from: fromToken, to: toToken, amount } as Parameters<PartnerClient['swapRate']>[0]
}

/** An answer about another payment than ours is inconclusive. */
function asOurs(
  route: string,
  params: Readonly<Record<string, unknown>>,
  outcome: PartnerOutcome<unknown>,
): PartnerOutcome<unknown> {
  if (outcome.kind !== 'answered' || !isRecord(outcome.value)) return outcome
  const { status, value } = outcome
  const why = whyUnclear(params, value)
  if (why === null) return outcome
  const words = `${route}: ${status}, and ${why}: ${JSON.stringify(shownAnswer(value))}`
  const id = [value['settlementId'], value['id']].find((one) => typeof one === 'string')
  return { kind: 'unknown', sent: 'yes', status, words, ...(id === undefined ? {} : { id }) }
}

const NOT_LOOKED: Looked = { found: null, lines: [] }

/** `isProven`: a repetition under the same key does not pay twice. */
type Sent = {
  readonly name: EndpointName
  readonly key: string | null
  readonly isProven: boolean
  readonly looked: Looked
}

function printPartnerOutcome(options: PerformOptions, sent: Sent, outcome: PartnerOutcome<unknown>): void {
  const { name, key, looked } = sent
  const { route, isMoney } = ENDPOINTS[name]
  const exitCode = exitCodeOf(outcome, isMoney)
  const about = { route, ...(key === null ? {} : { key }) }
  if (outcome.kind === 'answered') {
    const value = shownAnswer(outcome.value)
    if (exitCode === EXIT_CODE.ok)
      return print(options, answerLines(value).join('\n'), { ...about, ...outcome, value, exitCode })
    return fail(options, exitCode, answerLines(value).join('\n'), { ...about, ...outcome, value })
  }
  const endCode = (looked.found === null ? null : CODE_OF_END[looked.found.status]) ?? exitCode
  const advice = adviceOf(sent, endCode, outcome.kind === 'unknown' ? outcome.id : undefined)
  const value = looked.found === null ? null : shownAnswer(looked.found.value)
  const text = [
    outcome.words,
    ...detailLines(outcome),
    ...looked.lines.map((line) => `looked for it: ${line}`),
    ...(value === null ? [] : answerLines(value, '  ')),
    ...(advice === null ? [] : [advice]),
  ].join('\n')
  const shown = looked.lines.length === 0 ? {} : { looked: looked.lines, found: value }
  const details = { ...about, ...outcome, ...shown, ...(advice === null ? {} : { advice }) }
  if (endCode === EXIT_CODE.ok) print(options, text, { ...details, exitCode: endCode })
  else fail(options, endCode, text, details)
}

/** Exit code by the status of a payment that has ended; any other status leaves the outcome unknown. */
const CODE_OF_END: Readonly<Record<string, number>> = {
  completed: EXIT_CODE.ok,
  paid: EXIT_CODE.ok,
  failed: EXIT_CODE.failed,
  reverted: EXIT_CODE.failed,
}

function detailLines(outcome: PartnerOutcome<unknown>): readonly string[] {
  return outcome.kind === 'refused' && outcome.details !== null ? answerLines(outcome.details, '  ') : []
}

/** A payment that ended as failed was answered, but the command has failed. */
function exitCodeOf(outcome: PartnerOutcome<unknown>, isMoney: boolean): number {
  switch (outcome.kind) {
    case 'answered':
      if (!isMoney || !isRecord(outcome.value)) return EXIT_CODE.ok
      return CODE_OF_END[statusOf(outcome.value).toLowerCase()] ?? EXIT_CODE.ok
    case 'refused':
      if (outcome.code === 'other(not_sent)') return EXIT_CODE.usage
      if (outcome.status === 401 || outcome.code === 'ip_not_allowed') return EXIT_CODE.unconfirmed
      return isMoney && outcome.retry === 'verify' ? EXIT_CODE.unknown : EXIT_CODE.refused
    case 'unknown':
      return isMoney && outcome.sent !== 'no' ? EXIT_CODE.unknown : EXIT_CODE.unconfirmed
  }
}

const UNPROVEN =
  'nothing shows that the venue honours keys on this route, and treasury.keysHonoured does not name it'

/** Advice for finding the outcome of a payment without sending a payment. */
const FINDERS: Readonly<Partial<Record<EndpointName, string>>> = {
  swap: "Read the balances (`users read`) and the wallet's log on chain.",
  createTransfer:
    'Look for it on chain, by sender, receiver and exact amount, and at the balances (`users read`); transfers have no other record.',
  createDeposit: 'Look for its webhook; until it is paid, nothing has moved.',
  createWithdrawal: 'Look for its webhook and at the balance (`users read`).',
  createSpend: 'Look for its webhook and at the balance (`users read`).',
  offramp: 'Look for it with `ramp list`, `ramp read` and `ramp balance`.',
  onramp: 'Look for it with `ramp list`, `ramp read` and `ramp balance`.',
}

function finderOf(name: EndpointName): string {
  return FINDERS[name] ?? 'Read the resource that it would have changed.'
}

/** Returns advice on a payment with unknown outcome; null = no action needed. */
function adviceOf(
  { name, key, isProven, looked }: Sent,
  exitCode: number,
  id: string | undefined,
): string | null {
  if (exitCode !== EXIT_CODE.unknown) return null
  const { resource } = ENDPOINTS[name].command
  const verbs = Object.values(ENDPOINTS).map(({ command }) => command)
  const isRead = verbs.some((command) => command.resource === resource && command.verb === 'read')
  const named =
    id === undefined ? '' : `The answer names ${id}${isRead ? `: \`${resource} read --id ${id}\`` : ''}. `
  const find = `${named}${finderOf(name)}`
  if (looked.found !== null)
    return `One that fits is shown above, ${looked.found.status}. Do not send it again. ${find}`
  const never = 'The outcome is unknown: money may have moved. Do not send it again'
  if (key === null || !isProven || name === 'swap')
    return `${never}, with this key or another${key === null || name === 'swap' ? '' : `: ${UNPROVEN}`}. ${find} If it is not found, ask the operator of the venue.`
  return `${never} with another key. ${find} The same command with --key ${key} returns the original outcome.`
}
