import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAccessControl } from '../../../../../src/daemon/console/auth/access-control.ts'
import { sharedOperator } from '../../../../../src/daemon/console/auth/credentials.ts'
import { Refusal } from '../../../../../src/daemon/console/refusal.ts'

const credentials = [sharedOperator('right-token')]

function readStatus(headers: Record<string, string>, readsNeedToken = false): number {
  try {
    createAccessControl('127.0.0.1', credentials, readsNeedToken).checkRead({ headers, ip: '127.0.0.1' })
    return 200
  } catch (thrown) {
    return thrown instanceof Refusal ? thrown.status : 500
  }
}

/** Words of the issue, and of the content networks that use none of them. */
const WORDS =
  'forward forwarded via real-ip client-ip user-ip remote-addr connecting-ip external-address'.split(' ')
const part = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-_.!~'.split('')),
  maxLength: 12,
})

describe('a read on loopback', () => {
  test('needs a token with any header whose name contains a word of a proxy, however it is spelled', () => {
    const name = fc
      .tuple(part, fc.constantFrom(...WORDS), part, fc.constantFrom('-', '_', ''), fc.boolean())
      .map(([before, word, after, joint, isLarge]) => {
        const whole = `${before}${word.replaceAll('-', joint)}${after}`
        return isLarge ? whole.toUpperCase() : whole
      })
    fc.assert(
      fc.property(name, fc.string({ maxLength: 8 }), (header, value) => {
        expect(readStatus({ host: '127.0.0.1:9464', [header]: value })).toBe(401)
        expect(readStatus({ [header]: value, authorization: 'Bearer right-token' })).toBe(200)
      }),
      { numRuns: 200 },
    )
  })

  test('needs no token with the headers that browsers and Prometheus send, unless http.readsNeedToken is set', () => {
    const names =
      'host connection user-agent accept accept-language accept-encoding referer sec-ch-ua sec-ch-ua-mobile dnt te ' +
      'sec-ch-ua-platform sec-fetch-site sec-fetch-mode sec-fetch-dest sec-fetch-user sec-gpc priority cache-control ' +
      'pragma upgrade-insecure-requests if-none-match cookie origin x-prometheus-scrape-timeout-seconds'
    const headers = Object.fromEntries(names.split(' ').map((name) => [name, 'x']))
    expect(readStatus(headers)).toBe(200)
    expect(readStatus(headers, true)).toBe(401)
    expect(readStatus({ ...headers, authorization: 'Bearer right-token' }, true)).toBe(200)
  })
})

test('a token of an earlier start is refused with how to get a present one, not with the name of a header', () => {
  const access = createAccessControl('127.0.0.1', credentials)
  const refused = (authorization?: string) => {
    try {
      access.checkCommand({ headers: { authorization }, ip: '127.0.0.1' }, ['operate'])
      return ''
    } catch (thrown) {
      return thrown instanceof Refusal ? thrown.message : String(thrown)
    }
  }
  expect(refused('Bearer right-token')).toBe('')
  expect(refused('Bearer earlier-token')).toContain('npx mizani console')
  expect(refused('Bearer earlier-token')).not.toContain('Authorization')
  expect(refused()).toContain('Authorization')
})

describe('an approval', () => {
  const asker = (token: string) => ({ headers: { authorization: `Bearer ${token}` }, ip: '127.0.0.1' })
  const anna = { name: 'anna', token: 'annas-token', may: ['approve'] as const, isShared: false }

  test('by the shared token shows no second person where someone has a token of their own for it', () => {
    const access = createAccessControl('127.0.0.1', [...credentials, anna])
    expect(() => access.checkCommand(asker('right-token'), ['approve'])).toThrow(
      /the token of anna can approve/,
    )
    expect(access.checkCommand(asker('annas-token'), ['approve']).name).toBe('anna')
    // Anyone who may operate, withdraw or approve may cancel.
    expect(access.checkCommand(asker('right-token'), ['operate', 'withdraw', 'approve']).name).toBe(
      'operator',
    )
  })

  test('by the shared token is left to the core where no one else could give it', () => {
    const access = createAccessControl('127.0.0.1', credentials)
    expect(access.checkCommand(asker('right-token'), ['approve']).name).toBe('operator')
  })
})
