import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import { RATE_ONE } from '../../../src/base/money/rate.ts'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import type { World } from '../../../src/simulator/sandbox/world/world.ts'
import { startHttpProxy, type Answered, type HttpProxy } from '../custody/http-proxy.ts'
import { quoteOf } from '../daemon/open-market.ts'
import {
  BUSY_VENUE,
  positionFolder,
  type ConfigPatch,
  type PositionFolder,
} from '../daemon/position-folder.ts'
import { API_KEY, runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

export type Body = Readonly<Record<string, unknown>>

/** What a lie makes of an answer: another body, or another answer altogether. */
export type Lie = (body: Body, answered: Answered) => Body | { readonly answer: Answered }

/**
 * A venue behind a proxy that rewrites what it answers. The venue itself continues telling the truth, so a test
 * compares what the daemon was notified with what stands and with what the money did.
 */
export type LyingMarket = AsyncDisposable & {
  readonly venue: SandboxServer
  readonly proxy: HttpProxy
  readonly folder: PositionFolder
  readonly config: string
  readonly start: (env?: Readonly<Record<string, string>>) => RunningDaemon
  /** From now on answers to `METHOD /path` (a prefix, without the query) pass through this lie. */
  readonly lie: (route: string, lie: Lie) => void
  readonly truth: () => void
  /** A second program with the same key, which the daemon knows nothing of. */
  readonly stranger: (method: string, path: string, body?: object) => Promise<number>
  /** A taker's swap at the venue's own prices. */
  readonly swap: (
    from: 'NTZS' | 'USDC' | 'USDT',
    to: 'NTZS' | 'USDC' | 'USDT',
    amount: string,
  ) => Promise<void>
  readonly close: () => Promise<void>
}

/** The quote that every lying market starts from. */
export const HONEST_QUOTE = { bidBps: 60, askBps: 70 } as const

export async function openLyingMarket(
  options: SandboxOptionsInput = {},
  patch: ConfigPatch = {},
): Promise<LyingMarket> {
  const venue = await startSandbox(
    { ...BUSY_VENUE, isActive: true, activationDelayMs: 50, ...options },
    quietWorld(Date.now()),
  )
  const proxy = await startHttpProxy(venue.url)
  const folder = positionFolder(proxy.url)
  const config = folder.configure(patch)
  const lies = new Map<string, Lie>()
  proxy.rules.onAnswer = ({ method, path }, answered) => {
    const route = `${method} ${path.replace(/\?.*$/, '')}`
    let told = answered
    for (const [prefix, lie] of lies) if (route.startsWith(prefix)) told = retold(told, lie)
    return told
  }
  async function close(): Promise<void> {
    await proxy.close()
    await venue.close()
    folder.remove()
  }
  return {
    venue,
    proxy,
    folder,
    config,
    start: (env = {}) => runDaemon({ configs: [config], env }),
    lie: (route, lie) => void lies.set(route, lie),
    truth: () => lies.clear(),
    async stranger(method, path, body) {
      const answer = await fetch(`${venue.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return answer.status
    },
    async swap(from, to, amount) {
      const answer = await fetch(`${venue.url}/sandbox/swap`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ from, to, amount }),
      })
      if (answer.status !== 200) throw new Error(`no swap: ${await answer.text()}`)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** No one but us quotes, no one trades by himself, and the true mid stands still: what moves is a lie. */
function quietWorld(now: number): World {
  return {
    openingMid: 2_500n * RATE_ONE,
    openingPrintedAt: now - 3_600_000,
    competitors: [],
    peekAt: () => Number.POSITIVE_INFINITY,
    next() {
      throw new Error('nothing happens in a quiet world')
    },
  }
}

function retold(answered: Answered, lie: Lie): Answered {
  let body: Body
  try {
    body = JSON.parse(answered.text) as Body
  } catch {
    return answered
  }
  const made = lie(body, answered)
  if ('answer' in made) return made.answer as Answered
  return { ...answered, text: JSON.stringify(made) }
}

/** Waits for the daemon's first quote, with books that are proven. */
export async function trading(market: LyingMarket, daemon: RunningDaemon): Promise<PositionView> {
  const { bidBps, askBps } = HONEST_QUOTE
  await until(
    `the venue quotes ${bidBps}/${askBps}`,
    async () => {
      const quote = await quoteOf(market.venue)
      return quote.bidBps === bidBps && quote.askBps === askBps && quote.isActive
    },
    { otherwise: () => daemon.output().slice(-4_000) + daemon.errors() },
  )
  return stateWhere(daemon, 'it is ACTIVE and complete', (view) => {
    return view.tradingState === 'ACTIVE' && view.reconciliation.state === 'reconciled'
  })
}

/** Milliseconds until the venue itself no longer quotes better than the safe spread for us. */
export async function untilSafe(market: LyingMarket, daemon: RunningDaemon, since: number): Promise<number> {
  await until('the venue holds the safe quote, or none', async () => isSafe(await quoteOf(market.venue)), {
    otherwise: async () => JSON.stringify(await daemon.state().catch(() => null)),
  })
  return performance.now() - since
}

function isSafe(quote: { bidBps: number; askBps: number; isActive: boolean }): boolean {
  return !quote.isActive || (quote.bidBps === 500 && quote.askBps === 500)
}

export function stateWhere(
  daemon: RunningDaemon,
  what: string,
  holds: (view: PositionView) => boolean,
  withinMs = 45_000,
): Promise<PositionView> {
  return until(
    what,
    async () => {
      const view = await daemon.state()
      return holds(view) && view
    },
    { withinMs, otherwise: async () => JSON.stringify(await daemon.state()) },
  )
}
