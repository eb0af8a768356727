import { randomUUID } from 'node:crypto'
import type { Ms } from '../../base/time.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { WITHDRAWING } from '../../core/engine/withdrawals/on-request.ts'
import { type Asset, formatTokens } from '../../base/money/asset.ts'
import { openReader } from '../../store/open-reader.ts'
import { commandDaemon, operatorName } from './daemon-client.ts'
import { contactOf } from '../../daemon/config/load/contact.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import {
  followWithdrawal,
  forbiddenWithdrawal,
  parseWithdrawalOrder,
  UNKNOWN_WITHDRAWAL,
  type WithdrawalOrder,
} from './withdrawal.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { confirmed } from '../output/confirm.ts'
import { oneShot, type OneShot } from './one-shot.ts'
import {
  type CommandResult,
  fail,
  type Outcome,
  printOutcome,
  printStoreError,
  type OutputFormat,
} from '../output/print.ts'

type WithdrawOptions = OutputFormat & {
  readonly config: string
  readonly token: Asset
  readonly amount: string
  readonly to: string
  readonly yes?: boolean
  /** Identifies this withdrawal; generated if not given. */
  readonly key?: string
  readonly reason: string
}

/** Time limit for opening the ledger, which must have a balance before a withdrawal. */
const OPENING_MS = 20_000
/** Added to the venue's own time limit. */
const BEYOND_ANSWER_MS = 10_000

/** Withdraws tokens to a listed address, after confirmation; never twice. */
export async function withdraw(options: WithdrawOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  const order = parseWithdrawalOrder(options.token, options.amount, options.to)
  if (!order.ok) return fail(options, EXIT_CODE.usage, order.error)
  const forbidden = forbiddenWithdrawal(order.value, config.withdraw)
  if (forbidden !== null) return fail(options, EXIT_CODE.refused, `nothing was sent: ${forbidden}`)
  if (!(await confirmed(options, questionOf(config, order.value)))) return
  await printStoreError(options, async () => {
    const { asset, amount, toAddress } = order.value
    const key = options.key ?? randomUUID()
    const details = { asset, amount: formatTokens(amount, asset), toAddress, key }
    const outcome = await execute(config, order.value, key, options.reason)
    const again =
      outcome.exitCode === EXIT_CODE.ok ? '' : ` (to ask about this withdrawal again: --key ${key})`
    printOutcome(options, { ...outcome, answer: `${outcome.answer}${again}` }, details)
  })
}

function questionOf(config: LoadedConfig, order: WithdrawalOrder): string {
  const what = `${formatTokens(order.amount, order.asset)} ${order.asset} of ${config.core.name} to ${order.toAddress}`
  return `Send ${what}? The venue (${config.venue.baseUrl}) executes it at once, and it cannot be reversed.`
}

async function execute(
  config: LoadedConfig,
  order: WithdrawalOrder,
  key: string,
  why: string,
): Promise<Outcome> {
  const who = operatorName()
  const { asset, toAddress } = order
  const before = lastSeq(config)
  const body = { who, why, asset, amount: formatTokens(order.amount, asset), toAddress }
  const outcome = await commandDaemon(contactOf(config), 'withdraw', body, { 'idempotency-key': key })
  const withinMs = config.venue.slowTimeoutMs + BEYOND_ANSWER_MS
  if (outcome !== null) {
    // A withdrawal that waits for approval, or was sent before, is not followed.
    if (outcome.exitCode !== EXIT_CODE.ok || !outcome.answer.startsWith(WITHDRAWING)) return outcome
    return { ...outcome, ...(await followWithdrawal(config, before, order, withinMs)) }
  }
  let seen: CommandResult | null = null
  const done = await oneShot(
    config,
    'withdraw',
    async (shot) => (seen = await send(shot, order, { key, who, why, withinMs })),
  )
  const common = { command: 'withdraw', position: config.core.name, via: 'venue' } as const
  if (done.ok) return { ...common, ...done.value }
  // The journal failed while the payment was in flight.
  const { exitCode } = (seen as CommandResult | null) ?? done.error
  return { ...common, ...done.error, ...(exitCode === EXIT_CODE.unknown && { exitCode }) }
}

async function send(
  { position, observations, until }: OneShot,
  order: WithdrawalOrder,
  {
    key,
    who,
    why,
    withinMs,
  }: {
    readonly key: string
    readonly who: string
    readonly why: string
    readonly withinMs: Ms
  },
): Promise<CommandResult> {
  const isOpen = await until(
    () => position.state().reconciliation.opened && position.state().received.balances,
    OPENING_MS,
  )
  if (!isOpen)
    return {
      exitCode: EXIT_CODE.unconfirmed,
      answer: 'nothing was sent: the venue returned no balances, so the ledger is not open',
    }
  const { accepted, answer } = position.command({ name: 'withdraw', ...order, key }, who, why)
  if (!accepted) return { exitCode: EXIT_CODE.refused, answer: `nothing was sent: ${answer}` }
  const from = observations.length
  const ended = () =>
    observations
      .slice(from)
      .find(
        (one) =>
          one.type === 'withdrawn' ||
          (one.type === 'requestFailed' && one.failure.route.endsWith('/withdraw')),
      )
  await until(() => ended() !== undefined, withinMs)
  const end = ended()
  if (end?.type === 'withdrawn')
    return { exitCode: EXIT_CODE.ok, answer: `${end.text}, confirmed by the venue` }
  if (end?.type !== 'requestFailed' || end.failure.outcome === 'unknown') return UNKNOWN_WITHDRAWAL
  return { exitCode: EXIT_CODE.failed, answer: `nothing was sent: ${end.failure.message}` }
}

function lastSeq(config: LoadedConfig): number {
  const reader = openReader(config.store.place)
  if (!reader.ok) return 0
  try {
    return reader.value.lastSeq()
  } finally {
    reader.value.close()
  }
}
