import { expect, test } from 'vitest'
import { quoteOf } from '../e2e/daemon/open-market.ts'
import { tradeTenFills } from '../e2e/daemon/trade-ten-fills.ts'

test('a daemon activates its position, trades with books that agree with the venue to the last unit, and widens to the safe quote on SIGTERM', async () => {
  const traded = await tradeTenFills({ isActive: false, feeFrom: 'pool' })
  expect(traded.view.feeModel).toBe('none')
  expect(await traded.daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(await quoteOf(traded.venue)).toEqual({ bidBps: 500, askBps: 500, isActive: true })
  await traded.close()
}, 300_000)
