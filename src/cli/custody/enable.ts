import { confirm } from '@clack/prompts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import {
  type CustodyClients,
  custodySteps,
  type CustodySteps,
  failedEnd,
  type LendStore,
  openCustodyClients,
  withStoreLock,
} from './clients.ts'
import { deactivateOnce } from '../operator/deactivate-once.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { operatorName } from '../operator/daemon-client.ts'
import { printOutcome, printStoreError, type OutputFormat, type CommandResult } from '../output/print.ts'
import { openVenue } from '../../daemon/runtime/effects/open-venue.ts'
import { type TokenAmounts, ASSETS, formatTokens } from '../../base/money/asset.ts'
import { solverProblem } from '../../core/engine/orders/on-solver-info.ts'
import type { Hex } from '../../core/rfq/rfq-order.ts'
import { selfCustodyOf } from '../../daemon/runtime/effects/connect-venue.ts'
import type { CustodyPort, VenuePort } from '../../venue/port.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'

type CustodyEnableOptions = OutputFormat & {
  readonly config: string
  readonly reason: string
  /** The solver that an operator has verified; absent = asked on the terminal. */
  readonly solver?: string
}

/** Leaves the pool and sets the exchange's allowances, so that the daemon may sign orders. */
export async function custodyEnable(options: CustodyEnableOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { forTrading: true, strategy: 'load-apart' })
  if (config === null) return
  const steps = custodySteps(options)
  await printStoreError(options, async () => {
    const end = await withStoreLock(config, (lend) => enable(config, options, lend, steps))
    const outcome = { command: 'custody enable', position: config.core.name, via: 'chain', ...end } as const
    printOutcome(options, outcome, { steps: steps.reported })
  })
}

async function enable(
  config: LoadedConfig,
  options: CustodyEnableOptions,
  lend: LendStore,
  steps: CustodySteps,
): Promise<CommandResult> {
  const clients = await openCustodyClients(config)
  if (!clients.ok) return clients.error
  const venue = openVenue(config)
  const leavePool = async () => {
    const by = { who: operatorName(), why: options.reason }
    const left = await lend(() => deactivateOnce(config, { name: 'deactivate', insists: true }, by))
    return left.ok ? left.value : left.error
  }
  try {
    const custody = selfCustodyOf(venue)
    if (!custody.ok) return { exitCode: EXIT_CODE.usage, answer: `${config.file}: ${custody.error}` }
    const confirmSolver = (solver: string, pinned: string | null) => confirmedSolver(solver, pinned, options)
    return await enableCustody({
      clients: clients.value,
      venue: { ...venue, ...custody.value },
      leavePool,
      steps,
      expectedSolver: options.solver ?? null,
      confirmSolver,
    })
  } finally {
    await Promise.all([venue.close(), clients.value.close()])
  }
}

/** Returns why the solver is not confirmed; null = it is the one of --solver, or was confirmed on the terminal. */
async function confirmedSolver(
  solver: string,
  pinned: string | null,
  { solver: named, json }: CustodyEnableOptions,
): Promise<string | null> {
  const what =
    pinned === null
      ? `the venue names the solver ${solver}, and none is pinned yet`
      : `the venue names the solver ${solver}, and the signer signs for ${pinned} only`
  if (named !== undefined) return null
  if (json === true || !process.stdin.isTTY || !process.stderr.isTTY)
    return `${what}: it may take whatever your orders give, so compare it with what the venue has published, then confirm it with --solver ${solver}`
  const isConfirmed = await confirm({
    message: `${what[0]?.toUpperCase()}${what.slice(1)}. It may take whatever your orders give. Pin it?`,
    initialValue: false,
    output: process.stderr,
  })
  return isConfirmed === true ? null : 'nothing was changed: the solver was not confirmed'
}

export type EnableParts = {
  readonly clients: CustodyClients
  readonly venue: Pick<VenuePort, 'account'> & Pick<CustodyPort, 'rfqInfo' | 'custody'>
  /** Takes the pooled position out of the market and confirms that. */
  readonly leavePool: () => Promise<CommandResult>
  readonly steps: CustodySteps
  /** The solver of --solver; null = not given. Every other solver is refused. */
  readonly expectedSolver: string | null
  /** Asks the operator to confirm the solver that orders name; returns why not, null = confirmed. */
  readonly confirmSolver: (solver: Hex, pinned: Hex | null) => Promise<string | null>
}

/**
 * Switches from pooled capital to signed orders: checks everything, leaves the pool, approves exactly the configured
 * amounts for the exchange, and switches the venue. Each step first checks whether it is done, so that the command
 * can be interrupted and repeated at any point.
 */
export async function enableCustody(parts: EnableParts): Promise<CommandResult> {
  const walk = [checkVenue, pinSolver, showWallet, leaveThePool, approveAmounts, switchVenue]
  for (const step of walk) {
    const end = await step(parts)
    if (end !== null) return end
  }
  return {
    exitCode: EXIT_CODE.ok,
    answer: 'self-custody is on: `mizani run` signs orders from your own wallet, within what was approved',
  }
}

