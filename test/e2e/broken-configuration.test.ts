import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { request as pass, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { ownCertificate } from '../support/own-certificate.ts'
import { freePort } from '../support/free-port.ts'
import { openMarket } from './daemon/open-market.ts'
import { runMizani } from './daemon/run-mizani.ts'

test('stops, resume, ack and status reach a running daemon whose configuration broke', async () => {
  await using market = await openMarket()
  const config = market.folder.configure({ http: { port: await freePort() } })
  const whole = readFileSync(config, 'utf8')
  const daemon = market.start()
  await market.quoted(60, 70)
  const faults = {
    'an unknown key': `${whole}\nnonsense: 1\n`,
    'a bracket that is never closed': `${whole}\nrisk: { maxLossTzs: [1\n`,
    'secrets that are not set': whole.replaceAll(/!env \w+/g, '!env NOT_SET'),
    'a strategy that is gone': whole.replace(/use: \S+/, 'use: gone.ts,').replace(',,', ','),
  }
  for (const [fault, text] of Object.entries(faults)) {
    writeFileSync(config, text)
    const run = (...words: string[]) =>
      runMizani([...words, '--config', config], { MIZANI_OPERATOR_TOKEN: 'the-operators-token' })
    const halted = await run('halt', '--why', fault)
    expect([fault, halted.code, halted.err]).toEqual([fault, 0, expect.not.stringContaining('NOT_SET')])
    expect((await daemon.state()).tradingState).toBe('HALTED')
    expect((await run('status')).out).toContain('HALTED')
    // It is reached and refuses: nothing is repeated without a channel.
    expect((await run('ack')).err).toContain('alert.repeatMinutes')
    expect((await run('resume', '--why', fault)).code).toBe(0)
    expect((await daemon.state()).tradingState).not.toBe('HALTED')
    expect((await run('pause')).code).toBe(0)
    expect((await run('resume')).code).toBe(0)
  }
  const bare = (...words: string[]) => runMizani(words, { MIZANI_OPERATOR_TOKEN: 'the-operators-token' })
  for (const place of [
    ['--store', market.folder.store],
    ['--url', await daemon.url()],
  ]) {
    const halted = await bare('halt', ...place)
    expect([halted.code, halted.out]).toEqual([0, expect.stringContaining('Confirmed')])
    expect((await bare('status', ...place)).out).toContain('HALTED')
    expect((await bare('resume', ...place)).code).toBe(0)
    expect((await daemon.state()).tradingState).not.toBe('HALTED')
    expect((await bare('treasury', 'approve', '7c1e0000', '--yes', ...place)).err).not.toContain('--config')
    expect((await bare('rfq', 'stop-at', 'now', ...place)).code).toBe(3)
  }
  expect((await bare('halt', '--url', 'http://127.0.0.1:1')).err).toContain('nothing was done')
  // A file that is not there reaches nothing, also not a daemon at the default port.
  const missing = await runMizani(['halt', '--config', `${config}.not-there`], {})
  expect(missing.code).toBe(2)
}, 180_000)

test.skipIf(needs('openssl'))(
  'a halt reaches the daemon behind a proxy with a certificate, and no other program there',
  async () => {
    await using market = await openMarket()
    const daemon = market.start()
    await market.quoted(60, 70)
    const own = ownCertificate()
    const seen: string[] = []
    async function behind(listener: RequestListener): Promise<string> {
      const server = createServer({ key: own.key, cert: own.cert }, (request, response) => {
        seen.push(String(request.headers.authorization))
        listener(request, response)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    const proxy = await behind((request, response) => {
      const { port } = new URL(target)
      const { method, url: path, headers } = request
      const far = pass(
        { port, method, path, headers: { ...headers, host: `127.0.0.1:${port}` } },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        },
      )
      request.pipe(far)
    })
    const target = await daemon.url()
    const halt = (url: string) =>
      runMizani(['halt', '--url', url], {
        MIZANI_OPERATOR_TOKEN: 'the-operators-token',
        NODE_EXTRA_CA_CERTS: own.certFile,
      })
    expect((await halt(proxy)).err).toBe('')
    expect((await daemon.state()).tradingState).toBe('HALTED')
    seen.length = 0
    const other = await behind((_request, response) => void response.end('{"salt":"00","proofs":["00"]}'))
    expect((await halt(other)).err).toContain('does not prove')
    expect(seen).not.toContain('Bearer the-operators-token')
    rmSync(own.folder, { recursive: true })
  },
  180_000,
)
