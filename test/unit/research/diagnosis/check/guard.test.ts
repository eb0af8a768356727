import { afterEach, describe, expect, test } from 'vitest'
import { checkLeases, type LeaseCheckParts } from '../../../../../src/research/diagnosis/check/guard.ts'
import {
  NONCE_HEADER,
  SIGNATURE_HEADER,
  signAnswer,
} from '../../../../../src/daemon/guard/protocol/signature.ts'
import { DEFAULT_TERMS, type LeaseTerms } from '../../../../../src/core/lease/terms.ts'
import type { VenueFailure } from '../../../../../src/core/engine/model/venue-answer.ts'
import type { CheckResult } from '../../../../../src/venue/check-result.ts'
import { freePort } from '../../../../support/free-port.ts'
import { type ReceivingServer, receivingServer } from '../../../../support/receiving-server.ts'

let guard: ReceivingServer | null = null
afterEach(async () => {
  await guard?.close()
  guard = null
})

const TOKEN = 'a token of the daemon and its guard'

type World = {
  readonly answersInMs: number
  readonly terms: LeaseTerms
  readonly url: string | null
  readonly perMinute: number
  readonly waitsMs: number
  readonly fails: VenueFailure['kind'] | null
  /** A read waits for the daemon's budget without an end. */
  readonly isSilent: boolean
  readonly mode: 'live' | 'dry-run'
  readonly isOff: boolean
  /** How fast PostgreSQL answers, under these terms; null = the store is a folder. */
  readonly rows: { readonly answersInMs: number | null; readonly terms: LeaseTerms } | null
}

/** What the check finds of a venue that answers like this, on a clock that only the venue moves. */
async function found(
  own: Partial<World> = {},
): Promise<{ readonly findings: CheckResult[]; readonly reads: number }> {
  const world: World = {
    answersInMs: 40,
    terms: DEFAULT_TERMS,
    url: `http://127.0.0.1:${await freePort()}`,
    perMinute: 60,
    waitsMs: 0,
    fails: null,
    isSilent: false,
    mode: 'live',
    isOff: false,
    rows: null,
    ...own,
  }
  let at = 0
  let sentAt: number | null = null
  let reads = 0
  let asked = 0
  const askDatabase = (): Promise<boolean> => {
    // The first one opens the connection.
    at += (world.rows?.answersInMs ?? 0) + (asked++ === 0 ? 5_000 : 0)
    return Promise.resolve(world.rows?.answersInMs !== null)
  }
  const parts: LeaseCheckParts = {
    config: {
      guard: world.isOff ? null : { terms: world.terms, url: world.url, ca: null },
      store: { terms: world.rows?.terms ?? null },
      core: { mode: world.mode, pacing: { requestsPerMinute: world.perMinute } },
    } as LeaseCheckParts['config'],
    client: {
      perform() {
        reads += 1
        at += world.waitsMs
        if (world.waitsMs > 0) sentAt = at
        at += world.answersInMs
        if (world.isSilent) return new Promise<never>(() => undefined)
        const failed = { type: 'requestFailed', failure: { kind: world.fails } }
        return Promise.resolve(world.fails === null ? { type: 'rate' } : failed) as never
      },
    },
    token: TOKEN,
    askDatabase: world.rows === null ? null : askDatabase,
    sentAt: () => sentAt,
    now: () => at,
    longestMs: world.isSilent ? 5 : 10_000,
  }
  const findings: CheckResult[] = []
  for await (const one of checkLeases(parts)) findings.push(one)
  return { findings, reads }
}

