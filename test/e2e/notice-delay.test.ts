import { expect, test } from 'vitest'
import { receivingServer } from '../support/receiving-server.ts'
import { openMarket, type Market } from './daemon/open-market.ts'
import { API_KEY } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'

/** RTS 6, article 16(5): alerts are generated within five seconds of the event. */
const LIMIT_MS = 5_000

type Told = {
  readonly code: string
  readonly kind: string
  readonly severity: string
  readonly firstAt: string
  /** What followed from it: a halt is part of the message about its cause. */
  readonly also: readonly string[]
}

async function secondUser(market: Market, method: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${market.venue.url}/api/v1/mm${path}`, {
    method,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([path, answer.status]).toEqual([path, 200])
}

type Night = {
  readonly code: string
  readonly happens: (market: Market) => unknown
}

const NIGHTS: readonly Night[] = [
  {
    code: 'foreign-write',
    happens: (market) => secondUser(market, 'POST', '/activate', { isActive: false }),
  },
  {
    code: 'foreign-write',
    happens: (market) =>
      secondUser(market, 'PATCH', '/spread', { bidBps: 10, askBps: 10, quoteBid: true, quoteAsk: true }),
  },
  {
    code: 'halted',
    happens: (market) =>
      market.venue.model.inject({ thirdToken: { symbol: 'TGBP', amountIn: '100', ntzs: '340000' } }),
  },
]

test.concurrent.each(NIGHTS)(
  'people are notified of $code within five seconds of the answer that shows it, with the defaults of notify',
  async ({ code, happens }) => {
    const hook = await receivingServer()
    const arrived: { readonly told: Told; readonly at: number }[] = []
    hook.respond = (response, { body }) => {
      arrived.push({ told: JSON.parse(body) as Told, at: Date.now() })
      response.end('ok')
    }
    const market = await openMarket(
      {},
      {
        notify: { webhook: { url: '!env HOOK_URL', hmacKey: '!env HOOK_KEY', minSeverity: 'critical' } },
        risk: { unexplainedGraceMs: 0 },
      },
    )
    const daemon = market.start({ HOOK_URL: hook.url, HOOK_KEY: 'a-key-of-enough-characters' })
    await market.quoted(60, 70)
    await until('it is ready', async () => (await daemon.get('/readyz')).status === 200)
    await until('the books agree', async () => (await daemon.state()).reconciliation.state === 'reconciled')
    await until('the quote is confirmed', async () => (await daemon.state()).quote.status === 'confirmed')
    await happens(market)
    let happenedAt = Date.now()
    const { told, at } = await until(
      'people are notified',
      async () => {
        // A spread that the daemon overwrites before it has read it is seen by nobody: on a busy machine its safe quote may be due just then.
        if (code === 'foreign-write' && Date.now() - happenedAt > 10_000) {
          await happens(market)
          happenedAt = Date.now()
        }
        return arrived.find(
          ({ told: { kind, also, ...one } }) =>
            kind === 'raised' && (one.code === code || also.some((text) => text.endsWith(`(${code})`))),
        )
      },
      { otherwise: async () => [(await daemon.state()).quote, arrived, daemon.output().slice(-4_000)] },
    )
    expect(told.severity).toBe('critical')
    // The time of a notice is when the answer was received that the event of the journal holds.
    const ofHalt = /"time":"([^"]+)"[^\n]*halted/.exec(`${daemon.output()}${daemon.errors()}`)?.[1]
    const delayMs = at - Date.parse(told.code === code ? told.firstAt : (ofHalt ?? ''))
    expect(delayMs).toBeGreaterThanOrEqual(0)
    expect(delayMs).toBeLessThanOrEqual(LIMIT_MS)
    await daemon.kill('SIGKILL')
    await Promise.all([market.close(), hook.close()])
  },
  90_000,
)
