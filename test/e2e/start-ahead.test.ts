import { expect, onTestFinished, test } from 'vitest'
import { openMarket } from './daemon/open-market.ts'
import { until } from './daemon/until.ts'

const HOUR_MS = 3_600_000
const AHEAD = 'data:text/javascript,const now = Date.now.bind(Date); Date.now = () => now() + 3 * 3_600_000'

test('a daemon that starts with a clock three hours ahead follows the Date of the venue and reports the clock', async () => {
  const market = await openMarket({ startMs: Date.now() })
  onTestFinished(() => market.close())
  const venue = {
    baseUrl: market.venue.url,
    apiKey: '!env MIZANI_API_KEY',
    requestsPerMinute: 6_000,
    clock: 'real',
  }
  market.folder.configure({ venue })
  const first = market.start()
  await market.quoted(60, 70)
  await first.kill('SIGTERM')
  await using second = market.start({ NODE_OPTIONS: `--import=${encodeURI(AHEAD)}` })
  await until('the clock is reported', () => second.output().includes('"code":"clock-jump"'), {
    otherwise: second.output,
  })
  const { now } = await second.state()
  expect(Math.abs(now - Date.now())).toBeLessThan(HOUR_MS / 60)
  expect(second.output()).toMatch(/clock jumped: .* 1\d{4} s ahead/)
}, 120_000)
