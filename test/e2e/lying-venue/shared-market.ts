import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { RunningDaemon } from '../daemon/running-daemon.ts'
import { openLyingMarket, trading, type LyingMarket } from './lying-market.ts'

type Shared = { readonly market: LyingMarket; readonly daemon: RunningDaemon }

/**
 * A market and its daemon for the tests of a `describe`, one after the other. Each test begins with a venue that tells the truth and a
 * daemon that trades, which a person has resumed where the test before it ended in a halt.
 */
export function sharedMarket(): () => Shared {
  let shared: Shared | null = null
  const get = () => {
    if (shared === null) throw new Error('the market is not open')
    return shared
  }
  beforeAll(async () => {
    const market = await openLyingMarket()
    shared = { market, daemon: market.start() }
  })
  beforeEach(async () => {
    const { market, daemon } = get()
    market.truth()
    const { tradingState } = await daemon.state()
    if (tradingState === 'HALTED') await daemon.post('resume', { why: 'the next test' })
    await trading(market, daemon)
  })
  afterAll(async () => {
    const { market, daemon } = get()
    await daemon.kill('SIGTERM')
    await market.close()
  })
  return get
}
