import { describe, expect, test } from 'vitest'
import { needsRestart } from '../../../../../src/daemon/runtime/worker/needs-restart.ts'
import { ENV, load, problemsOf, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const POOL = '0x00000000000000000000000000000000000b0011'
const NTZS = '0x00000000000000000000000000000000000a11ce'
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const KEYS = { ...ENV, MIZANI_RPC: 'https://node.example/v2/secret-in-the-path' }

const PARTS = {
  chainId: '8453',
  wallet: `'${WALLET}'`,
  pools: `['${POOL}']`,
  tokens: `{ NTZS: '${NTZS}', USDC: '${USDC}' }`,
  urls: '[!env MIZANI_RPC]',
}
const withChain = (change: Partial<Record<string, string>> = {}) => {
  const lines = Object.entries({ ...PARTS, ...change }).map(([key, value]) => `  ${key}: ${value}\n`)
  return `${VALID}chain:\n${lines.join('')}`
}

async function loaded(text: string) {
  const config = await load(text, {}, KEYS)
  if (!config.ok) throw new Error(config.error.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  return config.value
}

describe('the chain that a wallet is watched on', () => {
  test('has addresses in lower case and defaults for its times, and no text of the configuration shows an address with a key', async () => {
    const { chain } = await loaded(withChain())
    expect(chain).toMatchObject({
      chainId: 8_453,
      wallet: WALLET.toLowerCase(),
      pools: [POOL],
      tokens: { NTZS, USDC: USDC.toLowerCase() },
      timeoutMs: 5_000,
      pollMs: 4_000,
    })
    expect(chain?.urls.map((url) => url.reveal())).toEqual([KEYS.MIZANI_RPC])
    expect(JSON.stringify(chain)).not.toContain('secret-in-the-path')
  })

  test('is off unless it is named', async () => {
    expect((await loaded(VALID)).chain).toBeNull()
  })

  test.each([
    ['pools', '[]', 'chain.pools'],
    ['pools', `['${WALLET}']`, 'chain.pools[0]: the same address as wallet'],
    ['pools', `['${POOL}', '${POOL}']`, 'chain.pools[1]: the same address twice'],
    ['tokens', '{}', 'chain.tokens: no token is named'],
    ['tokens', `{ NTZS: '${NTZS}', USDC: '${NTZS}' }`, 'chain.tokens.NTZS: the same address as USDC'],
    ['tokens', `{ 'USDT.bnb': '${USDC}' }`, 'USDT.bnb is not on chain 8453'],
    ['wallet', `'${WALLET.replace('C8', 'c8')}'`, 'chain.wallet: its checksum is wrong'],
    ['urls', '[]', 'chain.urls'],
    ['urls', '[ftp://node.example]', 'chain.urls[0]: not an RPC address'],
    [
      'urls',
      '[https://node.example, https://node.example/]',
      'chain.urls[1]: the same endpoint is listed twice',
    ],
    ['urls', '[http://node.example]', 'chain.allowPlainHttp: true where the network itself is private'],
    ['pollMs', '10', 'chain.pollMs'],
  ])('is refused with %s: %s, and the place is named', async (key, value, problem) => {
    const problems = await problemsOf(withChain({ [key]: value }), KEYS)
    expect(problems.join('\n')).toContain(problem)
  })

  test('is refused beside rfq, which watches the wallet of its orders by itself', async () => {
    const rfq = `rfq:
  chainId: 8453
  maker: '${WALLET}'
  tokens: { NTZS: '${NTZS}', USDC: '${USDC}' }
  rpc: { urls: [https://node.example] }
  signer: { web3signer: 'http://127.0.0.1:9000' }
`
    expect((await problemsOf(withChain() + rfq, KEYS)).join('\n')).toContain('leave chain out')
  })

  test('changes with a restart only, the keys in its addresses included', async () => {
    const [one, other] = [
      await loaded(withChain()),
      await loaded(withChain({ urls: '[https://node.example]' })),
    ]
    expect(needsRestart(one, one)).toEqual([])
    expect(needsRestart(one, other)).toEqual(['chain'])
    expect(needsRestart(one, await loaded(VALID))).toEqual(['chain'])
  })
})
