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

type Deactivate = Extract<OperatorCommand, { readonly name: 'deactivate' }>

/** Time limit for the balances after the deactivation; without them the outcome is the same but not reconciled. */
const BALANCES_MS = 15_000

const REMEDY = "Do: run the command again, or take the position out on the venue's page"

/** Deactivates the position without a daemon and reports the wallet's balances afterwards. */
export async function deactivateOnce(
  config: LoadedConfig,
  order: Deactivate,
  by: { readonly who: string; readonly why: string },
): Promise<Outcome> {
  const common = { command: 'deactivate', position: config.core.name, via: 'venue' } as const
  const done = await oneShot(config, 'activate', (shot) => leave(shot, order, by))
  if (done.ok) return { ...common, ...done.value }
  const { exitCode, answer } = done.error
  const isUnknown = exitCode === EXIT_CODE.unconfirmed
  return {
    ...common,
    exitCode,
    answer: isUnknown ? `${answer}; the live quote is unknown. ${REMEDY}` : answer,
  }
}

async function leave(
  { position, until }: OneShot,
  order: Deactivate,
  { who, why }: { readonly who: string; readonly why: string },
) {
  const { accepted, answer } = position.command(order, who, why)
  if (!accepted) return { exitCode: EXIT_CODE.refused, answer }
  const ended = await followDeactivation(
    () => whyStillLeaving(position.state()),
    () => `${liveText(liveQuote(position.state()))}; no daemon runs that would repeat it. ${REMEDY}`,
  )
  if (ended.exitCode !== EXIT_CODE.ok) return ended
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
    answer: `deactivated, confirmed by the venue; ${inWallet}, and ${books}. The position stays inactive until \`activate\``,
  }
}
