import { describe, expect, test } from 'vitest'
import { sharedOperator } from '../../../../src/daemon/console/auth/credentials.ts'
import { createAccessControl } from '../../../../src/daemon/console/auth/access-control.ts'
import { createSignInKeys, SIGN_IN_KEY_PATH } from '../../../../src/daemon/console/auth/sign-in.ts'
import { consoleOf, WITH_TOKEN } from './console-fixture.ts'

const SIGN_IN = '/api/v1/sign-in'

async function openDoor() {
  const console = await consoleOf()
  const exchange = (key: unknown, headers: Record<string, string> = {}) =>
    console.ask(SIGN_IN, { method: 'POST', headers, body: { key } })
  const issue = async (headers: Record<string, string> = WITH_TOKEN) =>
    console.ask(SIGN_IN_KEY_PATH, { method: 'POST', headers })
  return { ...console, exchange, issue }
}

describe('a key of sign-in over HTTP', () => {
  test('is exchanged once for the token that requested it, without a cookie', async () => {
    const { exchange, issue, ask, errors } = await openDoor()
    const key = (await issue()).json()['key'] as string
    const first = await exchange(key)
    expect([first.status, first.json()]).toEqual([200, { token: 'right-token' }])
    expect(first.headers['set-cookie']).toBeUndefined()
    expect(first.headers['cache-control']).toBe('no-store')
    const second = await exchange(key)
    expect([second.status, second.json()['error']]).toEqual([401, 'wrong-key'])
    const texts = [second.text, (await ask('/metrics')).text, (await ask('/api/v1/state')).text]
    for (const text of texts) expect(text).not.toContain(key)
    expect(errors).toEqual([])
  })

  test('is issued to the right token only', async () => {
    const { issue } = await openDoor()
    expect((await issue({})).status).toBe(401)
    expect((await issue({ authorization: 'Bearer wrong' })).status).toBe(401)
  })

  test.each([
    ['x-forwarded-for', '127.0.0.1'],
    ['via', '1.1 proxy'],
  ])(
    'is neither issued nor exchanged through a proxy that sends %s, and stays valid',
    async (name, value) => {
      const headers = { [name]: value }
      const { exchange, issue } = await openDoor()
      expect((await issue({ ...WITH_TOKEN, ...headers })).json()['error']).toBe('not-local')
      const key = (await issue()).json()['key']
      const refused = await exchange(key, headers)
      expect([refused.status, refused.json()['error']]).toEqual([403, 'not-local'])
      expect((await exchange(key)).status).toBe(200)
    },
  )

  test('is not exchanged for a page of another site', async () => {
    const { exchange, issue } = await openDoor()
    const key = (await issue()).json()['key']
    expect((await exchange(key, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await exchange(key, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  test('is refused in a shape that is no key, without repeating what was sent', async () => {
    const { exchange, errors } = await openDoor()
    for (const key of [null, 5, ['x'], {}, 'k'.repeat(201)]) expect((await exchange(key)).status).toBe(400)
    expect((await exchange('')).status).toBe(401)
    const guess = 'a-guess-that-must-not-come-back'
    expect((await exchange(guess)).text).not.toContain(guess)
    expect(errors).toEqual([])
  })

  test('is guessed at most twenty times a minute, and guesses keep no right key out', async () => {
    const { exchange, issue } = await openDoor()
    const key = (await issue()).json()['key']
    const guesses = await Promise.all(Array.from({ length: 25 }, (_, index) => exchange(`guess-${index}`)))
    const statuses = guesses.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)])
    expect((await exchange(key)).status).toBe(200)
  })
})

test('a client at a Unix socket, which has no address, is local', () => {
  const access = createAccessControl('127.0.0.1', [])
  expect(() => access.checkLocal({ headers: {}, ip: undefined })).not.toThrow()
})

test.each(['203.0.113.7', '::ffff:203.0.113.7', 'fe80::1', '2001:db8::1'])(
  'a client at %s is not local, whatever address the server listens on',
  (ip) => {
    for (const host of ['127.0.0.1', '0.0.0.0'])
      expect(() =>
        createAccessControl(host, [sharedOperator('right-token')]).checkLocal({ headers: {}, ip }),
      ).toThrow('machine of the daemon')
  },
)

describe('the keys that wait', () => {
  test('expire after ten minutes to the millisecond', () => {
    let now = 5
    const keys = createSignInKeys(() => now)
    const [early, late] = [keys.issue('a'), keys.issue('b')]
    now += 599_999
    expect(keys.redeem(early)).toBe('a')
    now += 1
    expect(keys.redeem(late)).toBeNull()
  })

  test('are at most sixteen, and each returns the token that it was issued for', () => {
    const keys = createSignInKeys(() => 0)
    const issued = Array.from({ length: 17 }, (_, index) => keys.issue(`token-${index}`))
    expect(new Set(issued).size).toBe(17)
    expect(issued.map((key) => keys.redeem(key))).toEqual([
      null,
      ...Array.from({ length: 16 }, (_, index) => `token-${index + 1}`),
    ])
  })
})
