import { request, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'
import type { ConsoleCommand } from '../../../../src/daemon/console/commands/command-entry.ts'
import type { NoticeRow, StreamMessage } from '../../../../src/daemon/console/answers.ts'
import type { ConsoleOptions } from '../../../../src/daemon/console/server/options.ts'
import type { PositionNews, LookSince, PositionPort } from '../../../../src/daemon/console/position-port.ts'
import { sharedOperator } from '../../../../src/daemon/console/auth/credentials.ts'
import { startConsole } from '../../../../src/daemon/console/start-console.ts'
import type { PositionView } from '../../../../src/daemon/view/position-view.ts'
import { renderMetrics } from '../../../../src/daemon/telemetry/metrics/exposition.ts'
import { createMetrics } from '../../../../src/daemon/telemetry/metrics/metrics.ts'
import { createScrape, type MetricsSource } from '../../../../src/daemon/telemetry/metrics/scrape.ts'
import { exampleSummary } from '../telemetry/example-summary.ts'
import { exampleView } from '../telemetry/example-view.ts'

export type Given = { readonly command: ConsoleCommand; readonly who: string; readonly why: string }

export const WITH_TOKEN = { authorization: 'Bearer right-token' }

/** A position that answers everything at once, and what it was notified. */
export function position(
  name: string,
  changes: Partial<PositionPort> = {},
  viewed: Partial<PositionView> = {},
) {
  const view = exampleView({ name, ...viewed })
  const given: Given[] = []
  const nothing = { fills: [], notices: [], next: null }
  const port: PositionPort = {
    name,
    view: async () => view,
    look: async ({ seq }) => ({ view: seq === view.lastSeq ? null : view, notices: [], lastNotice: null }),
    past: {
      history: async () => ({ ok: false, error: { kind: 'unreadable', message: 'there is no store' } }),
      days: async () => ({ ok: true, value: { days: [], pairs: [] } }),
      fills: async () => ({ ok: true, value: nothing }),
      notices: async () => ({ ok: true, value: nothing }),
    },
    parameters: async () => ({
      use: 'fixed-spread',
      params: { bidBps: 40 },
      schema: { type: 'object' },
      changed: [{ path: 'strategy.params.bidBps', file: 30, now: 40, given: 40 }],
      changeable: ['strategy.params'],
    }),
    preview: async () => {
      const quote = { bidBps: 40, askBps: null, tradingState: 'ACTIVE', because: ['so'] }
      return { ok: true, problem: null, before: quote, after: quote }
    },
    ready: async () => ({ ready: true, why: [] }),
    treasury: async () => null,
    treasuryOrder: async () => ({ accepted: false, answer: 'no treasury' }),
    proposals: async () => [],
    propose: async (_asked, { id }) => ({ accepted: true, answer: `${id} waits` }),
    answerProposal: async () => ({ accepted: false, answer: 'there is no such proposal' }),
    health: () => ({ alive: true, why: null }),
    alerts: () => [],
    command: async (command, who, why) => {
      given.push({ command, who, why })
      return { accepted: true, answer: `${command.name} it is` }
    },
    ...changes,
  }
  return { port, given }
}

/** A position that moves: its view has a new number at every look. */
export function moving(
  name: string,
  more: { readonly padding?: number; readonly notices?: NoticeRow[] } = {},
) {
  const asked: LookSince[] = []
  let seq = 0
  const reasons = more.padding === undefined ? [] : ['x'.repeat(more.padding)]
  const look = async (since: LookSince): Promise<PositionNews> => {
    asked.push(since)
    seq += 1
    const view = exampleView({ name, lastSeq: seq, now: Date.now(), reasons })
    const notices = (more.notices ?? []).filter(({ id }) => since.notice !== null && id > since.notice)
    return { view, notices, lastNotice: more.notices?.at(-1)?.id ?? null }
  }
  return { asked, port: position(name, { look }).port }
}

function metricsOf({ name }: PositionPort): MetricsSource {
  const metrics = createMetrics(name)
  metrics.showView(exampleView({ name }))
  return { positions: 1, read: () => renderMetrics([metrics]) }
}

/** A console that is closed after the test, asked over real HTTP. */
export async function consoleOf(changes: Partial<ConsoleOptions> = {}) {
  const errors: unknown[] = []
  const { positions = [position('desk-1').port] } = changes
  const console = await startConsole({
    host: '127.0.0.1',
    port: 0,
    credentials: [sharedOperator('right-token')],
    positions,
    summaries: async () => positions.map(({ name }) => exampleSummary({ name })),
    version: '0.1.0',
    scrape: createScrape(() => positions.map(metricsOf)),
    reportError: (error) => void errors.push(error),
    answerWithinMs: 50,
    ...changes,
  })
  if (!console.ok) throw new Error(console.error)
  onTestFinished(() => console.value.close())
  const port = Number(new URL(console.value.url).port)
  return {
    errors,
    port,
    close: console.value.close,
    listenAt: console.value.listenAt,
    ask: (path: string, more: Asked = {}) => ask(port, path, more),
    listen: (path = '/api/v1/stream', headers: Record<string, string> = {}, localAddress = '127.0.0.1') =>
      listen(port, path, headers, localAddress),
  }
}

/** A console of one position, with what the position was given. */
export async function deskOf(changes: Partial<PositionPort> = {}, options: Partial<ConsoleOptions> = {}) {
  const { port, given } = position('desk-1', changes)
  const console = await consoleOf({ positions: [port], ...options })
  return {
    ...console,
    given,
    post: (path: string, body?: unknown, headers: Record<string, string> = WITH_TOKEN) =>
      console.ask(`/api/v1/${path}`, { method: 'POST', headers, body }),
  }
}

export type Asked = { method?: string; headers?: Record<string, string>; body?: unknown; host?: string }

export type Told = {
  status: number
  text: string
  json: () => Record<string, unknown>
  headers: IncomingMessage['headers']
}

/** By hand, because fetch does not let anybody set the Host header. A body is sent as JSON, text as it is. */
export function ask(port: number, path: string, asked: Asked): Promise<Told> {
  const { method = 'GET', headers = {}, body, host = `127.0.0.1:${port}` } = asked
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, agent: false, headers: { host, ...type, ...headers } },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => {
          const json = () => JSON.parse(text) as Record<string, unknown>
          resolve({ status: response.statusCode ?? 0, text, json, headers: response.headers })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body))
  })
}

