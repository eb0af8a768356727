import { expect, test } from 'vitest'
import {
  ASSETS,
  formatAmount,
  formatTokens,
  parseAmount,
  toBook,
  toTokens,
} from '../../../src/base/money/asset.ts'
import { poolInBook } from '../../../src/simulator/sandbox/market/provider.ts'
import { startSandbox } from '../../../src/simulator/sandbox/server/server.ts'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import { scriptedWorld, START } from '../../unit/simulator/sandbox/scripted-world.ts'
import { positionFolder } from '../daemon/position-folder.ts'
import { HTTP_TOKEN, type RunningDaemon, runDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

const DESTINATION = `0x${'d1'.repeat(20)}`
/** Of the venue: a deactivation takes three seconds of ours. */
const [SPEED, CALL_MS] = [50, 150_000]

/** Forty swaps on both sides, with slippage from nothing to 137 bps. */
const WISHES = [...Array(20).keys()].flatMap((round) => {
  const slippageBps = [0, 100, 37, 137][round % 4] ?? 0
  const stable = round % 2 === 0 ? 'USDC' : 'USDT'
  return [
    { from: stable, to: 'NTZS', amount: `${20 + round}.0${10 + round}`, slippageBps },
    { from: 'NTZS', to: stable, amount: `${70_000 + 997 * round}`, slippageBps },
  ]
})

async function withdraw(daemon: RunningDaemon): Promise<number> {
  const answer = await fetch(`${await daemon.url()}/api/v1/withdraw`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${HTTP_TOKEN}`,
      'content-type': 'application/json',
      'idempotency-key': 'the-end',
    },
    body: JSON.stringify({ asset: 'USDC', amount: '100', toAddress: DESTINATION, why: 'the end' }),
  })
  return answer.status
}

test.each(['contract', 'measured'] as const)(
  'forty fills, side limits, a deactivation under flow, kill -9 and a withdrawal leave a ledger that equals the %s venue',
  { timeout: 240_000 },
  async (kind) => {
    const limits = { requestsPerMinute: 6_000, publicRequestsPerMinute: 6_000 }
    const venue = await startSandbox(
      { venue: kind, startMs: START, speed: SPEED, activationDelayMs: CALL_MS, ...limits },
      scriptedWorld(),
    )
    const { state } = venue.model
    const { ours } = state
    const folder = positionFolder(venue.url)
    const base = { withdraw: { enabled: true, destinations: [DESTINATION], maxPerDay: { USDC: 1_000 } } }
    const swap = async (wish: object) => {
      const answer = await fetch(`${venue.url}/sandbox/swap`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(wish),
      })
      expect(await answer.json()).toMatchObject({ filled: true, ours: true })
    }
    const heldThere = (asset: (typeof ASSETS)[number]) =>
      poolInBook(ours, asset) + toBook(ours.wallet[asset], asset)
    const isEqual = ({ balances, reconciliation }: PositionView) =>
      reconciliation.state === 'reconciled' &&
      ASSETS.every((asset) => (balances[asset] ?? '0') === formatAmount(heldThere(asset)))

    const first = runDaemon({ configs: [folder.configure(base)] })
    await until('the position is in the market with all tokens', async () => {
      const { isActive, balances } = await first.state()
      return isActive === true && balances['USDT'] === '4000' && ours.bidBps === 60
    })
    for (const wish of WISHES) await swap(wish)
    const traded = await until(
      'forty fills are booked and the ledger equals the venue to the 18th decimal',
      async () => {
        const seen = await first.state()
        return seen.fills.total === WISHES.length && isEqual(seen) && seen
      },
      { otherwise: () => first.state(), withinMs: 60_000 },
    )
    expect(traded.pnl?.residual).toEqual({ tzs: '0', usd: '0' })

    // More dollars than the position may hold: its ask is off, or at 500 bps where it cannot be closed.
    folder.configure({ ...base, inventory: { limits: { USDC: { max: '10' } } } })
    await until('the ask is limited', async () => {
      const { quote } = await first.state()
      return kind === 'contract' ? !ours.quoteAsk : ours.askBps === 500 && quote.cannotClose?.includes('ask')
    })
    folder.configure(base)
    await until('the ask is back', () => ours.askBps === 70 && ours.quoteAsk)

    expect((await first.post('deactivate')).status).toBe(200)
    await until('the quote is wide', () => ours.bidBps === 500 && ours.askBps === 500)
    await swap({ from: 'USDC', to: 'NTZS', amount: '31.5', slippageBps: 0 })
    await first.kill('SIGKILL')
    await using second = runDaemon({ configs: [folder.configure(base)] })
    const otherwise = () => second.state()
    await until('the deactivation is under way', () => state.isActivating, { otherwise, withinMs: 60_000 })
    if (kind === 'measured') await swap({ from: 'USDC', to: 'NTZS', amount: '17.25', slippageBps: 0 })
    const inUnits = ({ balances }: PositionView) =>
      ASSETS.map((asset) => {
        const held = parseAmount(balances[asset] ?? '0')
        return held.ok ? formatTokens(toTokens(held.value, asset), asset) : held.error.message
      })
    const inWallet = () => ASSETS.map((asset) => formatTokens(ours.wallet[asset], asset))
    const isOut = async () => {
      const seen = await second.state()
      const isWhole = seen.leaving === null && seen.reconciliation.state === 'reconciled' && !ours.isActive
      return isWhole && inUnits(seen).join() === inWallet().join() && seen
    }
    const ended = await until('the wallet is explained', isOut, { otherwise, withinMs: 60_000 })
    expect(ended.tradingState).not.toBe('HALTED')
    expect(ended.pnl?.residual).toEqual({ tzs: '0', usd: '0' })

    const before = ours.wallet.USDC
    expect(await withdraw(second)).toBe(200)
    await until('the withdrawal is sent', () => before - ours.wallet.USDC === 100_000_000n, { otherwise })
    await until('the ledger equals the wallet', isOut, { otherwise, withinMs: 60_000 })
    await venue.close()
    folder.remove()
  },
)
