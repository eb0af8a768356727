import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { asAdministrator, open, startServer, stopServer } from '../../contract/store/both-stores.ts'
import { needs } from '../../support/needs.ts'
import { bouncerSurroundings, startBouncer } from '../../support/pgbouncer.ts'
import type { PostgresServer } from '../../support/postgres.ts'
import { durable, errorOf, valueOf } from '../../unit/store/store-fixture.ts'
import { elsewhere, fillsOf, fillsUpTo, freshPostgres, inspect, write } from './postgres-place.ts'

let server: PostgresServer

describe.skipIf(needs('pgbouncer', bouncerSurroundings()))('a store behind pgbouncer', () => {
  beforeAll(async () => {
    const started = await startServer()
    if (started === null) throw new Error('the server did not start')
    server = started
  })
  afterAll(stopServer)

  test.each(['session', 'transaction'] as const)(
    'in %s mode loses and doubles nothing while the pool drops its connections, and has one writer',
    async (mode) => {
      const bouncer = await startBouncer(server, mode)
      onTestFinished(bouncer.stop)
      const place = { ...freshPostgres(), url: bouncer.url }
      const store = valueOf(await open(place))
      let seq = 0
      // Each connection of the pool is closed after a second by itself, and all of them at once half-way.
      for (let burst = 1; burst <= 30; burst++) {
        write(store, seq + 1, seq + 20)
        seq += 20
        store.saveSnapshot({ seq, t: seq, state: `{"at":${seq}}`, digest: `${seq}` })
        if (burst === 15) await cutAll()
        await pause(80)
      }
      await durable(store, seq)
      expect(errorOf(await open(elsewhere(place))).kind).toBe('locked')
      expect(await store.prune(100)).toBe(99)
      await store.close()
      const began = performance.now()
      const next = valueOf(
        await open(elsewhere(place), {
          terms: { renewMs: 200, roundTripMs: 500, giveUpMs: 10_000, waitMs: 60_000 },
        }),
      )
      expect(performance.now() - began).toBeLessThan(30_000)
      expect(next.recover().lastSeq).toBe(seq)
      await next.close()
      expect(inspect(place)).toBe(seq)
      expect(fillsOf(place)).toEqual(fillsUpTo(seq))
    },
  )
})

function cutAll(): Promise<unknown> {
  return asAdministrator(
    server,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = $$client backend$$',
  )
}
