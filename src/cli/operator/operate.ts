import { TEXT_LIMIT } from '../../daemon/console/commands/command-entry.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND_MS } from '../../base/time.ts'
import type { Contact } from '../../daemon/config/load/contact.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { OperatorCommand } from '../../core/engine/model/event.ts'
import { isStop, type PlainName } from '../../daemon/console/commands/operator-commands.ts'
import { formatRate } from '../../base/money/rate.ts'
import { viewSchema } from '../../daemon/view/position-view.ts'
import { commandDaemon, daemonView, operatorName, refusedWithoutDaemon } from './daemon-client.ts'
import { commandOffline } from '../../daemon/runtime/position/command-offline.ts'
import { operateFleet } from './operate-fleet.ts'
import { followDeactivation } from './follow-deactivation.ts'
import { deactivateOnce, needsNoStore } from './deactivate-once.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { contactOrExplain, loadOrExplain } from '../load-or-explain.ts'
import type { DaemonOptions } from '../options.ts'
import { confirmed } from '../output/confirm.ts'
import { differenceText, parseDifference } from '../../base/money/difference.ts'
import {
  fail,
  type Outcome,
  printOutcome,
  printProgress,
  printStoreError,
  type OutputFormat,
} from '../output/print.ts'

export type OperateOptions = OutputFormat & DaemonOptions & { readonly reason: string }
/** Withdrawals and cancellations have separate commands; a signal ends the process. */
type Operation = Extract<OperatorCommand, { readonly name: PlainName | 'resume' | 'deactivate' }>

/** One position, or every position of a fleet's folder. */
export type OneOrAll = OperateOptions & {
  readonly fleet?: string
  /** Seconds to wait for the venue; absent = as long as each command usually waits. */
  readonly wait?: number
}

/** Sends an operator's command to the daemon or, without one, to the store or the venue. */
export async function operate(command: Operation, options: OneOrAll): Promise<void> {
  const { fleet, config: file, reason } = options
  const by = { who: operatorName(), why: reasonText(reason) }
  await printStoreError(options, async () => {
    if (fleet !== undefined)
      return operateFleet(fleet, options, {
        send: (contact) => sendToDaemon(contact, command, by, options),
        // Without a daemon the strategies of a fleet are tried elsewhere; recovering a store needs the strategy's code.
        withoutDaemon: (config) =>
          withoutDaemon(config, command, by, () => loadOrExplain(config.file, options)),
      })
    const urgency = { isStop: isStop(command) }
    const contact = await contactOrExplain(options, urgency)
    const order = contact === null ? null : await withDifference(contact, command, options)
    if (contact === null || order === null) return
    const outcome = await sendToDaemon(contact, order, by, options)
    if (outcome !== null) return printOutcome(options, outcome)
    if (file === undefined) return printOutcome(options, unreached(contact, command.name))
    // The store and the venue need a valid configuration, a running daemon only its address.
    const config = await loadOrExplain(file, options, urgency)
    if (config !== null)
      printOutcome(options, await withoutDaemon(config, order, by, () => Promise.resolve(config)))
  })
}

type By = { readonly who: string; readonly why: string }

/** Shows the difference that `--book` books and asks for confirmation; a script names it. Null = not booked. */
async function withDifference(
  contact: Contact,
  command: Operation,
  options: OutputFormat,
): Promise<Operation | null> {
  if (command.name !== 'resume' || command.book === undefined || command.expect !== undefined) return command
  const seen = RECONCILIATION.safeParse((await daemonView(contact))?.body)
  if (!seen.success) {
    const message = 'nothing was booked: no daemon shows the difference; state it with --expect'
    fail(options, EXIT_CODE.refused, message)
    return null
  }
  const text = Object.entries(seen.data.reconciliation.difference)
    .map(([asset, amount]) => `${amount} ${asset}`)
    .join(', ')
  const expect = parseDifference(text)
  if (!expect.ok) {
    fail(options, EXIT_CODE.refused, 'nothing was booked: balances and ledger agree')
    return null
  }
  const question = `Book the difference of ${contact.name}, ${text}, as ${command.book}?`
  return (await confirmed(options, question, `--expect "${text}"`))
    ? { ...command, expect: expect.value }
    : null
}

const RECONCILIATION = viewSchema.pick({ reconciliation: true })

