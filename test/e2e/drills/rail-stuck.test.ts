import { afterAll, expect, test } from 'vitest'
import type { DrillResult } from '../../../src/simulator/drills/drill.ts'
import { receivingServer } from '../../support/receiving-server.ts'
import { positionFolder } from '../daemon/position-folder.ts'
import { runHere } from '../daemon/run-here.ts'

const home = await receivingServer()
const folder = positionFolder(home.url)
afterAll(async () => {
  folder.remove()
  await home.close()
})

test(
  'a refill that two people approved and a rail swallowed is reported as late and not sent again, over a restart and hours, and the desk quotes on',
  { timeout: 400_000 },
  async () => {
    const config = folder.configure({
      venue: { apiKey: '!env A_KEY_THAT_NOBODY_SET', requestsPerMinute: 600 },
      risk: { priceCorridor: { min: '2300', max: '2900' } },
      notify: { webhook: { url: '!env ANOTHER_THAT_NOBODY_SET', hmacKey: '!env NOR_THIS' }, groupMs: 500 },
      http: { port: 0, token: '!env NOT_SET_EITHER' },
      treasury: {
        partner: { baseUrl: home.url, apiKey: '!env NOBODY_SET_THIS' },
        userId: '3f2b8c1e-0d4a-4f6b-9a57-2d1c8e9f0a1b',
        lpWallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        mode: 'plan',
        policy: {
          bands: { NTZS: { target: '12000000', refillBelow: '6000000', skimAbove: '60000000' } },
          routes: ['bank-deposit', 'rebalance'],
        },
        pollEveryMs: 500,
      },
    })
    const { out } = await runHere(['drill', '--config', config, '--only', 'rail-stuck', '--json'])
    const [night] = (JSON.parse(out) as { readonly results: readonly DrillResult[] }).results
    expect([night?.status, night?.why]).toEqual(['passed', null])
    expect(night?.noticed).toContain('bank-deposit to pool')
    expect(night?.noticeMs).toBeLessThan(10_000)
    const late = night?.told.filter(({ what }) => what.includes('should have arrived'))
    expect(late?.map(({ severity }) => severity)).toEqual(['warning'])
    // Takers traded meanwhile, and nothing was lost but what they may have gained.
    expect(night?.costUsd).toBeLessThan(0)
    expect(home.received).toEqual([])
  },
)
