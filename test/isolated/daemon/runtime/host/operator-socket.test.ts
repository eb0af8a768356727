import { chmodSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { askDaemon } from '../../../../../src/cli/operator/daemon-client.ts'
import type { Contact } from '../../../../../src/daemon/config/load/contact.ts'
import { Secret } from '../../../../../src/daemon/config/source/secret.ts'
import {
  createOperatorSocket,
  findOperatorSocket,
  socketLinkOf,
} from '../../../../../src/daemon/runtime/host/operator-socket.ts'
import { consoleOf, position } from '../../../../unit/daemon/console/console-fixture.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'socket-'))
  return made
}

async function daemon() {
  const { port: desk, given } = position('desk-1')
  const console = await consoleOf({ positions: [desk] })
  return { ...console, ...createOperatorSocket(console.listenAt), given }
}

/** Nothing listens on the port that it names. */
const contactOf = (storePath: string, token = 'right-token'): Contact => ({
  file: 'live.yaml',
  name: 'desk-1',
  http: { host: '127.0.0.1', port: 1, token: new Secret(token) },
  storePath,
})

const halt = (store: string, token?: string) => askDaemon(contactOf(store, token), 'POST', '/api/v1/halt', {})

const found = (store: string) => {
  const socket = findOperatorSocket(store)
  return socket.ok ? socket.value : socket.error
}

/** A socket whose process has ended. */
async function deadSocket(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(`${path}.new`, resolve))
  renameSync(`${path}.new`, path)
  await new Promise((resolve) => server.close(resolve))
}

describe('the socket of the operator', () => {
  test('takes a halt with the right token while nothing listens on the port, and refuses another token', async () => {
    const { show, given } = await daemon()
    const store = folder()
    expect(await show(store)).toBeNull()
    expect(await halt(store)).toMatchObject({ status: 200 })
    expect(given).toHaveLength(1)
    expect(await halt(store, 'wrong')).toMatchObject({ status: 401 })
    expect(await askDaemon(contactOf(store), 'GET', '/api/v1/state')).toMatchObject({ status: 200 })
    expect(given).toHaveLength(1)
  })

  test('is for its owner alone, and there is one for all stores of a process', async () => {
    const { show, hide } = await daemon()
    const [one, two] = [folder(), folder()]
    for (const store of [one, two, one]) expect(await show(store)).toBeNull()
    expect(lstatSync(found(one) ?? '').mode & 0o777).toBe(0o600)
    expect(found(two)).toBe(found(one))
    await hide(two)
    expect([found(one), found(two)]).toEqual([expect.stringContaining(one), null])
    expect(await halt(two)).toBeNull()
  })

  test.each([
    ['the store', (store: string) => chmodSync(store, 0o777)],
    [
      'the folder of the socket',
      (store: string) => {
        const socket = found(store) ?? ''
        const other = folder()
        renameSync(socket, join(other, 'x.sock'))
        chmodSync(other, 0o770)
        rmSync(socketLinkOf(store))
        symlinkSync(join(other, 'x.sock'), socketLinkOf(store))
      },
    ],
  ])('is not used where others can write into %s', async (_what, open) => {
    const { show, given } = await daemon()
    const store = folder()
    await show(store)
    open(store)
    expect(found(store)).toContain('chmod go-w')
    expect(await halt(store)).toBeNull()
    expect(given).toEqual([])
  })

  test('is not made in a folder where others can write', async () => {
    const { show } = await daemon()
    const store = folder()
    chmodSync(store, 0o777)
    expect(await show(store)).toContain('chmod go-w')
  })

  test.each(['link', 'socket'])('replaces the %s of a process that has ended', async (what) => {
    const { show } = await daemon()
    const store = folder()
    const old = what === 'link' ? join(store, 'operator-0.sock') : socketLinkOf(store)
    await deadSocket(old)
    if (what === 'link') symlinkSync(old, socketLinkOf(store))
    expect(await show(store)).toBeNull()
    expect(await halt(store)).toMatchObject({ status: 200 })
    if (what === 'link') expect(lstatSync(old, { throwIfNoEntry: false })).toBeUndefined()
  })

  test('of a daemon that runs is not replaced by a second one', async () => {
    const [first, second] = [await daemon(), await daemon()]
    const store = folder()
    expect(await first.show(store)).toBeNull()
    expect(await second.show(store)).toContain('another daemon')
    await halt(store)
    expect([first.given.length, second.given.length]).toEqual([1, 0])
    await first.close()
    expect(await second.show(store)).toBeNull()
    await halt(store)
    expect(second.given).toHaveLength(1)
  })

  test('of a store with a long name is in a private folder of this user, and not in one that another made', async () => {
    const before = process.env['TMPDIR']
    const temporary = folder()
    onTestFinished(() => {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    })
    const store = join(folder(), 'x'.repeat(120))
    mkdirSync(store, { mode: 0o700 })
    process.env['TMPDIR'] = temporary
    const { show } = await daemon()
    expect(await show(store)).toBeNull()
    const socket = found(store) ?? ''
    expect(dirname(socket)).toBe(join(temporary, `mizani-${process.getuid?.()}`))
    expect(lstatSync(dirname(socket)).mode & 0o777).toBe(0o700)
    expect(await halt(store)).toMatchObject({ status: 200 })
    chmodSync(dirname(socket), 0o777)
    expect(found(store)).toContain('chmod go-w')
    const other = await daemon()
    rmSync(socketLinkOf(store))
    expect(await other.show(store)).toContain('chmod go-w')
  })
})
