import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openHttpClient } from '../../../../src/base/http/client.ts'
import { proxyFor, proxyProblem } from '../../../../src/base/http/proxy.ts'

const PROXY = 'http://desk:s3cretpass@proxy.example:3128'

test.each([
  ['https://hooks.slack.com', { HTTPS_PROXY: PROXY }, true],
  ['https://hooks.slack.com', { https_proxy: '', HTTPS_PROXY: PROXY }, false],
  ['http://hooks.slack.com', { HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY, http_proxy: PROXY }, false],
  ['https://hooks.slack.com', { HTTP_PROXY: PROXY, ALL_PROXY: PROXY }, false],
  ['https://rpc.internal', { HTTPS_PROXY: PROXY, NO_PROXY: 'example.org, .internal' }, false],
  ['https://rpc.internal:8545', { HTTPS_PROXY: PROXY, NO_PROXY: 'rpc.internal:443' }, true],
  ['https://[::1]:8545', { HTTPS_PROXY: PROXY, NO_PROXY: '::1' }, false],
  ['https://hooks.slack.com', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, false],
  ['https://hooks.slack.com', { HTTPS_PROXY: PROXY, no_proxy: '', NO_PROXY: '*' }, true],
  ['https://hooks.slack.com', {}, false],
])('requests to %s with %j have a proxy: %s', (origin, environment, isProxied) => {
  expect(proxyFor(origin, environment)).toBe(isProxied ? PROXY : null)
})

test.each([
  'proxy.example:3128',
  'socks5://desk:s3cretpass@proxy.example',
  'http://desk:s3cretpass@proxy.example:99999',
  'http://desk:s3cretpass%@proxy.example:3128',
  'http://desk:s3cretpass@proxy.example:0',
  'desk:s3cretpass',
])('a proxy that cannot be used (%s) is refused by the name of its variable, without its value', (value) => {
  const problem = proxyProblem({ https_proxy: value })
  expect(problem).toMatch(/^https_proxy is not the URL of a proxy .*write http:\/\/HOST:PORT/)
  expect(problem).not.toMatch(/s3cret|desk|proxy\.example/)
})

test('a proxy with a user and a password is taken', () => {
  expect(proxyProblem({ HTTPS_PROXY: PROXY })).toBeNull()
  expect(proxyProblem({ HTTPS_PROXY: '' })).toBeNull()
})

/** A proxy that refuses every tunnel; the requests that it received. */
async function refusingProxy(): Promise<{ readonly asked: string[]; readonly host: string }> {
  const asked: string[] = []
  const server = createServer().on('connect', ({ url = '' }, socket) => {
    asked.push(url)
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { asked, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('a client that may use a proxy reports that it refused, and the request counts as not sent', async () => {
  const { asked, host } = await refusingProxy()
  vi.stubEnv('HTTPS_PROXY', `http://desk:s3cretpass@${host}`)
  vi.stubEnv('NO_PROXY', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const client = openHttpClient({ connections: 1, timeoutMs: 5_000, maxBytes: 1_000, mayUseProxy: true })
  onTestFinished(client.close)
  const call = {
    origin: 'https://hooks.slack.invalid',
    method: 'POST',
    path: '/x',
    headers: {},
    body: '',
  } as const
  const answer = await client.send(call)
  if (answer.ok) throw new Error('a refused tunnel has an answer')
  expect(asked).toEqual(['hooks.slack.invalid:443'])
  expect(answer.error).toMatchObject({ kind: 'network', code: 'PROXY_407', wasSent: false })
  expect(answer.error.words).toMatch(/HTTPS_PROXY answered 407/)
  expect(answer.error.words).not.toContain('s3cret')
})

test('a client without that flag never asks the proxy', async () => {
  const { asked, host } = await refusingProxy()
  vi.stubEnv('HTTPS_PROXY', `http://${host}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const client = openHttpClient({ connections: 1, timeoutMs: 5_000, maxBytes: 1_000 })
  onTestFinished(client.close)
  await client.send({ origin: 'https://127.0.0.1:1', method: 'GET', path: '/', headers: {}, body: null })
  expect(asked).toEqual([])
})

test('a proxy that cannot be reached is named with the addresses tried and without its password', async () => {
  vi.stubEnv('HTTPS_PROXY', 'http://desk:s3cretpass@127.0.0.1:1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const client = openHttpClient({ connections: 1, timeoutMs: 5_000, maxBytes: 1_000, mayUseProxy: true })
  onTestFinished(client.close)
  const answer = await client.send({
    origin: 'https://hooks.slack.invalid',
    method: 'GET',
    path: '/',
    headers: {},
    body: null,
  })
  if (answer.ok) throw new Error('no proxy has an answer')
  expect(answer.error).toMatchObject({ code: 'ECONNREFUSED', wasSent: false })
  expect(answer.error.words).toMatch(/ECONNREFUSED.*proxy 127\.0\.0\.1:1: 127\.0\.0\.1 failed/)
})