/** Null = no daemon runs. */
async function sendToDaemon(
  contact: Contact,
  command: Operation,
  by: By,
  { wait }: Pick<OneOrAll, 'wait'>,
): Promise<Outcome | null> {
  const outcome = await commandDaemon(contact, command.name, { ...by, ...fieldsOf(command) })
  if (outcome === null || (!isStop(command) && command.name !== 'resume')) return outcome
  const seen = contact.name === null ? NAMED.safeParse((await daemonView(contact))?.body) : null
  const name = seen?.data?.name ?? contact.name
  // For several positions, the answer has a line for each.
  if (name === null) return outcome
  const one = { ...contact, name }
  if (command.name === 'deactivate') return followDaemon(one, outcome, wait)
  return follow(one, outcome, command.name === 'resume' ? resumeProgress : stopProgress, wait)
}

const NAMED = viewSchema.pick({ name: true })

/** The daemon named by its store or URL does not answer; acting without it requires a configuration. */
export function unreached(contact: Contact, command: string): Outcome {
  const answer = `no daemon answers at ${contact.file}, so nothing was done; --config FILE also works without a daemon`
  const position = contact.name ?? contact.file
  return { command, position, via: 'nobody', exitCode: EXIT_CODE.failed, answer }
}

async function withoutDaemon(
  config: LoadedConfig,
  command: Operation,
  { who, why }: By,
  withStrategy: () => Promise<LoadedConfig | null>,
): Promise<Outcome> {
  if (command.name === 'deactivate') return deactivateOnce(config, command, { who, why })
  const common = { command: command.name, position: config.core.name }
  if (command.name === 'activate') {
    const answer =
      'no daemon runs, and an active position without one quotes unmonitored. Start `run`; it activates by itself, or with `activate`'
    return { ...common, via: 'nobody', exitCode: EXIT_CODE.refused, answer }
  }
  const whole = await withStrategy()
  if (whole === null)
    return { ...common, via: 'nobody', exitCode: EXIT_CODE.usage, answer: `${config.file} is broken` }
  const done = await commandOffline(whole, { command, who, why })
  if (!done.ok) {
    const { kind, message } = done.error
    const remedy = needsNoStore(config, kind)
      ? '. Nothing was stopped, and nothing was sent to the venue; `mizani deactivate` does without the store'
      : ''
    const answer = isStop(command) ? message + remedy : message
    return { ...common, via: 'store', exitCode: EXIT_CODE.failed, answer }
  }
  const { accepted, answer } = done.value
  if (!accepted) return { ...common, via: 'store', exitCode: EXIT_CODE.refused, answer }
  const later =
    'journalled: no daemon runs, so the command takes effect at the next start, and the quote at the venue is unchanged'
  const exitCode = isStop(command) ? EXIT_CODE.unconfirmed : EXIT_CODE.ok
  return { ...common, via: 'store', accepted: true, exitCode, answer: `${answer} (${later})` }
}

/** The daemon has accepted the command; only the venue and the wallet show that the position is out. */
async function followDaemon(
  contact: Contact,
  outcome: Outcome,
  waitSeconds: number | undefined,
): Promise<Outcome> {
  // The venue rarely confirms the end before the daemon answers.
  if (outcome.exitCode !== EXIT_CODE.ok && outcome.exitCode !== EXIT_CODE.unconfirmed) return outcome
  let later = 'the daemon keeps repeating the request'
  let text = `the live quote is unknown. The daemon answered: ${outcome.answer}`
  const look = async () => {
    const answer = await daemonView(contact)
    const seen = DEACTIVATION.safeParse(answer?.body)
    if (!seen.success) return 'the daemon does not show its state'
    const { leaving, isActive, live } = seen.data
    text = live.text
    if (leaving?.isRepeated === false)
      later = 'the daemon sends no further request: ask the venue, then run this command again'
    if (leaving !== null) return leaving.why
    if (isActive === null) return live.text
    return isActive ? 'the account still shows the position as active' : null
  }
  const ended = await followDeactivation(look, () => `${text}; ${later}. Do: ${REMEDY}`, { waitSeconds })
  return { ...outcome, ...ended, accepted: true }
}

const REMEDY =
  "look at the venue's page; `mizani status` shows when it is confirmed, and docs/first-aid.md how to stop the quote without the daemon"
