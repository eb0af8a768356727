import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { createAssistantServer } from '../../../src/daemon/assistant/server.ts'
import { createDaemonPort } from '../../../src/cli/assistant/mcp.ts'
import { readServed } from '../../../src/cli/assistant/positions.ts'
import { createResearch } from '../../../src/cli/assistant/research.ts'
import { daemonUrl } from '../../../src/daemon/config/load/contact.ts'
import { encryptKeystore } from '../../../src/custody/signing/keystore/keystore.ts'
import { freePort } from '../../support/free-port.ts'
import { receivingServer, type ReceivingServer } from '../../support/receiving-server.ts'
import { KEY, MAKER, privateKey } from '../../support/signing-fixture.ts'
import { positionFolder } from '../daemon/position-folder.ts'
import { until } from '../daemon/until.ts'
import { openLyingMarket } from '../lying-venue/lying-market.ts'
import { connect, overStdio, READ_TOKEN, type AssistantClient } from './open-client.ts'

const LIGHT = { n: 4_096, r: 8, p: 6 }
const address = (digit: string) => `0x${digit.repeat(40)}`
const OWNER = '00000000-0000-4000-8000-000000000001'
const DESTINATION = address('9')

/** A word of its own for each secret, so that one that shows is known by its name. */
const WORDS = {
  passphrase: 'marked-passphrase-of-the-keystore',
  rpcPath: 'marked-key-in-the-path-of-rpc',
  rpcQuery: 'marked-key-in-the-query-of-rpc',
  chainPath: 'marked-key-in-the-path-of-chain',
  chainQuery: 'marked-key-in-the-query-of-chain',
  partner: 'svc_test_marked_key_of_the_partner',
  partnerHook: 'marked-secret-of-the-partners-webhooks',
  postgres: 'marked-password-of-postgres',
  telegram: '123456:MarkedBotTokenMarkedBotTokenMarkedB',
  slack: 'marked-path-of-slack',
  hook: 'marked-path-of-the-webhook',
  hmac: 'marked-key-of-the-webhook',
  escalation: 'marked-path-of-the-next-person',
  heartbeat: 'marked-id-of-the-watcher',
  guard: 'marked-token-of-the-guard',
  feedQuery: 'marked-key-in-the-query-of-a-feed',
  feedHeader: 'marked-header-of-a-feed',
  operator: 'marked-token-of-an-operator',
  signerPath: 'marked/path/of/the/signer',
  signerUser: 'marked-user-of-the-signer',
  signerPassword: 'marked-password-of-the-signer',
  apiKey: 'mm_test_sandbox',
  shared: 'the-operators-token',
  reader: READ_TOKEN,
  key: KEY.slice(2),
} as const

function envOf(nowhere: string): Readonly<Record<string, string>> {
  return {
    RPC_PATH: `${nowhere}/v2/${WORDS.rpcPath}`,
    RPC_QUERY: `${nowhere}/rpc?apikey=${WORDS.rpcQuery}`,
    CHAIN_PATH: `${nowhere}/v2/${WORDS.chainPath}`,
    CHAIN_QUERY: `${nowhere}/rpc?apikey=${WORDS.chainQuery}`,
    PARTNER: WORDS.partner,
    PARTNER_HOOK: WORDS.partnerHook,
    POSTGRES: `postgres://mizani:${WORDS.postgres}@127.0.0.1:1/desk`,
    TELEGRAM: WORDS.telegram,
    SLACK: `${nowhere}/services/${WORDS.slack}`,
    HOOK: `${nowhere}/hooks/${WORDS.hook}`,
    HMAC: WORDS.hmac,
    ESCALATION: `${nowhere}/hooks/${WORDS.escalation}`,
    HEARTBEAT: `${nowhere}/ping/${WORDS.heartbeat}`,
    GUARD: WORDS.guard,
    FEED: `${nowhere}/latest?key=${WORDS.feedQuery}`,
    FEED_HEADER: WORDS.feedHeader,
    ANN: WORDS.operator,
    MIZANI_READ_TOKEN: READ_TOKEN,
  }
}

