import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, test } from 'vitest'
import { runGuard } from '../../../../../src/daemon/guard/process/run-guard.ts'
import { PROTOCOL_VERSION } from '../../../../../src/daemon/guard/protocol/renewal.ts'
import { POSITION, renewalOf } from '../guarded-position.ts'

const POSITIONS = 40

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mizani-guard-'))))

test('a guard whose fleet dies at once writes for all of its positions at the same time, whatever one venue takes for an answer', async () => {
  const held: ServerResponse[] = []
  const { promise: allAsked, resolve: markAsked } = Promise.withResolvers<void>()
  // A venue that answers no one before everybody has asked.
  const venue = createServer((request, response) => {
    request.resume()
    if (held.push(response) === POSITIONS) markAsked()
  })
  await new Promise<void>((resolve) => venue.listen(0, '127.0.0.1', resolve))
  writeFileSync(join(folder, 'key'), 'mm_key')
  const origin = `http://127.0.0.1:${(venue.address() as AddressInfo).port}`
  const names = Array.from({ length: POSITIONS }, (_, at) => `desk-${at}`)
  const guard = await runGuard(
    {
      version: '0',
      host: '127.0.0.1',
      port: 0,
      tls: null,
      token: { kind: 'file', where: join(folder, 'key') },
      folder: join(folder, 'kept'),
      heartbeats: [],
      program: [],
      arguments: [],
      unwatched: [],
      positions: names.map((name) => ({
        ...POSITION,
        name,
        origin,
        waitMs: 450,
        writeTimeoutMs: 60_000,
        apiKey: { kind: 'file', where: join(folder, 'key') },
      })),
    },
    { log: () => undefined, send: () => Promise.resolve([]) },
  )
  if (!guard.ok) throw new Error(guard.error)
  guard.value.positions.renew({
    version: PROTOCOL_VERSION,
    holder: 'a'.repeat(32),
    deadlineMs: 300,
    positions: names.map((name) => renewalOf(1, { name })),
  })
  await allAsked
  for (const response of held) response.end('{}')
  await guard.value.close()
  venue.closeAllConnections()
  await new Promise((resolve) => venue.close(resolve))
})
