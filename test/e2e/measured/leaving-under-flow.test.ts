import { expect, test } from 'vitest'
import { ASSETS, formatTokens, parseAmount, toTokens } from '../../../src/base/money/asset.ts'
import { startSandbox } from '../../../src/simulator/sandbox/server/server.ts'
import { scriptedWorld, START } from '../../unit/simulator/sandbox/scripted-world.ts'
import { exported } from '../daemon/compare-books.ts'
import { positionFolder } from '../daemon/position-folder.ts'
import { runMizani } from '../daemon/run-mizani.ts'
import { runDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

/** Of the venue: a deactivation takes three seconds of ours. */
const [SPEED, CALL_MS] = [50, 150_000]

test(
  'an ordered deactivation outlives kill -9 in its wait, and a fill during it is taken back as void without an alarm',
  { timeout: 120_000 },
  async () => {
    const venue = await startSandbox(
      {
        venue: 'measured',
        startMs: START,
        speed: SPEED,
        publicRequestsPerMinute: 6_000,
        activationDelayMs: CALL_MS,
      },
      scriptedWorld(),
    )
    const { state } = venue.model
    const { ours } = state
    const folder = positionFolder(venue.url)
    const configs = [folder.configure({})]
    const swap = async () => {
      const wish = { from: 'USDC', to: 'NTZS', amount: '31.5', slippageBps: 0, source: 'waas' }
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${venue.url}/sandbox/swap`, {
        method: 'POST',
        headers,
        body: JSON.stringify(wish),
      })
      expect(await answer.json()).toMatchObject({ filled: true, ours: true })
    }
    const first = runDaemon({ configs })
    await until('the position is in the market', async () => {
      const { isActive, balances } = await first.state()
      return isActive === true && balances['USDT'] === '4000'
    })
    await swap()
    expect((await first.post('deactivate')).status).toBe(200)
    await until('the quote is wide', () => ours.bidBps === 500 && ours.askBps === 500)
    expect((await first.state()).leaving?.why).toContain('quote.drainMs')
    expect(state.isActivating).toBe(false)
    await first.kill('SIGKILL')

    await using second = runDaemon({ configs })
    const otherwise = () => second.state()
    await until('the deactivation is under way', () => state.isActivating, { otherwise, withinMs: 60_000 })
    await swap()
    const ended = await until(
      'the wallet is explained',
      async () => {
        const seen = await second.state()
        const isEnded = !ours.isActive && seen.leaving === null && seen.reconciliation.state === 'reconciled'
        return isEnded && seen.balances['USDC'] === formatTokens(ours.wallet.USDC, 'USDC') && seen
      },
      { otherwise, withinMs: 60_000 },
    )
    expect(ended.fills.total).toBe(2)
    expect(ended.tradingState).not.toBe('HALTED')
    const inUnits = ASSETS.map((asset) => {
      const held = parseAmount(ended.balances[asset] ?? '0')
      return [asset, held.ok ? formatTokens(toTokens(held.value, asset), asset) : held.error.message]
    })
    expect(inUnits).toEqual(ASSETS.map((asset) => [asset, formatTokens(ours.wallet[asset], asset)]))
    expect(ended.pnl?.residual).toEqual({ tzs: '0', usd: '0' })
    const voided = ours.fills.at(-1)?.id ?? 'no fill'
    await until('both fills are in the store', () => exported(folder.store).length === 2)
    const { body } = await second.get('/api/v1/notices?limit=100')
    const words = JSON.stringify(body)
    expect(words).toContain(`: ${voided}`)
    expect(words).not.toContain('someone else')
    await venue.close()
    folder.remove()
  },
)

test(
  'a deactivation without a daemon widens the quote, waits for fills, prints what it waits for and confirms the end',
  { timeout: 120_000 },
  async () => {
    const venue = await startSandbox(
      { venue: 'measured', startMs: START, speed: SPEED, publicRequestsPerMinute: 6_000 },
      scriptedWorld(),
    )
    const { ours } = venue.model.state
    const folder = positionFolder(venue.url)
    const configs = [folder.configure({})]
    const daemon = runDaemon({ configs })
    await until('the position is in the market', async () => (await daemon.state()).isActive === true)
    await daemon.kill('SIGKILL')
    expect(ours.bidBps).toBe(60)
    const run = await runMizani(['deactivate', '--config', ...configs, '--json'])
    expect([run.code, run.err]).toEqual([0, expect.stringContaining('10 s have passed')])
    expect([ours.isActive, ours.bidBps, ours.askBps, ours.pool.NTZS]).toEqual([false, 500, 500, 0n])
    await venue.close()
    folder.remove()
  },
)
