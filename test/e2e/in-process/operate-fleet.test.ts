import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ack } from '../../../src/cli/operator/ack.ts'
import { commandDaemon } from '../../../src/cli/operator/daemon-client.ts'
import { operate } from '../../../src/cli/operator/operate.ts'
import { status } from '../../../src/cli/inspect/status/status.ts'
import { sharedOperator } from '../../../src/daemon/console/auth/credentials.ts'
import { Secret } from '../../../src/daemon/config/source/secret.ts'
import { tokenFileOf } from '../../../src/daemon/runtime/operator-token.ts'
import { takeStoreLock } from '../../../src/store/store-lock.ts'
import { storeFiles } from '../../../src/store/store-files.ts'
import { runCommand } from '../../support/run-command.ts'
import { consoleOf, position } from '../../unit/daemon/console/console-fixture.ts'
import { freshFolder } from '../../unit/store/store-fixture.ts'

/** A fleet whose daemon runs; the variables that its files name are not set here. */
async function fleet() {
  const folder = freshFolder()
  const desks = ['a', 'b'].map((name) => position(name))
  const { port } = await consoleOf({ positions: desks.map((one) => one.port) })
  const store = join(folder, 'data')
  writeFileSync(
    join(folder, 'defaults.yaml'),
    `fleet: {}\nhttp: { port: ${port} }\nstore: { path: ${store} }\nvenue: { apiKey: !env NOT_SET_HERE }\n`,
  )
  for (const name of ['a', 'b']) {
    writeFileSync(join(folder, `${name}.yaml`), `name: ${name}\nquote: { oops\n`)
    mkdirSync(join(store, name), { recursive: true })
    writeFileSync(tokenFileOf(join(store, name)), 'right-token')
  }
  const given = () => desks.flatMap((one) => one.given.map(({ command }) => command.name))
  return { folder, given }
}

test.each(['halt', 'pause', 'resume', 'deactivate'] as const)(
  '%s --fleet reaches a running daemon whatever is missing of its files',
  async (name) => {
    const { folder, given } = await fleet()
    const { exitCode } = await runCommand(() => operate({ name }, { fleet: folder, reason: 'odd', wait: 0 }))
    expect(given()).toEqual([name, name])
    expect(exitCode).toBe(name === 'deactivate' ? 4 : 0)
  },
)

test('status --fleet and ack --fleet reach it too', async () => {
  const { folder, given } = await fleet()
  const shown = await runCommand(() => status({ fleet: folder }))
  expect(shown.exitCode).toBeUndefined()
  expect(shown.text).toMatch(/\ba\b[^]*\bb\b/)
  await runCommand(() => ack(null, { fleet: folder, reason: 'odd' }))
  expect(given()).toEqual(['ack', 'ack'])
})

test('a deactivation that is not confirmed shows what is live and what to do', async () => {
  const { folder } = await fleet()
  const { text } = await runCommand(() =>
    operate({ name: 'deactivate' }, { fleet: folder, reason: 'odd', wait: 0 }),
  )
  expect(text).toMatch(/a: NOT confirmed after \d+ s: .*(live|unknown|inactive).* Do: /)
})

test('tries each token that it finds for a stop, names them, and for a start the first alone', async () => {
  const { port: desk, given } = position('desk-1')
  const { port } = await consoleOf({ positions: [desk], credentials: [sharedOperator('left-here')] })
  const storePath = freshFolder()
  const http = { host: '127.0.0.1', port, token: new Secret('of-the-file') }
  const contact = { file: 'a.yaml', name: 'desk-1', http, storePath }
  writeFileSync(tokenFileOf(storePath), 'left-before')
  // A daemon that runs holds its store; a program on the port of a free store would be a stranger.
  const lock = takeStoreLock(storeFiles(storePath), { pid: process.pid, startedAt: 'now' })
  if (!lock.ok) throw new Error(lock.error.message)
  onTestFinished(() => lock.value.release())
  const answer = (name: 'halt' | 'resume') => commandDaemon(contact, name, {})
  const refused = await answer('halt')
  expect(refused).toMatchObject({ exitCode: 2 })
  expect(refused?.answer).toContain(`http.token of a.yaml, then ${tokenFileOf(storePath)}`)
  writeFileSync(tokenFileOf(storePath), 'left-here')
  expect(await answer('resume')).toMatchObject({ exitCode: 2 })
  expect(await answer('halt')).toMatchObject({ exitCode: 0, accepted: true })
  expect(given.map(({ command }) => command.name)).toEqual(['halt'])
})