const rfqSection = (signer: object) => ({
  chainId: 8453,
  solver: address('6'),
  maker: MAKER,
  tokens: { NTZS: address('3'), USDC: address('4') },
  rpc: { urls: ['!env RPC_PATH', '!env RPC_QUERY'] },
  signer,
})

/** Every section that has a secret, at servers that repeat what they are sent. */
async function sectionsOf(nowhere: string) {
  return {
    http: {
      port: await freePort(),
      token: '!env MIZANI_HTTP_TOKEN',
      readToken: '!env MIZANI_READ_TOKEN',
      tokens: [{ name: 'ann', token: '!env ANN', may: ['withdraw'] }],
    },
    notify: {
      telegram: { botToken: '!env TELEGRAM', chatId: '1', apiUrl: nowhere },
      slack: { webhookUrl: '!env SLACK' },
      webhook: { url: '!env HOOK', hmacKey: '!env HMAC' },
    },
    alert: {
      heartbeatUrl: '!env HEARTBEAT',
      escalation: [{ afterMinutes: 0.01, webhook: { url: '!env ESCALATION', hmacKey: '!env HMAC' } }],
    },
    guard: { url: nowhere, token: '!env GUARD' },
    feeds: [
      {
        name: 'bank-board',
        http: { url: '!env FEED', path: 'rates.TZS', headers: { authorization: '!env FEED_HEADER' } },
      },
    ],
  }
}

const custody = (signer: object) => ({ rfq: rfqSection(signer) })

async function pooled(nowhere: string) {
  return {
    chain: {
      chainId: 8453,
      wallet: address('1'),
      pools: [address('2')],
      tokens: { NTZS: address('3'), USDC: address('4') },
      urls: ['!env CHAIN_PATH', '!env CHAIN_QUERY'],
    },
    treasury: {
      partner: { baseUrl: nowhere, apiKey: '!env PARTNER' },
      userId: OWNER,
      lpWallet: address('1'),
      mode: 'plan',
      policy: { bands: { NTZS: { target: '5000000', refillBelow: '2000000', skimAbove: '9000000' } } },
      payees: [],
      approval: { people: 2 },
      webhooks: { port: await freePort(), secrets: ['!env PARTNER_HOOK'] },
    },
    withdraw: { enabled: true, destinations: [DESTINATION], maxPerDay: { USDC: '100' } },
  }
}

/** A server that answers nothing of use and repeats all that it was sent: path, query, headers, body. */
async function echo(): Promise<ReceivingServer> {
  const server = await receivingServer()
  server.respond = (response, { path, headers, body }) => {
    const said = `not for you: ${path} ${JSON.stringify(headers)} ${body}`
    response.statusCode = body.includes('jsonrpc') ? 200 : 403
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify(
        body.includes('jsonrpc')
          ? { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: said } }
          : { error: said, message: said },
      ),
    )
  }
  return server
}

/** Right and wrong arguments for every tool there is. */
const ASKED: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  list_positions: [{}, { search: 'http' }],
  get_state: [{ sections: ['overview', 'market', 'ledger', 'decision', 'orders', 'withdrawals', 'budget'] }],
  get_reconciliation: [{}],
  list_fills: [{}, { after: 'nowhere' }],
  list_notices: [{ limit: 100 }, { limit: 100, severity: 'critical' }, { text: 'rpc' }],
  get_history: [{}],
  get_parameters: [{}],
  get_treasury: [{}],
  explain_quote: [{}],
  run_backtest: [{ strategy: 'glft', fills: 'recorded' }],
  what_if: [
    { changes: { 'strategy.params.bidBps': 45 } },
    { changes: { 'rfq.signer.web3signer': 'http://127.0.0.1:1' } },
  ],
  get_tournament: [{}],
  list_proposals: [{ limit: 50 }],
  propose_configuration: [
    { changes: { 'strategy.params.bidBps': 45 }, why: 'so' },
    { changes: { 'rfq.rpc.urls': ['http://127.0.0.1:1'] }, why: 'so' },
    { changes: { 'treasury.partner.apiKey': 'x', 'store.postgres': null }, why: 'so' },
  ],
  propose_withdrawal: [
    { asset: 'USDC', amount: '1', toAddress: DESTINATION, why: 'so' },
    { asset: 'USDC', amount: '1', toAddress: address('8'), why: 'so' },
  ],
  propose_treasury_approval: [{ intent: 'aa'.repeat(16), why: 'so' }],
  propose_payout: [{ payee: 'landlord', asset: 'NTZS', amount: '1', why: 'so' }],
  read_documentation: [{ name: 'security' }],
}
const WRONG = [{ position: 'another' }, { position: 1, more: true }]

