import { DAY_MS, type Ms } from '../../../base/time.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import type { StoreReader } from '../../../store/open-reader.ts'
import { isoText } from '../../../base/text/times.ts'
import type { CloseWithdrawal } from './document.ts'

/** Stages in which a withdrawal is in progress; every other stage ends it. */
const UNDER_WAY = [
  'waiting',
  'approved',
  'sent',
  'unknown',
] as const satisfies readonly CloseWithdrawal['stage'][]

/**
 * Returns the withdrawals in progress after a day: those of the previous close, or all in the store, updated by the
 * day's events. One with an unknown outcome stays until the balances show it. `to` is the end of the day.
 */
export function withdrawalsAfter(
  reader: Pick<StoreReader, 'notices'>,
  before: readonly CloseWithdrawal[] | null,
  { first, last }: { readonly first: number; readonly last: number },
  to: Ms,
): readonly CloseWithdrawal[] {
  const open = new Map((before ?? []).map((one) => [nameOf(one), one]))
  for (const moved of reader.notices('withdrawalMoved', before === null ? 0 : first, last)) {
    const { key, asset, amount, stage } = moved
    const text = formatTokens(amount, asset)
    const name = nameOf({ key, asset, amount: text })
    const known = open.get(name)
    const isUnderWay = UNDER_WAY.find((one) => one === stage)
    if (isUnderWay === undefined) {
      open.delete(name)
      continue
    }
    open.set(name, {
      key,
      asset,
      amount: text,
      to: moved.toAddress ?? known?.to ?? null,
      who: moved.who ?? known?.who ?? null,
      stage: isUnderWay,
      since: isoText(moved.t),
      leavesAt: stage === 'approved' ? isoText(moved.sendAt) : null,
    })
  }
  // As in the daemon, a withdrawal without a key waits at most a day for the balances to show it.
  return [...open.values()].filter(({ key, since }) => key !== null || to - Date.parse(since) < DAY_MS)
}

/** A withdrawal without a key is identified by token and amount; the next one of its token waits until it has ended. */
function nameOf({ key, asset, amount }: Pick<CloseWithdrawal, 'key' | 'asset' | 'amount'>): string {
  return key ?? `${amount} ${asset}`
}
