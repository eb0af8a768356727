import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { ASSETS, formatAmount } from '../../money/asset.ts'
import { walletAmounts } from '../../ledger/book/book.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { oneShot, type OneShot } from './one-shot.ts'
import type { Outcome } from '../output/print.ts'

const DEADLINE_MS = 90_000
/** For the balances after the deactivation; without them the outcome is the same, but not reconciled. */
const BALANCES_MS = 15_000

/** Deactivates the position without a daemon and reports what the wallet holds afterwards. */
export async function deactivateOnce(config: LoadedConfig, who: string, why: string): Promise<Outcome> {
  const common = { command: 'deactivate', position: config.core.name, via: 'venue' } as const
  const done = await oneShot(config, 'activate', (shot) => leave(shot, who, why))
  return { ...common, ...(done.ok ? done.value : done.error) }
}

async function leave({ position, observations, hasSent, until }: OneShot, who: string, why: string) {
  const { accepted, answer } = position.command({ name: 'deactivate' }, who, why)
  if (!accepted) return { exitCode: EXIT_CODE.refused, answer }
  const isOut = await until(() => position.state().activation.isActive === false, DEADLINE_MS)
  if (!isOut) {
    const last = observations.findLast(
      (one) => one.type === 'requestFailed' && one.failure.code !== 'ONE_SHOT',
    )
    const because = last?.type === 'requestFailed' ? ` (${last.failure.message})` : ''
    const sentence = `NOT confirmed inactive within ${DEADLINE_MS / 1_000} s${because}: the position may still be quoting; run the command again, or check the venue's page`
    return { exitCode: EXIT_CODE.failed, answer: sentence }
  }
  const since = position.state().now
  const isCompared = await until(() => (position.state().reconciliation.matchedAt ?? 0) >= since, BALANCES_MS)
  const what = hasSent() ? 'deactivated, confirmed by the venue' : 'was inactive already'
  const { book, reconciliation } = position.state()
  const held = walletAmounts(book)
  const came = ASSETS.filter((asset) => held[asset] > 0n).map(
    (asset) => `${formatAmount(held[asset], asset)} ${asset}`,
  )
  const books = isCompared
    ? 'the balances are reconciled'
    : `the balances are not reconciled yet: ${reconciliation.why}`
  const wallet = `the wallet holds ${came.length === 0 ? 'nothing' : came.join(', ')} in our ledger`
  return {
    exitCode: EXIT_CODE.ok,
    answer: `${what}; ${wallet}, and ${books}. The position stays inactive until \`activate\``,
  }
}
