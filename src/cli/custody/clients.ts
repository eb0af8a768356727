import { join } from 'node:path'
import { err, ok, type Result } from '../../base/result.ts'
import type { Chain } from '../../custody/chain/chain.ts'
import { openChain } from '../../custody/chain/open-chain.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { VenueFailure } from '../../core/engine/model/venue-answer.ts'
import type { TokenAmounts } from '../../base/money/asset.ts'
import type { RfqSettings } from '../../core/rfq/rfq-settings.ts'
import { chainSettings, TRANSACTIONS_FILE } from '../../daemon/runtime/effects/custody.ts'
import { openSharedSigning, type SharedSigning } from '../../daemon/runtime/effects/shared-signing.ts'
import { openSignerFile, openWalletSigner } from '../../daemon/runtime/effects/wallet-signer.ts'
import type { Hex } from '../../core/rfq/rfq-order.ts'
import type { PolicyStore } from '../../custody/signing/policy/policy-store.ts'
import { pinnedSolver } from '../../custody/signing/policy/policy-state.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { type OutputFormat, printWarning, type CommandResult, writeNote } from '../output/print.ts'
import { mkdirSync } from 'node:fs'
import { takeStoreLock, type StoreLock } from '../../store/store-lock.ts'
import { storeFiles } from '../../store/store-files.ts'

/** The wallet and the chain for a command, while no daemon uses them. */
export type CustodyClients = {
  readonly settings: RfqSettings
  /** The configured allowances of the exchange, in base units. */
  readonly approve: Partial<TokenAmounts>
  readonly chain: Chain
  /** The solver that the signer signs for, on this machine and on others that may hold the position. */
  readonly solvers: {
    readonly pinned: () => Hex | null
    /** The error is a sentence; then nothing was pinned here. */
    readonly pin: (solver: Hex) => Promise<Result<null, string>>
  }
  readonly close: () => Promise<void>
}

/**
 * Opens the configured key and chain, checks that they match the configuration, and never signs an order. Shares the
 * daemon's file of pending transactions, so that neither reuses the other's nonces.
 */
export async function openCustodyClients(
  config: LoadedConfig,
): Promise<Result<CustodyClients, CommandResult>> {
  const { rfq: settings, mode } = config.core
  if (settings === null || config.rfq === null)
    return err({
      exitCode: EXIT_CODE.usage,
      answer: `${config.file} has no section rfq; add one for self-custody`,
    })
  if (mode === 'dry-run')
    return err({
      exitCode: EXIT_CODE.refused,
      answer: 'this is a dry run: nothing is changed at the venue or on the chain',
    })
  const wallet = { config, settings, rfq: config.rfq }
  const file = openSignerFile(wallet)
  if (!file.ok) return err({ exitCode: EXIT_CODE.failed, answer: `nothing was changed: ${file.error}` })
  const store = file.value
  const shared = openSharedSigning(config, settings, () => 0)
  const leave = async (why: string) => {
    store.close()
    await shared?.close()
    return err({ exitCode: EXIT_CODE.failed, answer: `nothing was changed: ${why}` })
  }
  const read = await shared?.read()
  if (read?.ok === false) return leave(read.error)
  store.state.shared = read?.value ?? null
  const signer = await openWalletSigner({
    ...wallet,
    store,
    shared,
    readOrders: () => Promise.resolve(err('a command signs no orders')),
    warn: printWarning,
    now: () => Date.now(),
  })
  if (!signer.ok) return leave(signer.error)
  const chain = await openChain(chainSettings(config, settings), {
    account: signer.value.account,
    now: () => Date.now(),
    transactionsFile: join(config.store.path, TRANSACTIONS_FILE),
  })
  if (!chain.ok) return leave(chain.error)
  const close = async () => {
    await chain.value.close()
    store.close()
    await shared?.close()
  }
  const solvers = solversOf(store, shared)
  return ok({ settings, approve: config.rfq.approve, chain: chain.value, solvers, close })
}

/** Pins a solver for all machines first: a machine with another solver in its own file signs nothing until it is pinned there too. */
function solversOf(store: PolicyStore, shared: SharedSigning | null): CustodyClients['solvers'] {
  return {
    pinned: () => pinnedSolver(store.state),
    async pin(solver) {
      const written = (await shared?.pinSolver(solver)) ?? ok(null)
      if (written.ok) store.pinSolver(solver)
      return written
    },
  }
}

/** Returns a failure of the chain or the venue as the result of a command; `what` names the step. */
export function failedEnd(failure: VenueFailure, what: string): CommandResult {
  const { kind, outcome, message } = failure
  if (outcome === 'unknown')
    return {
      exitCode: EXIT_CODE.failed,
      answer: `${what} has no clear outcome (${message}): run the command again; a completed step is not repeated`,
    }
  const isSilent = kind === 'network' || kind === 'timeout' || kind === 'auth' || kind === 'server'
  return {
    exitCode: isSilent ? EXIT_CODE.unconfirmed : EXIT_CODE.failed,
    answer: `${what} failed (${message}); correct it and run the command again`,
  }
}

/** Releases the store to work that takes its lock itself, and takes it back. */
export type LendStore = <Answer>(work: () => Promise<Answer>) => Promise<Result<Answer, CommandResult>>

/**
 * Runs work while no daemon of this position runs, and prevents one from starting, because only one process may send
 * the wallet's transactions. If a daemon runs, the result names it.
 */
export async function withStoreLock(
  config: LoadedConfig,
  work: (lend: LendStore) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { path } = config.store
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const first = hold(path)
  if (!first.ok) return first.error
  let held: StoreLock | null = first.value
  const lend: LendStore = async (borrow) => {
    held?.release()
    held = null
    const answer = await borrow()
    const again = hold(path)
    if (!again.ok) return again
    held = again.value
    return ok(answer)
  }
  try {
    return await work(lend)
  } finally {
    held?.release()
  }
}

function hold(path: string): Result<StoreLock, CommandResult> {
  const lock = takeStoreLock(storeFiles(path), { pid: process.pid, startedAt: new Date().toISOString() })
  if (lock.ok) return lock
  const isRunning = lock.error.kind === 'locked'
  return err({
    exitCode: isRunning ? EXIT_CODE.refused : EXIT_CODE.failed,
    answer: isRunning
      ? `nothing was changed: ${lock.error.message.replace(/: one daemon per store.*/, '')}; stop it first`
      : lock.error.message,
  })
}

/** One step of a procedure: its subject, whether it changed anything, and a line for people. */
type CustodyStep = { readonly step: string; readonly isChange: boolean; readonly text: string }

export type CustodySteps = {
  /** The steps so far, for the JSON document. */
  readonly reported: readonly CustodyStep[]
  readonly report: (step: string, isChange: boolean, text: string) => void
  /** Prints a pending step, only for people. */
  readonly wait: (text: string) => void
}

/** Prints each step to stderr as it happens, because a transaction may take minutes; with `--json` only at the end. */
export function custodySteps(voice: OutputFormat): CustodySteps {
  const told: CustodyStep[] = []
  const write = (line: string) => {
    if (voice.json !== true) writeNote(line)
  }
  return {
    reported: told,
    report(step, isChange, text) {
      told.push({ step, isChange, text })
      write(`${isChange ? 'done' : 'so already'}: ${text}`)
    },
    wait: (text) => write(`waiting: ${text}`),
  }
}
