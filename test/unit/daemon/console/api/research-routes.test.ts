import { describe, expect, test } from 'vitest'
import { ANSWER_SCHEMAS, type ResearchRun } from '../../../../../src/daemon/console/answers.ts'
import { sharedOperator, type Credential } from '../../../../../src/daemon/console/auth/credentials.ts'
import type { ResearchOrder, ResearchPort } from '../../../../../src/daemon/console/position-port.ts'
import { consoleOf } from '../console-fixture.ts'

const ID = '0123456789abcdef0123456789abcdef'
const REPORT = `/api/v1/research/${ID}/report`
const PEOPLE: readonly Credential[] = [
  { name: 'anna', token: 'anna-token', may: ['read', 'operate'], isShared: false },
  { name: 'reader', token: 'reader-token', may: ['read'], isShared: false },
  { name: 'bertha', token: 'bertha-token', may: ['read', 'withdraw', 'approve'], isShared: false },
  sharedOperator('shared-token'),
]
const RUN: ResearchRun = {
  id: ID,
  position: 'desk-1',
  kind: 'backtest',
  tape: '/tapes/year',
  fills: null,
  changes: {},
  who: 'anna',
  startedAt: 1,
  endedAt: null,
  state: 'running',
  progress: null,
  problem: null,
}

async function desk(port: Partial<ResearchPort> = {}) {
  const asked: ResearchOrder[] = []
  const research: ResearchPort = {
    since: 1,
    tapes: () => ['/tapes/year'],
    runs: () => [RUN],
    start: (order) => {
      asked.push(order)
      return { ok: true, value: RUN }
    },
    cancel: (id) => id === ID,
    report: async (id) => (id === ID ? '<h1>report</h1>' : null),
    close: () => undefined,
    ...port,
  }
  const { ask } = await consoleOf({ credentials: PEOPLE, readsNeedToken: true, research })
  const as = (name: string | null): Record<string, string> =>
    name === null ? {} : { authorization: `Bearer ${name}-token` }
  return {
    asked,
    get: (path: string, name: string | null = 'reader') => ask(path, { headers: as(name) }),
    post: (path: string, body: unknown, name: string | null = 'anna', more: Record<string, string> = {}) =>
      ask(`/api/v1/${path}`, { method: 'POST', body, headers: { ...as(name), ...more } }),
  }
}

const ORDER = { kind: 'backtest', tape: '/tapes/year' }

describe('POST /api/v1/research', () => {
  test('starts a run of the position with what operators changed, in the name of the token', async () => {
    const { post, asked } = await desk()
    const changes = { 'strategy.params.bidBps': 50 }
    const fills = 'thinned'
    const told = await post('research', { ...ORDER, fills, changes, who: 'eve', why: 'curious' })
    expect(told.status).toBe(200)
    expect(ANSWER_SCHEMAS.researchStarted.safeParse(told.json()).error).toBeUndefined()
    expect(asked).toEqual([
      {
        position: 'desk-1',
        ...ORDER,
        fills,
        changes,
        who: 'anna',
        inForce: { 'strategy.params.bidBps': 40 },
      },
    ])
  })

  test('refuses a token without the permission to operate with 403, and none or a wrong one with 401', async () => {
    const { post, asked } = await desk()
    for (const path of ['research', 'research/cancel'])
      for (const [name, status] of [
        ['reader', 403],
        ['bertha', 403],
        ['stranger', 401],
        [null, 401],
      ] as const)
        expect((await post(path, { ...ORDER, id: ID }, name)).status, `${path} ${name}`).toBe(status)
    expect(asked).toEqual([])
  })

  test('refuses a page of another site and a foreign host', async () => {
    const { post, asked } = await desk()
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of foreign) expect((await post('research', ORDER, 'anna', headers)).status).toBe(403)
    expect((await post('research', ORDER, 'anna', { host: 'evil.example' })).status).toBe(421)
    expect(asked).toEqual([])
  })

  test('answers 409 while another run is under way, and 400 to what the run refuses', async () => {
    const refusing = (isBusy: boolean) =>
      desk({ start: () => ({ ok: false, error: { isBusy, message: 'so' } }) })
    expect((await (await refusing(true)).post('research', ORDER)).status).toBe(409)
    expect((await (await refusing(false)).post('research', ORDER)).status).toBe(400)
  })

  test('refuses unknown fields, kinds and types: no file, store, option or report can be named', async () => {
    const { post, asked } = await desk()
    const wrong = [
      { ...ORDER, report: '/etc/passwd' },
      { ...ORDER, config: 'x' },
      { ...ORDER, kind: 'sweep' },
      { ...ORDER, fills: 'all' },
      { ...ORDER, tape: ['/tapes/year'] },
      { ...ORDER, changes: 'x' },
    ]
    for (const body of wrong) expect((await post('research', body)).status).toBe(400)
    expect(asked).toEqual([])
  })
})

describe('POST /api/v1/research/cancel', () => {
  test('cancels the run under way, and answers 409 for any other', async () => {
    const { post } = await desk()
    expect((await post('research/cancel', { id: ID })).status).toBe(200)
    expect((await post('research/cancel', { id: ID.replace('0', 'f') })).status).toBe(409)
    expect((await post('research/cancel', { id: '../x' })).status).toBe(400)
  })
})

describe('GET /api/v1/research', () => {
  test('lists tapes and runs for those who may read, and says since when', async () => {
    const { get } = await desk()
    const told = await get('/api/v1/research')
    expect(ANSWER_SCHEMAS.research.safeParse(told.json()).error).toBeUndefined()
    expect(told.json()).toMatchObject({ tapes: ['/tapes/year'], since: 1, runs: [{ id: ID }] })
    expect((await get('/api/v1/research', null)).status).toBe(401)
  })
})

describe('GET /api/v1/research/ID/report', () => {
  test('opens in a browser without a token, sandboxed apart from the console, and is kept by no cache', async () => {
    const { status, text, headers } = await (await desk()).get(REPORT, null)
    expect([status, text]).toEqual([200, '<h1>report</h1>'])
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain('sandbox allow-scripts;')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/allow-same-origin|connect-src|https?:|\*/)
    expect(headers['x-frame-options']).toBe('DENY')
  })

  test('does not exist for another id, and no other path is open with it', async () => {
    const { get } = await desk()
    expect((await get(REPORT.replace('0', 'f'), null)).status).toBe(404)
    const others = [
      `${REPORT}/../..`,
      `/api/v1/research/..%2f..%2fetc/report`,
      `${REPORT}x`,
      `/api/v1/research/${ID}`,
    ]
    const statusOf = async (path: string, ...token: readonly null[]) => ({
      path,
      status: (await get(path, ...token)).status,
    })
    for (const path of others) expect(await statusOf(path, null)).toEqual({ path, status: 401 })
    for (const path of others.slice(1))
      expect(await statusOf(path)).toMatchObject({ path, status: expect.toBeOneOf([400, 404]) })
  })
})
