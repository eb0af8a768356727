import { mkdtempSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { askDaemonAt } from '../../../../src/daemon/console/ask-daemon.ts'
import { askDaemon, commandDaemon } from '../../../../src/cli/operator/daemon-client.ts'
import { contactOf } from '../../../../src/daemon/config/load/contact.ts'
import type { Contact } from '../../../../src/daemon/config/load/contact.ts'
import { proofRoute } from '../../../../src/daemon/console/auth/daemon-proof.ts'
import { sharedOperator } from '../../../../src/daemon/console/auth/credentials.ts'
import { storeFiles } from '../../../../src/store/store-files.ts'
import { takeStoreLock } from '../../../../src/store/store-lock.ts'
import { changed, ENV, load } from '../../../unit/daemon/config/config-fixture.ts'
import { consoleOf, position } from '../../../unit/daemon/console/console-fixture.ts'

const TOKEN = ENV.MIZANI_HTTP_TOKEN

async function configAt(port: number): Promise<Contact> {
  const loaded = await load(changed('port: 9464', `port: ${port}`))
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return contactOf(loaded.value)
}

/** Another program on the port; what it was sent. */
async function impostor(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(JSON.stringify([request.url, request.headers]))
    answer(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, port: (server.address() as AddressInfo).port }
}

const halt = (config: Contact) => askDaemon(config, 'POST', '/api/v1/halt', { why: 'a test' })

describe('the command line', () => {
  test('gives its token to the daemon that knows it', async () => {
    const { port: desk, given } = position('desk-1')
    const { port } = await consoleOf({ positions: [desk], credentials: [sharedOperator(TOKEN)] })
    expect(await halt(await configAt(port))).toMatchObject({ status: 200 })
    expect(given).toHaveLength(1)
  })

  test.each([
    ['answers everything with 200', { ok: true }],
    ['makes up a proof', { salt: '00', proofs: ['00'.repeat(32)] }],
  ])('gives no token and no command to a program on the port that %s', async (_how, body) => {
    const { received, port } = await impostor((_request, response) => response.end(JSON.stringify(body)))
    const config = await configAt(port)
    expect(await halt(config)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('does not prove') },
    })
    await askDaemon(config, 'GET', '/api/v1/state')
    expect(received.length).toBeGreaterThan(1)
    expect(received.join('\n')).not.toContain(TOKEN)
    expect(received.join('\n')).not.toContain('/halt')
  })

  test('a stranger on the port leaves the command to a store that no daemon holds, with a warning', async () => {
    const { received, port } = await impostor((_request, response) => response.end('{"ok":true}'))
    const storePath = mkdtempSync(join(tmpdir(), 'mizani-free-'))
    const config = { ...(await configAt(port)), storePath }
    const warn = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => warn.mockRestore())
    // No daemon has ever used this folder: the daemon may have its store elsewhere.
    expect(await commandDaemon(config, 'halt', {})).toMatchObject({ exitCode: 2 })
    const lock = takeStoreLock(storeFiles(storePath), { pid: process.pid, startedAt: 'now' })
    if (!lock.ok) throw new Error(lock.error.message)
    expect(await commandDaemon(config, 'halt', {})).toMatchObject({ exitCode: 2 })
    expect(warn).not.toHaveBeenCalled()
    lock.value.release()
    expect(await commandDaemon(config, 'halt', {})).toBeNull()
    expect(warn.mock.calls.join()).toContain('did not prove')
    expect(received.join('\n')).not.toContain(TOKEN)
  })

  test('a silent program on the port leaves the command to a free store, and names the process that holds another', async () => {
    const { received, port } = await impostor(() => undefined)
    const warn = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => warn.mockRestore())
    const base = await configAt(port)
    const storeOf = (isFree: boolean) => {
      const storePath = mkdtempSync(join(tmpdir(), 'mizani-silent-'))
      const lock = takeStoreLock(storeFiles(storePath), { pid: process.pid, startedAt: 'now' })
      if (!lock.ok) throw new Error(lock.error.message)
      if (isFree) lock.value.release()
      else onTestFinished(() => lock.value.release())
      return { ...base, storePath }
    }
    const [free, held] = await Promise.all([
      commandDaemon(storeOf(true), 'deactivate', {}),
      commandDaemon(storeOf(false), 'deactivate', {}),
    ])
    expect(free).toBeNull()
    expect(held?.answer).toContain(`nothing was sent; process ${process.pid} holds the store`)
    expect(received.join('\n')).not.toContain(TOKEN)
  }, 30_000)

  test('an unknown position is what the daemon answers at a chosen address, and another daemon elsewhere', async () => {
    const { port: desk } = position('desk-1')
    const { port } = await consoleOf({ positions: [desk], credentials: [sharedOperator(TOKEN)] })
    const place = { url: `http://127.0.0.1:${port}`, token: TOKEN }
    const ask = (isChosen: boolean) =>
      askDaemonAt({ ...place, isChosen }, 'POST', '/api/v1/halt', { position: 'nope' })
    expect(await ask(false)).toBeNull()
    expect(await ask(true)).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('desk-1') },
    })
  })

  test.each([
    ['withdraw', 5],
    ['halt', 1],
  ] as const)(
    'ends %s with exit code %i if the daemon takes it and never answers',
    async (command, exitCode) => {
      const app = fastify()
        .setValidatorCompiler(() => () => true)
        .setSerializerCompiler(() => JSON.stringify)
      proofRoute(app, [sharedOperator(TOKEN)])
      app.post('*', (request) => void request.raw.socket.destroy())
      onTestFinished(() => app.close())
      const port = Number(new URL(await app.listen({ port: 0 })).port)
      const config = await configAt(port)
      expect(await commandDaemon(config, command, {})).toMatchObject({ exitCode })
    },
  )

  test('is not deceived by a program that passes the question on to the real daemon', async () => {
    const { port: desk, given } = position('desk-1')
    const { port: real } = await consoleOf({ positions: [desk], credentials: [sharedOperator(TOKEN)] })
    const { received, port } = await impostor((request, response) => {
      void fetch(`http://127.0.0.1:${real}${request.url ?? ''}`)
        .then((answer) => answer.text())
        .then((text) => response.end(text))
    })
    expect(await halt(await configAt(port))).toMatchObject({ status: 403 })
    expect(received.join('\n')).not.toContain(TOKEN)
    expect(given).toEqual([])
  })

  test('sends nothing to a program that takes the connection and never answers', async () => {
    const { received, port } = await impostor(() => undefined)
    expect(await halt(await configAt(port))).toMatchObject({ status: 503 })
    expect(received.join('\n')).not.toContain(TOKEN)
  }, 15_000)

  test('sends a stop again after 429, 5xx and a cut connection, and reports how long a 429 asks to wait', async () => {
    let [count, last] = [0, { status: 200, wait: '0' }]
    const { port } = await impostor((request, response) => {
      count += 1
      if (count === 1) return void response.writeHead(503).end('{"error":"starting"}')
      if (count === 2) return void request.socket.destroy()
      response.writeHead(last.status, { 'retry-after': last.wait }).end('{"accepted":true,"message":"no"}')
    })
    const place = { url: `http://127.0.0.1:${port}`, token: null }
    expect(await askDaemonAt(place, 'POST', '/api/v1/halt', {})).toMatchObject({ status: 200 })
    expect(count).toBe(3)
    last = { status: 429, wait: '120' }
    expect(await askDaemonAt(place, 'POST', '/api/v1/halt', {})).toMatchObject({
      body: { message: 'no (try again in 120 s)' },
    })
    expect(count).toBe(4)
    last = { status: 503, wait: '0' }
    expect(await askDaemonAt(place, 'POST', '/api/v1/halt', {})).toMatchObject({ status: 503 })
    expect(count).toBe(5)
  })

  test('does not send a resume again that may have arrived', async () => {
    let count = 0
    const { port } = await impostor((request) => {
      count += 1
      request.socket.destroy()
    })
    const place = { url: `http://127.0.0.1:${port}`, token: null }
    expect(await askDaemonAt(place, 'POST', '/api/v1/resume', {})).toMatchObject({ status: null })
    expect(count).toBe(1)
  })

  test('a proof is another one for every nonce and says nothing without one', async () => {
    const { ask } = await consoleOf()
    const [one, two] = await Promise.all(
      ['a', 'b'].map(async (digit) => (await ask(`/api/v1/proof?nonce=${digit.repeat(64)}`)).json()),
    )
    expect(one?.['proofs']).not.toEqual(two?.['proofs'])
    expect((await ask('/api/v1/proof')).status).toBe(400)
    expect((await ask('/api/v1/proof?nonce=short')).status).toBe(400)
  })
})
