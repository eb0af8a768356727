import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { databaseProblem, isPlainAway } from '../../../src/base/outgoing.ts'

/** What `pg` itself makes of a URL in this environment, or null where it refuses the URL. */
function asPgReads(url: string): { readonly host: string; readonly ssl: unknown } | null {
  try {
    const { host, ssl } = new pg.Client({ connectionString: url }) as unknown as {
      readonly host: string
      readonly ssl: unknown
    }
    return { host, ssl }
  } catch {
    return null
  }
}

const isHere = (host: string) => host.startsWith('/') || /^(localhost|::1|(::ffff:)?127\.)/i.test(host)
const isVerified = (ssl: unknown) =>
  typeof ssl === 'object' && ssl !== null && !('rejectUnauthorized' in ssl) && !('checkServerIdentity' in ssl)

describe('the URL of a database', () => {
  test('is accepted only where pg itself stays on this machine or verifies certificate and name', () => {
    const from = (words: string) => fc.constantFrom('', ...words.split(' '))
    const host = from(
      'db db.example 127.0.0.1 127.0.0.1.db.example localhost LOCALHOST localhost.db [::1] [::ffff:10.0.0.1] ' +
        '10.0.0.7 %2Frun%2Fpg %6cocalhost %64b 0x7f000001 %zz',
    )
    const pair = fc
      .tuple(
        from('sslmode ssl host uselibpqcompat sslnegotiation SSLMODE sslm%6fde x'),
        from(
          'verify-full verify-ca require prefer disable no-verify Verify-Full verify-full%20 true false 0 direct ' +
            'db.example 127.0.0.1 /run/pg %2Frun',
        ),
      )
      .map(([name, value]) => `${name}=${value}`)
    const urls = fc
      .tuple(
        fc.constantFrom('', 'u@', 'u:p%40@'),
        host,
        fc.constantFrom('', ':6432'),
        fc.array(pair, { maxLength: 4 }),
      )
      .map(([user, at, port, pairs]) => `postgres://${user}${at}${port}/desks?${pairs.join('&')}`)
    let accepted = 0
    fc.assert(
      fc.property(urls, (url) => {
        if (URL.parse(url) === null || databaseProblem(url, false, {}) !== null) return
        const read = asPgReads(url)
        if (read === null) return
        accepted += 1
        expect([url, isHere(read.host) || isVerified(read.ssl)]).toEqual([url, true])
      }),
      { numRuns: 1_000 },
    )
    expect(accepted).toBeGreaterThan(50)
  })

  test.each([
    ['postgres://db.example/desks', {}],
    ['postgres://db.example/desks?sslmode=require', {}],
    ['postgres://db.example/desks?sslmode=no-verify', {}],
    ['postgres://db.example/desks?sslmode=verify-full&sslmode=no-verify', {}],
    ['postgres://127.0.0.1/desks?host=db.example', {}],
    ['postgres:///desks', { PGHOST: 'db.example' }],
    ['postgres://db.example/desks?sslmode=verify-full', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
  ])('%s is refused with %j, and lifted by store.allowPlain', (url, environment) => {
    const problem = databaseProblem(url, false, environment)
    expect(problem).toMatch(/sslmode=verify-full|NODE_TLS_REJECT_UNAUTHORIZED/)
    expect(problem).not.toContain('db.example')
    expect(databaseProblem(url, true, environment)).toBeNull()
  })

  test.each([
    ['postgres://db.example/desks?sslmode=verify-full', {}],
    ['postgres:///desks?host=/run/postgresql', { PGHOST: 'db.example' }],
    ['postgres://127.0.0.1:5433/desks', { PGHOST: 'db.example', NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
    ['postgres:///desks', {}],
  ])('%s is accepted with %j', (url, environment) => {
    expect(databaseProblem(url, false, environment)).toBeNull()
  })
})

test('plain http to a host that only looks like this machine leaves it', () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/)
  const looks = fc.constantFrom('127.0.0.1', 'localhost', '127.1.2.3', '0x7f000001', 'localhost.localdomain')
  fc.assert(
    fc.property(looks, label, fc.nat(65_535), (near, name, port) => {
      expect(isPlainAway(`http://${near}.${name}.example:${port}/x`)).toBe(true)
      expect(isPlainAway(`https://${near}.${name}.example:${port}/x`)).toBe(false)
      expect(isPlainAway(`HTTP://127.0.0.1:${port}/${name}`)).toBe(false)
    }),
  )
  expect(isPlainAway('http://user@127.0.0.1:1@venue.example')).toBe(true)
})
