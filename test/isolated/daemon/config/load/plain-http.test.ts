import { describe, expect, test } from 'vitest'
import { ENV, changed, load, problemsOf, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const WHY =
  'plain http away from this machine: everybody on the way reads and changes it; use https://, or set'
const KEYS = {
  ...ENV,
  MIZANI_KEY: `0x${'ab'.repeat(32)}`,
  MIZANI_RPC: 'http://node.example/v2/secret-in-the-path',
}

function rfq(rpc: string, signer: string): string {
  return `${VALID}rfq:
  chainId: 8453
  maker: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  tokens: { NTZS: '0x00000000000000000000000000000000000a11ce', USDC: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }
  rpc: { urls: [${rpc}] }
  signer: { ${signer} }
`
}

const OWN_KEY = 'envKey: !env MIZANI_KEY, allowInLive: true'
const NODE = 'https://node.example'

describe('plain http away from this machine', () => {
  test.each([
    ['venue.baseUrl', changed('baseUrl: http://127.0.0.1:8787', 'baseUrl: http://venue.example')],
    ['venue.publicUrl', changed('publicUrl: http://127.0.0.1:8787', 'publicUrl: http://10.0.0.7:8787')],
    ['rfq.rpc.urls[1]', rfq(`${NODE}, http://192.168.1.2`, OWN_KEY)],
    ['rfq.rpc.urls[0]', rfq('!env MIZANI_RPC', OWN_KEY)],
    ['rfq.signer.web3signer', rfq(NODE, "web3signer: 'http://signer.example:9000'")],
  ])('is refused at %s, and lifted by the switch of its own section only', async (path, yaml) => {
    const section = path.startsWith('venue') ? 'venue' : path.slice(0, path.lastIndexOf('.', path.length - 2))
    const owner = section === 'rfq.rpc' || section === 'rfq.signer' ? section : 'venue'
    const problems = await problemsOf(yaml, KEYS)
    expect(problems.map((line) => line.replace(/^\d+:\d+ /, ''))).toEqual([
      `${path}: ${WHY} ${owner}.allowPlainHttp: true where the network itself is private`,
    ])
    expect(problems.join()).not.toContain('secret-in-the-path')
    const switches: Readonly<Record<string, string>> = {
      venue: yaml.replace('  apiKey:', '  allowPlainHttp: true\n  apiKey:'),
      'rfq.rpc': yaml.replace('rpc: { ', 'rpc: { allowPlainHttp: true, '),
      'rfq.signer': yaml.replace('signer: { ', 'signer: { allowPlainHttp: true, '),
    }
    for (const [name, lifted] of Object.entries(switches)) {
      const isThere = lifted !== yaml
      if (isThere) expect([name, (await load(lifted, {}, KEYS)).ok]).toEqual([name, name === owner])
    }
  })

  test('is found in a dry run as well, for the key is sent there too', async () => {
    const yaml = changed('baseUrl: http://127.0.0.1:8787', 'baseUrl: http://venue.example')
    expect(await problemsOf(yaml.replace('mode: live', 'mode: dry-run'))).toHaveLength(1)
  })

  test.each([
    'http://127.0.0.1:1',
    'http://127.8.9.10',
    'http://localhost:8787',
    'http://venue.localhost',
    'http://[::1]:8787',
    'http://0x7f000001',
    'https://venue.example',
  ])('is no matter at %s', async (url) => {
    const yaml = changed('baseUrl: http://127.0.0.1:8787', `baseUrl: "${url}"`)
    expect((await load(yaml)).ok).toBe(true)
  })

  test.each([
    'http://127.0.0.1.venue.example',
    'http://localhost.venue.example',
    'http://0.0.0.0:8787',
    'http://[::ffff:10.0.0.1]',
    'http://2130706434.example',
  ])('is not taken for loopback because it looks like it: %s', async (url) => {
    const yaml = changed('baseUrl: http://127.0.0.1:8787', `baseUrl: "${url}"`)
    expect((await problemsOf(yaml)).join()).toContain('venue.baseUrl: plain http')
  })
})

describe('NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
  const OPEN = { ...ENV, NODE_TLS_REJECT_UNAUTHORIZED: '0' }

  test.each(['live', 'dry-run'])('is refused with mode: %s', async (mode) => {
    const problems = await problemsOf(VALID.replace('mode: live', `mode: ${mode}`), OPEN)
    expect(problems.join()).toMatch(/venue.baseUrl: NODE_TLS_REJECT_UNAUTHORIZED=0 is set/)
  })

  test('is left alone with any other value, and where no venue is spoken to', async () => {
    expect((await load(VALID, {}, { ...ENV, NODE_TLS_REJECT_UNAUTHORIZED: '1' })).ok).toBe(true)
    expect((await load(VALID, { offline: true }, OPEN)).ok).toBe(true)
  })
})

test('a proxy that cannot be used is refused with its variable and without its password', async () => {
  const env = { ...ENV, HTTPS_PROXY: 'socks5://desk:s3cretpass@proxy.example' }
  const problems = await problemsOf(VALID, env)
  expect(problems.join()).toContain('HTTPS_PROXY is not ')
  expect(problems.join()).not.toContain('s3cret')
  expect((await load(VALID, {}, { ...ENV, HTTPS_PROXY: 'http://desk:s3cretpass@proxy.example' })).ok).toBe(
    true,
  )
})
