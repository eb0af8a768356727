import { chownSync, copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPool } from '../../../src/store/postgres/pool.ts'
import { needs } from '../../support/needs.ts'
import { ownCertificate, type OwnCertificate } from '../../support/own-certificate.ts'
import {
  newFolder,
  postgresSurroundings,
  type PostgresServer,
  serverUser,
  startPostgres,
} from '../../support/postgres.ts'

describe.skipIf(needs('openssl') || needs('initdb', postgresSurroundings()))('sslmode=verify-full', () => {
  let server: PostgresServer
  let own: OwnCertificate
  let other: OwnCertificate

  async function asked(url: string): Promise<unknown> {
    const pool = openPool(url, 1)
    try {
      const { rows } = await pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
      return rows[0]
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error)
    } finally {
      await pool.end()
    }
  }

  beforeAll(async () => {
    own = ownCertificate()
    other = ownCertificate()
    server = await startPostgres()
    const { uid, gid } = serverUser()
    const folder = newFolder()
    const files = [
      [own.certFile, join(folder, 'cert.pem')],
      [own.keyFile, join(folder, 'key.pem')],
    ] as const
    for (const [from, to] of files) {
      copyFileSync(from, to)
      chownSync(to, uid, gid)
    }
    const pool = openPool(server.url, 1)
    for (const [index, name] of ['ssl_cert_file', 'ssl_key_file'].entries())
      await pool.query(`ALTER SYSTEM SET ${name} = '${files[index]?.[1]}'`)
    await pool.query('ALTER SYSTEM SET ssl = on')
    await pool.query('SELECT pg_reload_conf()')
    await pool.end()
  })

  afterAll(() => {
    server.stop()
    for (const { folder } of [own, other]) rmSync(folder, { recursive: true })
  })

  test('reaches the server whose certificate the named authority signed for that host, and no other', async () => {
    const at = (certFile: string) => `${server.url}?sslmode=verify-full&sslrootcert=${certFile}`
    await expect.poll(() => asked(at(own.certFile))).toEqual({ ssl: true })
    expect(await asked(at(other.certFile))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(await asked(at(own.certFile).replace('127.0.0.1', 'localhost'))).toBe(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    )
  })
})
