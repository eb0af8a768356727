import { expect, test } from 'vitest'
import {
  ASSETS,
  formatAmount,
  formatTokens,
  parseAmount,
  toTokens,
  type Asset,
} from '../../../src/base/money/asset.ts'
import { poolInBook } from '../../../src/simulator/sandbox/market/provider.ts'
import type { FillSource } from '../../../src/simulator/sandbox/market/measured-price.ts'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { rival, scriptedWorld, START } from '../../unit/simulator/sandbox/scripted-world.ts'
import { exported } from '../daemon/compare-books.ts'
import { positionFolder } from '../daemon/position-folder.ts'
import { runDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

type Wish = {
  readonly from: Asset
  readonly to: Asset
  readonly amount: string
  readonly slippageBps: number
  readonly source: FillSource
}

const SOURCES = ['waas', 'app', 'ramp'] as const

/** Forty swaps on both sides, of all sources, with slippage from nothing to beyond any cap. */
function wishes(): readonly Wish[] {
  return [...Array(20).keys()].flatMap((round) => {
    const rest = { source: SOURCES[round % 3] ?? 'waas', slippageBps: [0, 100, 37, 900][round % 4] ?? 0 }
    const stable = round % 2 === 0 ? 'USDC' : 'USDT'
    return [
      { from: stable, to: 'NTZS', amount: `${20 + round}.0${10 + round}`, ...rest },
      { from: 'NTZS', to: stable, amount: `${70_000 + 997 * round}`, ...rest },
    ]
  })
}

/** A book amount in whole units of the token. */
function cut(text: string, asset: Asset): string {
  const amount = parseAmount(text)
  if (!amount.ok) throw new Error(amount.error.message)
  return formatTokens(toTokens(amount.value, asset), asset)
}

async function swap({ url }: SandboxServer, wish: Wish): Promise<unknown> {
  const answer = await fetch(`${url}/sandbox/swap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  })
  return answer.json()
}

test(
  'a daemon on the measured venue activates, books forty fills to the 18th decimal, and deactivates with the rest of a unit lost',
  { timeout: 150_000 },
  async () => {
    const venue = await startSandbox(
      { venue: 'measured', startMs: START, speed: 50, publicRequestsPerMinute: 6_000 },
      scriptedWorld([], [rival('far', 400, 400)]),
    )
    const { ours } = venue.model.state
    const folder = positionFolder(venue.url)
    await using daemon = runDaemon({ configs: [folder.configure({})] })
    const otherwise = () => daemon.state()
    await until(
      'the venue has swept the wallet and holds the quote',
      () => ours.isActive && ours.bidBps === 60 && ours.askBps === 70,
    )

    // The wallet did not state USDT: the ledger opens it when the pool states it.
    await until('the ledger has the USDT', async () => (await daemon.state()).balances['USDT'] === '4000', {
      otherwise,
    })
    for (const wish of wishes()) expect(await swap(venue, wish)).toMatchObject({ filled: true, ours: true })
    const traded = await until(
      'all fills are booked and the ledger is reconciled',
      async () => {
        const seen = await daemon.state()
        return seen.fills.total === 40 && seen.reconciliation.state === 'reconciled' && seen
      },
      { otherwise },
    )
    const inPool = Object.fromEntries(ASSETS.map((asset) => [asset, formatAmount(poolInBook(ours, asset))]))
    expect(ASSETS.map((asset) => [asset, traded.balances[asset] ?? '0'])).toEqual(Object.entries(inPool))
    expect(inPool['USDC']).toMatch(/\.\d{13,18}$/)
    expect(traded.pnl?.residual).toEqual({ tzs: '0', usd: '0' })
    await until('every fill is in the store', () => exported(folder.store).length === 40)
    const rows = exported(folder.store).map((row) => `${row['id']} ${row['amountOut']} ${row['fee']}`)
    const made = ours.fills.map(
      ({ id, measured }) =>
        `${id} ${formatAmount(measured?.amountOut ?? 0n)} ${formatAmount(measured?.fee ?? 0n)}`,
    )
    expect(rows.toSorted()).toEqual(made.toSorted())

    expect((await daemon.post('deactivate')).status).toBe(200)
    const ended = await until(
      'the venue has returned the tokens and the wallet is explained',
      async () => {
        const seen = await daemon.state()
        return (
          !ours.isActive &&
          !venue.model.state.isActivating &&
          seen.reconciliation.state === 'reconciled' &&
          seen.balances['USDC'] === formatTokens(ours.wallet.USDC, 'USDC') &&
          seen
        )
      },
      { otherwise, withinMs: 60_000 },
    )
    // The wallet's answer does not state USDT: the ledger keeps its rest of a unit until an answer shows that it is lost.
    const inUnits = ASSETS.map((asset) => [asset, cut(ended.balances[asset] ?? '0', asset)])
    expect(inUnits).toEqual(ASSETS.map((asset) => [asset, formatTokens(ours.wallet[asset], asset)]))
    expect(ended.pnl?.residual).toEqual({ tzs: '0', usd: '0' })
    await venue.close()
    folder.remove()
  },
)
