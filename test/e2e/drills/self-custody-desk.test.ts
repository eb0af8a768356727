import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import type { DrillResult } from '../../../src/simulator/drills/drill.ts'
import { receivingServer } from '../../support/receiving-server.ts'
import { needs } from '../../support/needs.ts'
import { positionFolder } from '../daemon/position-folder.ts'
import { PROGRAM, SHORT_LIFE } from '../daemon/program.ts'

const home = await receivingServer()
const folder = positionFolder(home.url)
afterAll(async () => {
  folder.remove()
  await home.close()
})

/** A desk on Base whose endpoints and signer are a server that has to hear nothing. */
function desk(rfq: object, risk: object = {}): string {
  const address = (digit: string) => `0x${digit.repeat(40)}`
  return folder.configure({
    venue: { apiKey: '!env A_KEY_THAT_NOBODY_SET', requestsPerMinute: 600 },
    strategy: {
      use: 'rfq-ladder',
      params: { levels: 2, baseHalfSpreadBps: 60, sizePremiumBps: 15, levelUsd: 200, maxSkewBps: 40 },
    },
    risk: { priceCorridor: { min: '2300', max: '2900' }, ...risk },
    notify: { webhook: { url: '!env ANOTHER_THAT_NOBODY_SET', hmacKey: '!env NOR_THIS' }, groupMs: 500 },
    http: { port: 0, token: '!env NOT_SET_EITHER' },
    rfq: {
      chainId: 8_453,
      exchange: address('1'),
      maker: address('2'),
      solver: address('3'),
      tokens: { NTZS: address('4'), USDC: address('5') },
      rpc: { urls: [home.url] },
      signer: { web3signer: home.url },
      pollMs: 500,
      ...rfq,
    },
  })
}

async function drilled(config: string, ...more: readonly string[]) {
  const args = [...SHORT_LIFE, PROGRAM, 'drill', '--config', config, '--only', ...more, '--json']
  // As a process of its own: what is built starts sooner than this one loads all of it from sources.
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return (JSON.parse(stdout) as { readonly results: readonly DrillResult[] }).results
}

describe.skipIf(needs('anvil'))('a desk in self-custody', { timeout: 400_000 }, () => {
  test('a drilled position reverts fills that a reorganisation removed, controls its orders after the other drills, and never contacts its real services', async () => {
    const nights = 'chain-reorganised,mid-lies,key-lost,daemon-killed,leak,zombie-write'
    const [chain, lies, key, killed, leak, late] = await drilled(desk({}), nights)
    expect([chain?.why, chain?.status]).toEqual([null, 'passed'])
    expect(chain?.noticed).toContain('reorganis')
    expect(chain?.told.map(({ what }) => what).join()).toContain('reorganis')
    for (const night of [lies, key, killed, leak])
      expect([night?.name, night?.status, night?.why]).toEqual([night?.name, 'passed', null])
    expect(key?.told.map(({ severity }) => severity)).toContain('critical')
    // Long enough to have signed around the wrong mid.
    expect(lies?.safeMs).toBeGreaterThan(5_000)
    expect(lies?.safeMs).toBeLessThan(30_000)
    // Anyone who knows the market fills what the dead daemon has signed, and no more.
    expect(killed?.costUsd).toBeGreaterThan(0)
    // A wallet that receives less than the exchange credits is out of the market before another order is signed.
    expect(leak?.noticeMs).toBeLessThan(20_000)
    expect(leak?.told.map(({ severity }) => severity)).toContain('critical')
    expect(late).toMatchObject({ status: 'not-applicable', why: expect.stringContaining('rfq') })
    expect(home.received).toEqual([])
  })

  test('that takes the first block for final and any mid for true fails, and reads which settings would have helped', async () => {
    const open = {
      maxMidStepBps: null,
      maxMidMoveBpsPerHour: null,
      maxMidMoveBpsPerDay: null,
      maxReferenceDeviationBps: null,
    }
    const text = readFileSync(desk({ confirmations: 0 }, open), 'utf8')
    const config = folder.write('hasty.yaml', text.replace(/^\{/, '{"drills": {"maxSafeMs": 8000},'))
    const [chain, lies] = await drilled(config, 'chain-reorganised,mid-lies')
    expect([chain?.status, chain?.why]).toEqual(['failed', 'it did not become safe within 8.0 s'])
    expect(chain?.advice).toContain('rfq.confirmations: 12 (now 0)')
    expect(lies?.status).toBe('failed')
    expect(lies?.advice).toContain('risk.maxMidStepBps')
  })
})