describe('mizani check of the guard', () => {
  test('measures eight reads, states how many, and finds the defaults right for a fast venue', async () => {
    const { findings, reads } = await found()
    expect(reads).toBe(8)
    expect(findings.map(({ name, status }) => [name, status])).toEqual([
      ['guard', 'warn'],
      ['lease', 'ok'],
    ])
    expect(findings[0]?.detail).toContain('http://127.0.0.1')
    expect(findings[1]?.detail).toMatch(
      /^p99 of 8 .* 40 ms; .* 5\.2 s .*\{ renewMs: 1000, roundTripMs: 500, deadlineMs: 3000, waitMs: 4500 \}.* 1000 fits$/,
    )
  })

  test('proposes all five for a venue that is too slow for the terms', async () => {
    const { findings } = await found({ answersInMs: 800 })
    expect(findings[1]).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('too late'),
      hint: 'guard: { renewMs: 1000, roundTripMs: 500, deadlineMs: 3800, waitMs: 5700 } with venue.writeTimeoutMs: 1600 makes it 8.7 s',
    })
  })

  test('measures PostgreSQL without its first connection, and proposes all five for the rows too', async () => {
    const fast = await found({ isOff: true, rows: { answersInMs: 7, terms: DEFAULT_TERMS } })
    expect(fast.findings).toHaveLength(1)
    expect(fast.findings[0]).toMatchObject({
      name: 'rows',
      status: 'ok',
      detail: expect.stringMatching(/of 8 .* 7 ms; /),
    })
    const slow = await found({ answersInMs: 800, rows: { answersInMs: 400, terms: DEFAULT_TERMS } })
    expect(slow.findings.map(({ name, status }) => [name, status])).toEqual([
      ['guard', 'warn'],
      ['lease', 'warn'],
      ['rows', 'warn'],
    ])
    // One time-out of a write for both, and no proposal that the configuration refuses.
    expect(slow.findings[1]?.hint).toContain('venue.writeTimeoutMs: 1600')
    expect(slow.findings[2]?.hint).toMatch(
      /renewMs: 1000, roundTripMs: 800, deadlineMs: 4100, waitMs: 6150 \}.*: 1600/,
    )
    const away = await found({ isOff: true, rows: { answersInMs: null, terms: DEFAULT_TERMS } })
    expect(away.findings).toMatchObject([
      { name: 'rows', status: 'warn', detail: expect.stringContaining('did not answer') },
    ])
  })

  test('names shorter ones where longer terms than needed are configured', async () => {
    const terms = { ...DEFAULT_TERMS, writeTimeoutMs: 3_000, deadlineMs: 6_000, waitMs: 9_000 }
    const slow = { ...terms, deadlineMs: 8_000, waitMs: 12_000 }
    expect((await found({ terms })).findings[1]).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('makes it 5.2 s'),
    })
    expect((await found({ terms: slow })).findings[1]).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('within 12.7 s'),
    })
  })

  test('measures the way to a guard that signs its answers', async () => {
    guard = await receivingServer()
    guard.respond = (response, { headers }) => {
      const signature = signAnswer(TOKEN, String(headers[NONCE_HEADER]), 200, '{}')
      response.writeHead(200, { [SIGNATURE_HEADER]: signature }).end('{}')
    }
    const { findings } = await found({ url: `${guard.url}/behind/a/proxy/` })
    expect(findings[0]).toMatchObject({ name: 'guard', status: 'ok' })
    expect(findings[1]?.detail).toContain('8 of the guard')
    expect(new Set(guard.received.map(({ path }) => path))).toEqual(new Set(['/behind/a/proxy/v1/status']))
  })

  test('takes no other server for a guard, whatever it answers', async () => {
    guard = await receivingServer()
    guard.respond = (response) => void response.writeHead(200).end('{"ok":true}')
    expect((await found({ url: guard.url })).findings[0]).toMatchObject({ name: 'guard', status: 'warn' })
    expect(guard.received).toHaveLength(3)
  })

  test('does not count the wait for room in the budget as time of the venue', async () => {
    expect((await found({ waitsMs: 5_000 })).findings[1]?.detail).toContain('venue 40 ms')
  })

  test('takes a sixth of a small budget, and never fewer than two reads', async () => {
    expect((await found({ perMinute: 30 })).reads).toBe(5)
    expect((await found({ perMinute: 1 })).reads).toBe(2)
  })

  test('gives up on a venue that does not answer, or takes its time with each', async () => {
    const { findings, reads } = await found({ fails: 'server' })
    expect(reads).toBe(3)
    expect(findings[1]).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('the venue answered no read'),
    })
    expect((await found({ answersInMs: 9_000 })).reads).toBe(2)
  })

  test('asks a venue that refuses the key once', async () => {
    const { findings, reads } = await found({ fails: 'auth' })
    expect(reads).toBe(1)
    expect(findings[1]).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('the venue refuses the key'),
    })
  })

  test('proposes no terms where reads wait for the budget of a running daemon, and names that', async () => {
    const { findings, reads } = await found({ isSilent: true })
    expect(reads).toBe(1)
    expect(findings[1]).toMatchObject({
      name: 'lease',
      status: 'warn',
      detail: expect.stringContaining('no terms'),
      hint: expect.stringContaining('no room'),
    })
  })

  test('asks nothing in a dry run, nor where no guard is wanted, and names a guard that cannot be found', async () => {
    expect(await found({ mode: 'dry-run' })).toEqual({ findings: [], reads: 0 })
    expect(await found({ isOff: true })).toEqual({ findings: [], reads: 0 })
    expect((await found({ url: null })).findings[0]).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('http.port is 0'),
    })
  })
})
