import { afterAll, beforeAll, describe } from 'vitest'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { endDaemons } from '../daemon/running-daemon.ts'

/** Tests of daemons beside a PostgreSQL server of their own, which `url` names once it runs; skipped where none exists. */
export function besidePostgres(name: string, tests: (url: () => string) => void): void {
  describe.skipIf(needs('initdb', postgresSurroundings()))(name, { timeout: 240_000 }, () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres()
    }, 60_000)
    afterAll(async () => {
      await endDaemons()
      server.stop()
    })
    tests(() => server.url)
  })
}
