import { expect, test } from 'vitest'
import { venuePolicy } from '../../src/research/models/policy/venue-policy.ts'
import { V1 } from '../support/policy-market.ts'

test('a policy for 20 lots takes under 20 ms of computing, informed takers included', () => {
  const market = { ...V1, informed: { perDay: 10, tauBps: 60 } }
  venuePolicy(market)
  const before = process.cpuUsage()
  for (let i = 0; i < 10; i++) venuePolicy({ ...market, fairShiftBps: i })
  expect(process.cpuUsage(before).user / 10_000).toBeLessThan(20)
})
