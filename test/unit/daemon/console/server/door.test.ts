import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { sharedOperator } from '../../../../../src/daemon/console/auth/credentials.ts'
import {
  createAccessControl,
  type AccessControl,
} from '../../../../../src/daemon/console/auth/access-control.ts'
import { createDoor } from '../../../../../src/daemon/console/server/door.ts'

const OPERATOR = 'Bearer right-token'
const READER = 'Bearer read-token'

type Asked = { method?: string; token?: string; headers?: Record<string, string> }

/** Asks the door; `entered` = the request reached the routes, otherwise its status. */
function doorOf(host = '127.0.0.1', changes: Partial<AccessControl> = {}) {
  const credentials = [
    sharedOperator('right-token'),
    { name: 'reader', may: ['read'] as const, isShared: false, token: 'read-token' },
  ]
  let [entered, now]: ['known' | 'first' | 'other' | null, number] = [null, 1_000]
  const errors: unknown[] = []
  const door = createDoor(
    { ...createAccessControl(host, credentials), ...changes },
    {
      known: () => void (entered = 'known'),
      first: () => void (entered = 'first'),
      other: () => void (entered = 'other'),
    },
    (error) => errors.push(error),
    () => now,
  )
  const wait = (ms: number) => void (now += ms)
  const ask = (url: string, { method = 'GET', token, headers = {} }: Asked = {}) => {
    entered = null
    const request = new IncomingMessage(new Socket())
    Object.assign(request, { url, method })
    request.headers = {
      host: '127.0.0.1',
      ...(token === undefined ? {} : { authorization: token }),
      ...headers,
    }
    const response = new ServerResponse(request)
    let sent: Readonly<Record<string, unknown>> = {}
    response.writeHead = (status: number, headers: unknown) => {
      sent = { status, ...(headers as object) }
      return response
    }
    response.end = () => response
    const admitted: boolean[] = []
    door(request, response, { admit: (isCommand) => void admitted.push(isCommand), waitMs: () => 0 })
    return {
      is: entered === null ? sent['status'] : 'entered',
      by: entered,
      admitted,
      retryAfter: sent['retry-after'],
    }
  }
  return { ask, wait, errors }
}

describe('the door of the console', () => {
  test('only a right token counts in favour of a connection, and only a command with it keeps it', () => {
    const { ask } = doorOf()
    const halt = { method: 'POST' }
    expect(ask('/api/v1/halt', halt)).toMatchObject({ is: 401, admitted: [] })
    expect(ask('/api/v1/halt', { ...halt, token: 'Bearer wrong' })).toMatchObject({ is: 401, admitted: [] })
    expect(ask('/api/v1/state')).toMatchObject({ is: 'entered', admitted: [] })
    expect(ask('/api/v1/halt', { ...halt, token: OPERATOR })).toMatchObject({
      is: 'entered',
      admitted: [true],
    })
    expect(ask('/api/v1/state', { token: OPERATOR })).toMatchObject({ is: 'entered', admitted: [false] })
    expect(ask('/api/v1/treasury/match', { ...halt, token: READER })).toMatchObject({ admitted: [false] })
  })

  test('an error while a request is judged is reported, and refuses that request only', () => {
    const broken = new Error('a fault of ours')
    const { ask, errors } = doorOf('127.0.0.1', {
      checkSite: () => {
        throw broken
      },
    })
    expect(ask('/api/v1/state')).toMatchObject({ is: 500, admitted: [] })
    expect(errors).toEqual([broken])
    expect(ask('/api/v1/halt', { method: 'POST', token: OPERATOR })).toMatchObject({ is: 'entered' })
  })

  test('an address that has used up its reads keeps health, the proof, the page and commands, and learns how long to wait', () => {
    const { ask, wait } = doorOf()
    const reads = Array.from({ length: 700 }, () => ask('/api/v1/state'))
    expect(reads.filter(({ is }) => is === 'entered').length).toBe(200)
    expect(reads.at(-1)).toMatchObject({ is: 429, retryAfter: '1' })
    for (const path of ['/', '/?', '/assets/main.js?v=1', '/healthz', '/readyz', '/api/v1/proof?nonce=1'])
      expect([path, ask(path).is]).toEqual([path, 'entered'])
    for (const path of ['/assets/a/b', '/healthz/x', '/api/v1/proofs', '/x'])
      expect([path, ask(path).is]).toEqual([path, 429])
    expect(ask('/api/v1/state', { token: OPERATOR }).is).toBe('entered')
    expect(ask('/api/v1/halt', { method: 'POST', token: OPERATOR }).is).toBe('entered')
    wait(1_000)
    expect(Array.from({ length: 200 }, () => ask('/x').is).filter((is) => is === 'entered')).toHaveLength(20)
  })

  test('a reader who uses up the reads of his token leaves those of the others', () => {
    const { ask } = doorOf()
    for (let read = 0; read < 700; read++) ask('/metrics', { token: READER })
    expect(ask('/metrics', { token: READER }).is).toBe(429)
    expect(ask('/metrics', { token: OPERATOR }).is).toBe('entered')
    expect(ask('/metrics').is).toBe('entered')
  })

  test('refused requests of other sites and without a token cost the address no read', () => {
    const { ask } = doorOf()
    for (let read = 0; read < 700; read++) {
      expect(ask('/metrics', { headers: { 'sec-fetch-site': 'cross-site' } }).is).toBe(403)
      ask('/api/v1/halt', { method: 'POST' })
    }
    expect(ask('/metrics').is).toBe('entered')
  })

  test('requests without a right token wait for their turn, health and the proof before the others', () => {
    const { ask } = doorOf()
    for (const path of [
      '/',
      '/assets/main.js',
      '/runbook',
      '/api/v1/history',
      '/api/docs/openapi.json',
      '/x',
    ])
      expect([path, ask(path).by, ask(path, { token: READER }).by]).toEqual([path, 'other', 'known'])
    for (const path of ['/healthz', '/readyz', '/api/v1/proof?nonce=1'])
      expect([path, ask(path).by]).toEqual([path, 'first'])
    expect(ask('/api/v1/sign-in', { method: 'POST' }).by).toBe('other')
  })

  test('away from loopback a read without a token goes no further', () => {
    const { ask } = doorOf('0.0.0.0')
    expect(ask('/metrics')).toMatchObject({ is: 401, admitted: [] })
    expect(ask('/healthz').is).toBe('entered')
  })
})