export type Listener = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly messages: StreamMessage[]
  /** Resolves with the first message, received already or later, for which this holds. */
  readonly when: (holds: (message: StreamMessage) => boolean) => Promise<StreamMessage>
  /** Stops reading, as a browser tab that sleeps does; the connection stays. */
  readonly pause: () => void
  readonly resume: () => void
  readonly leave: () => void
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
}

/** Reads the stream as it comes. */
export function listen(
  port: number,
  path: string,
  headers: Record<string, string>,
  localAddress: string,
): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, agent: false, headers, localAddress },
      (response) => {
        const messages: StreamMessage[] = []
        const waiting = new Set<() => void>()
        let rest = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          const parts = (rest + chunk).split('\n\n')
          rest = parts.pop() ?? ''
          for (const part of parts) messages.push(messageOf(part))
          for (const look of waiting) look()
        })
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          messages,
          when: (holds) =>
            new Promise((done) => {
              const look = () => {
                const found = messages.find(holds)
                if (found === undefined) return
                waiting.delete(look)
                done(found)
              }
              waiting.add(look)
              look()
            }),
          pause: () => void response.pause(),
          resume: () => void response.resume(),
          leave: () => void sent.destroy(),
          ended: new Promise((end) => response.on('close', end)),
        })
        response.on('error', () => undefined)
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

function messageOf(part: string): StreamMessage {
  const [event, data] = part.split('\n')
  const message = JSON.parse((data ?? '').replace(/^data: /, '')) as StreamMessage
  if (event !== `event: ${message.type}`) throw new Error(`not a message of the stream: ${part}`)
  return message
}
