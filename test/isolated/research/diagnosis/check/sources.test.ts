import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkSources } from '../../../../../src/research/diagnosis/check/sources.ts'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import type { CheckResult } from '../../../../../src/venue/check-result.ts'
import { folderWith, load, VALID } from '../../../../unit/daemon/config/config-fixture.ts'
import { NTZS, USDC, scriptedNode } from '../../../../unit/custody/chain/scripted-node.ts'

const MID = 2_500n * RATE_ONE

async function found(yaml: string, mid: bigint | null = MID): Promise<readonly CheckResult[]> {
  const config = await load(VALID + yaml)
  if (!config.ok) throw new Error(JSON.stringify(config.error))
  const findings: CheckResult[] = []
  for await (const one of checkSources(config.value, mid)) findings.push(one)
  return findings
}

const fileFeed = (text: string, more = '') => {
  const folder = folderWith({ 'rate.json': text })
  return `feeds: [{ name: desk, file: { file: '${join(folder, 'rate.json')}', path: mid, timePath: at }${more} }]\n`
}
const shown = (mid: string, ageMs = 0) =>
  JSON.stringify({ mid, at: new Date(Date.now() - ageMs).toISOString() })

test('mizani check warns of a live position whose venue price has no second source', async () => {
  expect(await found('')).toMatchObject([
    { name: 'feeds', status: 'warn', detail: expect.stringContaining('no second source') },
  ])
})

test('mizani check reads each feed once and compares it with the mid of the venue', async () => {
  expect(await found(fileFeed(shown('2505')))).toMatchObject([
    { name: 'feed desk', status: 'ok', detail: expect.stringMatching(/^2505 .* bps below it$/) },
  ])
  expect(await found(fileFeed(shown('2505')), null)).toMatchObject([
    { status: 'ok', detail: expect.stringContaining('no mid') },
  ])
})

test('mizani check warns of a feed that the venue deviates from by more than the limit', async () => {
  expect(await found(fileFeed(shown('2700')))).toMatchObject([
    { status: 'warn', hint: expect.stringContaining('risk.maxReferenceDeviationBps (300)') },
  ])
})

test.each([
  ['is not JSON', 'nonsense', '', 'it is not JSON'],
  ['has a rate outside its band', shown('9000'), ", band: { min: '2000', max: '3000' }", 'outside its band'],
  ['is dated in the future', shown('2500', -3_600_000), '', 'in the future'],
  ['is frozen by its own date', shown('2500', 400_000_000), '', 'beyond frozenAfterMs'],
])('mizani check fails a feed that %s, as the daemon would drop it', async (_what, text, more, problem) => {
  expect(await found(fileFeed(text, more))).toMatchObject([
    { name: 'feed desk', status: 'fail', detail: expect.stringContaining(problem) },
  ])
})

test('mizani check counts a feed of the venue itself as none', async () => {
  const findings = await found(fileFeed(shown('2500'), ', origin: venue'))
  expect(findings.map(({ name, status }) => [name, status])).toEqual([
    ['feeds', 'warn'],
    ['feed desk', 'warn'],
  ])
})

test('mizani check asks each endpoint of the watched chain for the tokens of the configuration', async () => {
  const [right, wrong] = [await scriptedNode(), await scriptedNode({ decimals: { [NTZS]: 18, [USDC]: 18 } })]
  try {
    const findings = await found(`chain:
  chainId: 8453
  wallet: '0x00000000000000000000000000000000000000aa'
  pools: ['0x00000000000000000000000000000000000000bb']
  tokens: { NTZS: '${NTZS}', USDC: '${USDC}' }
  urls: ['${right.url}', '${wrong.url}']
`)
    expect(findings.filter(({ name }) => name === 'chain')).toMatchObject([
      { status: 'ok' },
      { status: 'fail', detail: expect.stringContaining('18 decimals for USDC') },
    ])
  } finally {
    await Promise.all([right.close(), wrong.close()])
  }
})
