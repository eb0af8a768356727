import { expect } from 'vitest'
import { formatTokens } from '../../../src/base/money/asset.ts'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import { CHAIN_TOKENS } from '../../../src/simulator/sandbox/chain/etch-contracts.ts'
import type { StorePlace } from '../../../src/store/place.ts'
import { exported, lastSeqOf } from '../daemon/compare-books.ts'
import type { RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { chainTruth, type TrueFill } from './chain-truth.ts'
import type { CustodyMarket } from './custody-market.ts'

/**
 * Once the daemon has read up to the chain's last fill: balances equal the wallet on the chain to the last unit, every
 * fill of the chain is in the store exactly once, nothing else is, and the PnL adds up.
 */
export async function expectBooksOfChain(
  {
    chain,
    folder,
    place = folder.store,
  }: Pick<CustodyMarket, 'chain' | 'folder'> & { readonly place?: StorePlace },
  daemon: RunningDaemon,
  /** Fills that a reorganisation took back: the store keeps that they were once booked. */
  undone: readonly string[] = [],
): Promise<PositionView> {
  const view = await until(
    'the books are proven complete',
    async () => {
      const seen = await daemon.state()
      const { fills } = await chainTruth(chain, [])
      return (
        seen.reconciliation.state === 'reconciled' && seen.fills.total >= fills.length + undone.length && seen
      )
    },
    { otherwise: () => daemon.state() },
  )
  const { fills, balances } = await chainTruth(chain, [])
  const atChain = CHAIN_TOKENS.map(({ asset }) => [asset, formatTokens(balances[asset], asset)] as const)
  const held = CHAIN_TOKENS.map(({ asset }) => [asset, view.balances[asset]] as const)
  expect(Object.fromEntries(held)).toEqual(Object.fromEntries(atChain))
  expect(view.reconciliation.unreconciled).toEqual({})
  expect(view.pnl?.residual).toEqual({ tzs: '0', usd: '0' })
  await until('the store has what the state shows', () => lastSeqOf(place) >= view.lastSeq)
  const rows = exported(place).filter(({ id }) => !undone.includes(String(id)))
  expect(rows.map(lineOfRow).toSorted()).toEqual(fills.map(lineOfFill).toSorted())
  expect(view.fills.total).toBe(fills.length + undone.length)
  return view
}

function lineOfRow(row: ReturnType<typeof exported>[number]): string {
  return `${row['id']} in ${row['amountIn']} ${row['inAsset']} out ${row['amountOut']} ${row['outAsset']} fee ${row['fee']}`
}

function lineOfFill({ key, makerToken, takerToken, makerAmount, takerAmount }: TrueFill): string {
  return `${key} in ${amountText(takerToken, takerAmount)} out ${amountText(makerToken, makerAmount)} fee 0`
}

function amountText(token: string, amount: bigint): string {
  const known = CHAIN_TOKENS.find(({ address }) => address.toLowerCase() === token)
  if (known === undefined) throw new Error(`${token} is no token of the chain`)
  return `${formatTokens(amount, known.asset)} ${known.asset}`
}
