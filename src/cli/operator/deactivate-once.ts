import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { err, errorText } from '../../base/result.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { ASSETS, formatAmount } from '../../base/money/asset.ts'
import { walletAmounts } from '../../core/ledger/book/book.ts'
import { whyStillLeaving } from '../../core/engine/activation/leaving.ts'
import { liveQuote, liveText } from '../../core/engine/quote/live-quote.ts'
import { followDeactivation } from './follow-deactivation.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { oneShot, type OneShot } from './one-shot.ts'
import type { OperatorCommand } from '../../core/engine/model/event.ts'
import type { Outcome } from '../output/print.ts'
import type { StoreFailure } from '../../store/failure.ts'

type By = { readonly who: string; readonly why: string }
type Deactivate = Extract<OperatorCommand, { readonly name: 'deactivate' }>

/** Time limit for the balances after the deactivation; without them the outcome is the same but not reconciled. */
const BALANCES_MS = 15_000

const REMEDY = "Do: run the command again, or take the position out on the venue's page"

/** Deactivates the position without a daemon and reports the wallet's balances afterwards. */
export async function deactivateOnce(config: LoadedConfig, order: Deactivate, by: By): Promise<Outcome> {
  const common = { command: 'deactivate', position: config.core.name, via: 'venue' } as const
  const first = await inShot(config, order, by, STAYS)
  const failed = first.ok ? undefined : first.error.store
  const isApart = failed !== undefined && needsNoStore(config, failed)
  const done = first.ok || !isApart ? first : await apart(config, first.error.answer, order, by)
  if (done.ok) return { ...common, ...done.value }
  const { exitCode, answer } = done.error
  const isUnknown = exitCode === EXIT_CODE.unconfirmed
  return {
    ...common,
    exitCode,
    answer: isUnknown ? `${answer}; the live quote is unknown. ${REMEDY}` : answer,
  }
}

const STAYS = 'The position stays inactive until `activate`'

/** Whether a deactivation does without the store that failed so. One that another daemon holds is left to that daemon. */
export function needsNoStore({ store }: LoadedConfig, failed: StoreFailure['kind']): boolean {
  return typeof store.place === 'string' && (failed === 'disk-full' || failed === 'io')
}

/** Sockets and locks belong to a process, not to the store. */
const OF_A_PROCESS = /\.sock$|\/lock\.[^/]*$/

/**
 * Does the same with a copy of the store among the temporary files, which knows wallet, orders and ledger; the position's
 * own journal learns nothing of it. Without room for the copy the result is why.
 */
async function apart(
  config: LoadedConfig,
  why: string,
  order: Deactivate,
  by: By,
): ReturnType<typeof inShot> {
  let folder: string | null = null
  const after = `Nothing was journalled, because ${why}. The daemon may activate again when it starts: send \`deactivate\` once more then`
  try {
    folder = mkdtempSync(join(tmpdir(), 'mizani-deactivate-'))
    cpSync(config.store.path, folder, { recursive: true, filter: (path) => !OF_A_PROCESS.test(path) })
    const store = { ...config.store, path: folder, place: folder }
    return await inShot({ ...config, store }, order, by, after)
  } catch (error) {
    return err({
      exitCode: EXIT_CODE.failed,
      answer: `${why}; nor can it be copied (${errorText(error)}). ${REMEDY}`,
    })
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
}

function inShot(config: LoadedConfig, order: Deactivate, by: By, after: string) {
  return oneShot(config, 'activate', (shot) => leave(shot, order, by, after))
}

async function leave(
  { position, until, hasFailed }: OneShot,
  order: Deactivate,
  { who, why }: By,
  after: string,
) {
  const { accepted, answer } = position.command(order, who, why)
  if (!accepted) return { exitCode: EXIT_CODE.refused, answer }
  const ended = await followDeactivation(
    () => (hasFailed() ? null : whyStillLeaving(position.state())),
    () => `${liveText(liveQuote(position.state()))}; no daemon runs that would repeat it. ${REMEDY}`,
  )
  if (ended.exitCode !== EXIT_CODE.ok || hasFailed()) return ended
  const since = position.state().activation.answeredAt
  const isCompared = await until(() => (position.state().reconciliation.matchedAt ?? 0) >= since, BALANCES_MS)
  const { book, reconciliation } = position.state()
  const held = walletAmounts(book)
  const came = ASSETS.filter((asset) => held[asset] > 0n).map(
    (asset) => `${formatAmount(held[asset])} ${asset}`,
  )
  const books = isCompared
    ? 'the balances are reconciled'
    : `the balances are not reconciled yet: ${reconciliation.why}`
  const inWallet = `the wallet holds ${came.length === 0 ? 'nothing' : came.join(', ')} in our ledger`
  return {
    exitCode: EXIT_CODE.ok,
    answer: `deactivated, confirmed by the venue; ${inWallet}, and ${books}. ${after}`,
  }
}
