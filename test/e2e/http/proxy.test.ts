import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openHttp } from '../../../src/daemon/feeds/open-http.ts'
import { openHttpClient } from '../../../src/base/http/client.ts'
import { webhookChannel } from '../../../src/daemon/notify/channels/webhook.ts'
import { createRpcEndpoint } from '../../../src/custody/chain/rpc/rpc-endpoint.ts'
import { createPartnerClient } from '../../../src/treasury/api/client.ts'
import { exampleMessage } from '../../unit/daemon/notify/example-message.ts'
import { needs } from '../../support/needs.ts'
import { ownCertificate } from '../../support/own-certificate.ts'

/** Where CONNECT has led to, and what the proxy was shown of the requests behind it. */
type Proxy = { readonly url: string; readonly tunnels: string[]; readonly users: string[] }

async function connectProxy(): Promise<Proxy> {
  const [tunnels, users]: [string[], string[]] = [[], []]
  const server = createServer().on('connect', ({ url = '', headers }, client, head) => {
    tunnels.push(url)
    users.push(headers['proxy-authorization'] ?? '')
    const { hostname, port } = new URL(`http://${url}`)
    const origin = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      origin.write(head)
      origin.pipe(client).pipe(origin)
    })
    origin.on('error', () => client.destroy())
    client.on('error', () => origin.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://desk:s3cretpass@127.0.0.1:${port}`, tunnels, users }
}

/** An https server whose certificate this process trusts; `asked` has each request. */
async function secureServer(answer: string): Promise<{ readonly host: string; readonly asked: string[] }> {
  const { key, cert } = ownCertificate()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  onTestFinished(() => setDefaultCACertificates(before))
  const asked: string[] = []
  const server = createSecureServer({ key, cert }, (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function useProxy(url: string, noProxy = ''): void {
  vi.stubEnv('HTTPS_PROXY', url)
  vi.stubEnv('NO_PROXY', noProxy)
  onTestFinished(() => void vi.unstubAllEnvs())
}

test.skipIf(needs('openssl'))(
  'notifications, feeds, the chain and reads of the partner API go through the proxy; its writes do not',
  async () => {
    const proxy = await connectProxy()
    const { host, asked } = await secureServer('{"mid":"2600","jsonrpc":"2.0","id":1,"result":"0x1"}')
    useProxy(proxy.url)
    const url = `https://${host}`
    const channel = webhookChannel({
      url: () => `${url}/hook`,
      hmacKey: () => 'a-key-of-16-bytes',
      timezone: 'UTC',
    })
    onTestFinished(channel.close)
    expect(await channel.send(exampleMessage())).toEqual({ outcome: 'sent' })
    const feed = openHttp({
      kind: 'http',
      url: { reveal: () => `${url}/rate` },
      path: 'mid',
      timePath: null,
      headers: {},
      timeoutMs: 5_000,
    })
    onTestFinished(feed.close)
    expect(await feed.read()).toMatchObject({ ok: true })
    const rpc = createRpcEndpoint(`${url}/rpc`, { label: 'node', timeoutMs: 5_000, maxBytes: 10_000 })
    onTestFinished(rpc.close)
    expect(await rpc.ask([{ method: 'eth_chainId', params: [] }])).toMatchObject({ ok: true })
    const partner = createPartnerClient({ baseUrl: `${url}/partner` }, { apiKey: 'key_of_the_partner' })
    onTestFinished(() => partner.close())
    await partner.rampBalance({})
    await partner.createUser({ externalId: 'u-1', email: 'a@example.org', name: 'A', phone: '255700000001' })
    expect(proxy.tunnels).toEqual([host, host, host, host])
    expect(asked).toHaveLength(5)
    expect(asked.at(-1)).toBe('POST /partner/api/v1/users')
    expect(new Set(proxy.users)).toEqual(
      new Set([`Basic ${Buffer.from('desk:s3cretpass').toString('base64')}`]),
    )
  },
)

test.skipIf(needs('openssl'))('a host that NO_PROXY names is reached directly', async () => {
  const proxy = await connectProxy()
  const { host, asked } = await secureServer('ok')
  useProxy(proxy.url, 'example.org,127.0.0.1')
  const http = openHttpClient({ connections: 1, timeoutMs: 5_000, maxBytes: 1_000, mayUseProxy: true })
  onTestFinished(http.close)
  const call = { origin: `https://${host}`, method: 'GET', path: '/', headers: {}, body: null } as const
  expect(await http.send(call)).toMatchObject({ ok: true, value: { status: 200 } })
  expect([proxy.tunnels, asked]).toEqual([[], ['GET /']])
})