const DEACTIVATION = viewSchema.pick({ leaving: true, isActive: true, live: true })

const STOP_SECONDS = 15
const LIVE = viewSchema.pick({ live: true, tradingState: true, reasons: true })
type Live = ReturnType<typeof LIVE.parse>

/** Returns the result of a command from the daemon's state, or a line that describes the missing condition. */
type Progress = (view: Live) => string | Pick<Outcome, 'exitCode' | 'answer' | 'accepted'>

function stopProgress({ live }: Live): ReturnType<Progress> {
  if (live.stopped !== true) return live.text
  return { exitCode: EXIT_CODE.ok, answer: `stopped. Confirmed at the venue: ${live.text}` }
}

function resumeProgress({ tradingState, reasons }: Live): ReturnType<Progress> {
  if (tradingState !== 'HALTED') return `the venue refuses the key, and trading is ${tradingState}`
  const answer = `NOT resumed: trading is HALTED again: ${reasons.join('; ')}`
  return { exitCode: EXIT_CODE.refused, answer, accepted: false }
}

/** The daemon keeps polling the venue; its last state at the end of the wait is the answer. */
async function follow(
  contact: Contact,
  outcome: Outcome,
  progress: Progress,
  waitSeconds = STOP_SECONDS,
): Promise<Outcome> {
  if (outcome.exitCode !== EXIT_CODE.unconfirmed) return outcome
  const until = performance.now() + waitSeconds * SECOND_MS
  for (let shown: string | null = null; performance.now() < until;) {
    const view = LIVE.safeParse((await daemonView(contact))?.body)
    const seen = view.success ? progress(view.data) : 'the daemon does not show its state'
    if (typeof seen !== 'string') return { ...outcome, ...seen }
    if (seen !== shown) printProgress((shown = seen))
    await pause(SECOND_MS)
  }
  return outcome
}

/** Returns the fields of a command without its name, as the daemon's API reads them. */
function fieldsOf(command: Operation): Record<string, string | number | boolean> {
  if (command.name === 'deactivate')
    return {
      ...(command.wallet !== undefined && { wallet: command.wallet }),
      ...(command.now === true && { now: true }),
    }
  if (command.name !== 'resume') return {}
  return {
    ...(command.book !== undefined && { book: command.book }),
    ...(command.expect !== undefined && { expect: differenceText(command.expect) }),
    ...(command.reviewUntil !== undefined && { reviewUntil: command.reviewUntil }),
    ...(command.acceptMid !== undefined && { acceptMid: formatRate(command.acceptMid) }),
  }
}

/** Fits a reason to the daemon's limits: a halt must not fail because a script gives no reason, or a long one. */
export function reasonText(reason: string): string {
  const text = reason.trim()
  if (text === '') return 'no reason given'
  return text.length <= TEXT_LIMIT ? text : `${text.slice(0, TEXT_LIMIT - 1)}…`
}

/** Reads the configuration of one position, or of every position of a fleet, again. Only a running daemon does it. */
export async function reload(options: OneOrAll & { readonly fromFile?: boolean }): Promise<void> {
  const { fleet, reason, fromFile = false } = options
  const body = { who: operatorName(), why: reasonText(reason), fromFile }
  const answer = 'no daemon runs, so nothing was reloaded; `run` reads the configuration when it starts'
  const send = async (contact: Contact): Promise<Outcome> =>
    (await commandDaemon(contact, 'reload', body)) ?? refusedWithoutDaemon(contact, 'reload', answer)
  await printStoreError(options, async () => {
    if (fleet !== undefined) return operateFleet(fleet, options, { send })
    const contact = await contactOrExplain(options)
    if (contact !== null) printOutcome(options, await send(contact))
  })
}

/** Approves or cancels a withdrawal. It needs a token, so only the daemon does it. */
export async function answerWithdrawal(
  command: 'approveWithdrawal' | 'cancelWithdrawal',
  options: OperateOptions & { readonly key: string },
): Promise<void> {
  const contact = await contactOrExplain(options)
  if (contact === null) return
  const body = { who: operatorName(), why: reasonText(options.reason), key: options.key }
  const outcome = await commandDaemon(contact, command, body)
  const answer = 'no daemon runs, and only a daemon checks tokens: start `run` first'
  printOutcome(options, outcome ?? refusedWithoutDaemon(contact, command, answer), { key: options.key })
}