/** Everything that a client can get: all tools with right and with wrong arguments, all resources, what the server writes. */
async function everything({ client, call, errors }: AssistantClient): Promise<ReadonlyMap<string, string>> {
  const got = new Map<string, string>()
  const { tools } = await client.listTools()
  expect(Object.keys(ASKED).toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
  got.set('the list of tools', JSON.stringify(tools))
  got.set('the instructions', String(client.getInstructions()))
  for (const { name } of tools)
    for (const args of [...(ASKED[name] ?? []), ...WRONG])
      got.set(`${name} ${JSON.stringify(args)}`, (await call(name, args)).text)
  got.set('no tool', await failure(() => call('no_such_tool')))
  const { resources } = await client.listResources()
  got.set('the list of resources', JSON.stringify(resources))
  for (const { uri } of [...resources, { uri: 'mizani://docs/none/1' }, { uri: 'file:///etc/passwd' }])
    got.set(uri, await failure(async () => JSON.stringify(await client.readResource({ uri }))))
  got.set('its standard error', errors())
  return got
}

async function failure(ask: () => Promise<unknown>): Promise<string> {
  try {
    return String(await ask())
  } catch (thrown) {
    return String(thrown)
  }
}

/** Which secret shows in which text, in any form that a text can have it. */
function shown(texts: ReadonlyMap<string, string>): readonly string[] {
  return [...texts].flatMap(([where, text]) =>
    Object.entries(WORDS)
      .filter(([, word]) =>
        [word, encodeURIComponent(word), Buffer.from(word).toString('base64')].some((form) =>
          text.toLowerCase().includes(form.toLowerCase()),
        ),
      )
      .map(([name]) => `${name} in ${where}`)
      // The documentation names the key of the simulated venue.
      .filter((one) => !one.startsWith('apiKey in mizani://docs/')),
  )
}

const KEYSTORE = { keystore: 'maker.json', password: '!file maker.password' }

/** A market whose configuration has a secret in every place that this kind of capital has. */
async function openMarked(server: ReceivingServer, kind: 'self-custody' | 'pooled capital') {
  const own = kind === 'self-custody' ? custody(KEYSTORE) : await pooled(server.url)
  const market = await openLyingMarket({}, { ...(await sectionsOf(server.url)), ...own })
  market.folder.write('maker.json', await encryptKeystore(privateKey(), WORDS.passphrase, LIGHT))
  market.folder.write('maker.password', WORDS.passphrase)
  return { market, env: envOf(server.url) }
}

const USED = {
  'self-custody': ['rpcPath', 'feedQuery', 'feedHeader', 'telegram', 'slack', 'hook'],
  'pooled capital': ['chainPath', 'partner', 'feedQuery', 'feedHeader', 'telegram', 'slack', 'hook'],
} as const

describe.concurrent('of a configuration with a secret in every place', { timeout: 180_000 }, () => {
  for (const kind of ['self-custody', 'pooled capital'] as const)
    test(`an assistant of a desk with ${kind} is shown none by any tool, resource, refusal or proposal, and no one by its log`, async () => {
      const server = await echo()
      const { market, env } = await openMarked(server, kind)
      const daemon = market.start(env)
      await until('the state is shown', () => daemon.state().catch(() => null), { otherwise: daemon.errors })
      const assistant = await overStdio(market.config, env)
      const texts = new Map(await everything(assistant))
      const proposed = texts.get(
        `propose_configuration ${JSON.stringify(ASKED['propose_configuration']?.[0])}`,
      )
      expect(proposed).toContain('"accepted":true')
      expect(proposed).toContain('strategy.params.bidBps: 60 -> 45; quote now, bid/ask bps: ')
      for (const path of ['state', 'notices', 'proposals', 'parameters', 'positions', 'treasury'])
        texts.set(path, JSON.stringify(await daemon.get(`/api/v1/${path}`)))
      await daemon.kill('SIGTERM')
      texts.set('the log', daemon.output()).set('its errors', daemon.errors())
      // The secrets were used: what repeats them was asked with them.
      const sent = server.received.map(({ path, headers }) => path + JSON.stringify(headers)).join('\n')
      expect(USED[kind].filter((name) => !sent.includes(WORDS[name]))).toEqual([])
      expect(shown(texts)).toEqual([])
      await assistant.close()
      await market.close()
      await server.close()
    })

  test('an assistant is shown none where no daemon runs, the store is away, and the file becomes wrong under its hands', async () => {
    const nowhere = 'http://127.0.0.1:1'
    const folder = positionFolder(nowhere)
    const signer = { web3signer: `${nowhere}/${WORDS.signerPath}` }
    const more = { ...custody(signer), store: { postgres: '!env POSTGRES' } }
    const config = folder.configure({ ...(await sectionsOf(nowhere)), ...more })
    const env = envOf(nowhere)
    const assistant = await inMemory(config, env)
    const texts = new Map(await everything(assistant))
    const right = readFileSync(config, 'utf8')
    const asUser = `${WORDS.signerUser}:${WORDS.signerPassword}@`
    const wrong = {
      'a password in the address of the signer': right.replace('r": "http://', `$&${asUser}`),
      'a password with a space in it': right.replace('r": "http://', `$&${WORDS.signerUser} ${asUser}`),
      'a query in the address of the signer': right.replace(WORDS.signerPath, `a?b=${WORDS.signerUser}`),
      'a password in the address of the venue': right.replace('baseUrl": "http://', `$&${asUser}`),
      'an unknown key on the same line': JSON.stringify({ rfq: { signer: { ...signer, tpyo: 1 } } }),
      'the secrets themselves': right.replaceAll(/!env (\w+)/g, (all, name) =>
        JSON.stringify(env[name] ?? all),
      ),
      'text that is no YAML': right.replace('"web3signer": "', `"web3signer": {http://${asUser}`),
    }
    for (const [what, text] of Object.entries(wrong)) {
      expect([what, text === right]).toEqual([what, false])
      folder.write('mizani.yaml', text)
      const started = readServed([config], env)
      texts.set(`a start: ${what}`, started.ok ? '' : started.error)
    }
    folder.write('mizani.yaml', wrong['a password in the address of the signer'])
    const explained = await assistant.call('explain_quote')
    expect(explained).toMatchObject({ isError: true, text: expect.stringContaining('not a base URL') })
    texts.set('explain_quote of a file that became wrong', explained.text)
    expect(shown(texts)).toEqual([])
    await assistant.close()
    folder.remove()
  })
})

/** A client of the server that `mizani mcp` makes of this configuration, within this process. */
async function inMemory(config: string, env: Readonly<Record<string, string>>): Promise<AssistantClient> {
  const served = readServed([config], env)
  if (!served.ok) throw new Error(served.error)
  const { positions, http, readToken } = served.value
  const server = createAssistantServer(
    {
      daemon: createDaemonPort({ url: daemonUrl({ http }), token: readToken }),
      research: createResearch(positions, {}),
      documents: [],
    },
    'test',
  )
  const [here, there] = InMemoryTransport.createLinkedPair()
  const connected = await connect(async (client) => {
    await Promise.all([server.connect(there), client.connect(here)])
  })
  return { ...connected, errors: () => '' }
}
