import { describe, expect, test } from 'vitest'
import type { PostgresPlace } from '../../../../src/store/place.ts'
import {
  codeOf,
  DEPOSED,
  FAILED_OVER,
  isPassing,
  postgresFailureOf,
} from '../../../../src/store/postgres/failure.ts'

const PLACE: PostgresPlace = {
  url: 'postgres://mizani:geheim@db.example:6432/desks',
  position: 'desk-1',
  folder: '/data',
}

const errorOf = (code: string) => Object.assign(new Error(`refused with ${code}`), { code })

describe('a failure of a store in PostgreSQL', () => {
  test.each([
    [DEPOSED, 'locked', 'was taken over by another daemon'],
    [FAILED_OVER, 'failed-over', 'leaves the safe quote and takes the position again'],
    ['MZ002', 'locked', 'was taken over by another daemon'],
    ['23505', 'locked', 'was taken over by another daemon'],
    ['53100', 'disk-full', "free some space on the server's disk"],
    ['XX001', 'corrupt', 'restore it from a backup'],
    ['28P01', 'io', 'check the user and the password in store.postgres'],
    ['3D000', 'io', 'create the database'],
    ['42501', 'io', 'GRANT CREATE ON DATABASE'],
    ['25006', 'io', 'this server is a replica: name the primary'],
    ['53300', 'io', 'raise max_connections'],
    ['57P01', 'io', 'check that PostgreSQL runs'],
    ['ECONNREFUSED', 'io', 'check that PostgreSQL runs'],
    ['42703', 'io', "look up code 42703 in the server's log"],
  ])('with code %s is %s and has advice: %s', (code, kind, words) => {
    const failure = postgresFailureOf(errorOf(code), PLACE)
    expect(failure.kind).toBe(kind)
    expect(failure.message).toContain(words)
    expect(failure.message).toContain('PostgreSQL at db.example:6432/desks, position desk-1')
    expect(failure.message).not.toContain('geheim')
  })

  test('has a code only where the server gave one', () => {
    expect(['28P01', 'ECONNRESET', 28, undefined].map((code) => codeOf({ code }))).toEqual([
      '28P01',
      '',
      '',
      '',
    ])
    expect([codeOf(null), codeOf('lost')]).toEqual(['', ''])
  })

  test('may pass where no one answered, the server stops or starts, or a lock was waited for', () => {
    const passing = ['57P01', '57P03', '57014', '53300', '40001', '40P01', '55P03', '25006', '08006']
    expect(passing.filter((code) => !isPassing(errorOf(code)))).toEqual([])
    expect(isPassing(new Error('Connection terminated unexpectedly'))).toBe(true)
    expect(
      [DEPOSED, FAILED_OVER, '23505', '53100', '42501'].filter((code) => isPassing(errorOf(code))),
    ).toEqual([])
  })
})