async function checkVenue({
  venue,
  clients: { settings },
  steps,
}: EnableParts): Promise<CommandResult | null> {
  const account = await venue.account()
  if (!account.ok) return failedEnd(account.error, 'reading the account from the venue')
  const registered = account.value.walletAddress?.toLowerCase() ?? null
  if (registered !== null && registered !== settings.maker)
    return refused(
      `the venue has the wallet ${registered}, and rfq.maker is ${settings.maker}: it would reject every order (WRONG_MAKER)`,
    )
  const info = await venue.rfqInfo()
  if (!info.ok) return failedEnd(info.error, 'reading the solver from the venue')
  const problem = solverProblem(settings, info.value)
  if (problem !== null) return refused(problem)
  const solver = settings.solver ?? info.value.solverWallet ?? ''
  steps.report('venue', false, `the venue agrees with the configuration; orders are for ${solver}`)
  return null
}

/**
 * The solver can take whatever orders give, so a person must verify the first one and every later change. The author
 * of the configuration has verified a solver named there.
 */
async function pinSolver({
  venue,
  clients,
  steps,
  expectedSolver,
  confirmSolver,
}: EnableParts): Promise<CommandResult | null> {
  const { settings, solvers } = clients
  const info = await venue.rfqInfo()
  if (!info.ok) return failedEnd(info.error, 'reading the solver from the venue')
  const named = settings.solver ?? info.value.solverWallet
  if (named === null) return refused('GET /rfq/info names no solver: set rfq.solver')
  const solver = named.toLowerCase() as Hex
  if (expectedSolver !== null && expectedSolver.toLowerCase() !== solver)
    return refused(
      `--solver is ${expectedSolver}, but ${settings.solver === null ? 'the venue' : 'rfq.solver'} names ${solver}; nothing was changed: ask the venue which one is right`,
    )
  const pinned = solvers.pinned()
  if (solver === pinned) {
    steps.report('solver', false, `the signer signs for ${solver} only`)
    return null
  }
  const isWritten = pinned === null && settings.solver !== null
  const whyNot = isWritten ? null : await confirmSolver(solver, pinned)
  if (whyNot !== null) return refused(whyNot)
  const written = await solvers.pin(solver)
  if (!written.ok) return { exitCode: EXIT_CODE.failed, answer: `nothing was changed: ${written.error}` }
  steps.report('solver', true, `the signer signs for ${solver} only, from now on`)
  return null
}

async function showWallet({ clients, steps }: EnableParts): Promise<CommandResult | null> {
  const wallet = await clients.chain.wallet()
  if (!wallet.ok) return failedEnd(wallet.error, 'reading the wallet on the chain')
  const { balances, allowances } = wallet.value
  const text = `${clients.settings.maker} holds ${listOf(balances)}; the exchange may take ${listOf(allowances)}`
  steps.report('wallet', false, text)
  return null
}

/** Reads the account again after the deactivation: only the venue's answer counts. */
async function leaveThePool({ venue, leavePool, steps }: EnableParts): Promise<CommandResult | null> {
  const before = await venue.account()
  if (!before.ok) return failedEnd(before.error, 'reading from the venue whether capital is pooled')
  if (!before.value.isActive) {
    steps.report('pool', false, 'the pooled position is inactive')
    return null
  }
  steps.wait('deactivating the pooled position, which may take a minute')
  const left = await leavePool()
  if (left.exitCode !== EXIT_CODE.ok) return left
  const after = await venue.account()
  if (!after.ok) return failedEnd(after.error, 'reading from the venue whether capital is still pooled')
  if (after.value.isActive)
    return refused(
      'the venue still shows the pooled position as active (pooled_capital_active); run this again',
    )
  steps.report('pool', true, left.answer)
  return null
}

/** A token missing from rfq.approve keeps its allowance, and the step reports that. */
async function approveAmounts({ clients, steps }: EnableParts): Promise<CommandResult | null> {
  for (const asset of ASSETS) {
    if (clients.settings.tokens[asset] === undefined) continue
    const amount = clients.approve[asset]
    if (amount === undefined) {
      steps.report('approve', false, `${asset} is not in rfq.approve: its allowance is unchanged`)
      continue
    }
    const what = `${formatTokens(amount, asset)} ${asset}`
    const sent = await clients.chain.approve(asset, amount)
    if (!sent.ok) return failedEnd(sent.error, `allowing the exchange ${what}`)
    const text = `the exchange may take ${what}`
    if (sent.value === null) steps.report('approve', false, text)
    else steps.report('approve', true, `${text} (transaction ${sent.value.txHash})`)
  }
  return null
}

async function switchVenue({ venue, steps }: EnableParts): Promise<CommandResult | null> {
  const told = await venue.custody(true)
  if (!told.ok && told.error.code === 'pooled_capital_active')
    return refused(
      'capital is still pooled at the venue (pooled_capital_active): run the command again, it deactivates first',
    )
  if (!told.ok) return failedEnd(told.error, 'PUT /custody at the venue')
  if (told.value.isEnabled === false)
    return refused(
      'the venue accepted PUT /custody but reports self-custody as off; ask it why, or try venue.custodyBody: selfCustody',
    )
  const says =
    told.value.isEnabled === true ? ', confirmed in its answer' : '; its answer does not confirm it'
  steps.report('custody', true, `the venue accepted that self-custody is on${says}`)
  return null
}

function listOf(amounts: Partial<TokenAmounts>): string {
  const texts = ASSETS.flatMap((asset) => {
    const amount = amounts[asset]
    return amount === undefined ? [] : [`${formatTokens(amount, asset)} ${asset}`]
  })
  return texts.length === 0 ? 'nothing' : texts.join(', ')
}

function refused(why: string): CommandResult {
  return { exitCode: EXIT_CODE.refused, answer: why }
}
