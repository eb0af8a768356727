import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { StreamMessage } from '../../../../../src/daemon/console/answers.ts'
import {
  type StreamConnection,
  connectStream,
  eventReader,
} from '../../../../../src/daemon/console/page/live/connect-stream.ts'
import {
  chosenPosition,
  findShownPosition,
  FIRST_STATE,
  isStale,
  type StreamLink,
  liveState,
} from '../../../../../src/daemon/console/page/live/live-state.ts'
import { simulationOf } from '../../../../../src/daemon/console/page/frame/link-bar.tsx'
import type { PositionSummary } from '../../../../../src/daemon/view/position-summary.ts'
import { exampleSummary } from '../../telemetry/example-summary.ts'
import { exampleView } from '../../telemetry/example-view.ts'

describe('server-sent events', () => {
  test('are the same however the text is cut', () => {
    const text =
      'event: a\ndata: {"x":1}\n\n: a comment\n\ndata: one\ndata: two\nid: 7\n\r\ndata:bare\r\n\r\ndata: unfinished'
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 20 }), (cuts) => {
        const read = eventReader()
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
        const events = places.slice(1).flatMap((end, i) => read(text.slice(places[i], end)))
        expect(events).toEqual(['{"x":1}', 'one\ntwo', 'bare'])
      }),
    )
  })
})

describe('what the page knows', () => {
  const view = exampleView()
  const after = (...messages: readonly StreamMessage[]) =>
    messages.reduce((state, message, i) => liveState(state, message, i), FIRST_STATE)

  test('a silent position keeps its last view, and a state ends the silence', () => {
    const state = { type: 'state', position: 'desk-1', view } as const
    const silent = after(state, { type: 'silent', position: 'desk-1', why: 'busy' })
    expect(silent.positions).toMatchObject([{ name: 'desk-1', view, receivedAt: 0, silent: 'busy' }])
    expect(liveState(silent, state, 9).positions).toMatchObject([{ silent: null, receivedAt: 9 }])
  })

  test('a venue is simulated only if the position, or every running position of the list, reports it', () => {
    const simulation = '60x real time'
    const simulated = exampleSummary({ name: 'sim', simulation })
    const real = exampleSummary({ name: 'real' })
    const idle = exampleSummary({ name: 'idle', mode: null })
    const state = (...positions: readonly PositionSummary[]) =>
      after({ type: 'summaries', whole: true, positions, gone: [] })
    expect(simulationOf(state(simulated, idle), null)).toBe(simulation)
    expect(simulationOf(state(simulated, real), null)).toBeNull()
    expect(simulationOf(FIRST_STATE, null)).toBeNull()
    const both = state(simulated, real)
    expect(simulationOf(both, findShownPosition(both, 'sim'))).toBe(simulation)
    expect(simulationOf(both, findShownPosition(both, 'real'))).toBeNull()
    const shown = after({ type: 'state', position: 'a', view: exampleView({ simulation }) })
    expect(simulationOf(shown, findShownPosition(shown, 'a'))).toBe(simulation)
  })

  test('an address names its position or none, and without a name the only position is shown', () => {
    const hello = { type: 'hello', version: '1', now: 0, takesCommands: true, positions: ['a'] } as const
    const state = after(hello, {
      type: 'summaries',
      whole: true,
      positions: [exampleSummary({ name: 'a' })],
      gone: [],
    })
    expect([null, 'a', 'other'].map((route) => chosenPosition(state, route)?.name)).toEqual([
      'a',
      'a',
      undefined,
    ])
  })

  test('a new connection says which positions there are, and what was known of them stays', () => {
    const hello = { type: 'hello', version: '1', now: 0, takesCommands: true } as const
    const state = after(
      { type: 'state', position: 'a', view },
      { type: 'state', position: 'b', view },
      { ...hello, positions: ['b', 'c'] },
    )
    expect(state.positions.map(({ name, view: known }) => [name, known !== null])).toEqual([
      ['b', true],
      ['c', false],
    ])
  })

  test('news may have been missed at a connection, in a silence and where messages were left out', () => {
    const hello = { type: 'hello', version: '1', now: 0, takesCommands: true, positions: ['a'] } as const
    const notice = { id: '1.0', t: 1, kind: 'alert', severity: 'info', text: '' } as const
    const state = { type: 'state', position: 'a', view } as const
    const gapsAfter = (...messages: readonly StreamMessage[]) => after(...messages).positions[0]?.gaps
    const quiet = [hello, state, { type: 'notice', position: 'a', notice }, state] as const
    expect(gapsAfter(...quiet)).toBe(1)
    expect(gapsAfter(...quiet, { type: 'silent', position: 'a', why: 'busy' }, state)).toBe(2)
    expect(gapsAfter(...quiet, { type: 'dropped', count: 3 })).toBe(2)
    expect(gapsAfter(...quiet, hello, state)).toBe(2)
    expect(after(...quiet, hello).positions[0]?.notices).toEqual([])
  })

  test('a notice that comes twice is kept once, and only so many are kept', () => {
    const notice = (id: number) =>
      ({
        type: 'notice',
        position: 'a',
        notice: { id: `${id}.0`, t: id, kind: 'alert', severity: 'info', text: '' },
      }) as const
    const state = after(notice(1), notice(1), ...Array.from({ length: 300 }, (_, i) => notice(i + 2)))
    const [position] = state.positions
    expect(position?.notices).toHaveLength(200)
    expect(position?.notices[0]?.id).toBe('301.0')
    expect(after(notice(1), notice(1)).positions[0]?.notices).toHaveLength(1)
  })

  test('what was left out is counted, and a message of a newer server changes nothing', () => {
    expect(after({ type: 'dropped', count: 3 }, { type: 'dropped', count: 4 }).dropped).toBe(7)
    expect(after({ type: 'weather' } as unknown as StreamMessage)).toBe(FIRST_STATE)
  })
})

test.each([
  ['open', 3_400, false],
  ['open', 4_100, true],
  ['waiting', 1_900, false],
  ['waiting', 2_100, true],
  ['connecting', 2_100, true],
] as const)('a connection that is %s and was received %i ms ago: stale %s', (phase, age, stale) => {
  const link: StreamLink = { phase, receivedAt: 10_000, retryAt: null, problem: null }
  expect(isStale(link, 10_000 + age)).toBe(stale)
})

describe('the connection', () => {
  const servers: Server[] = []
  const connections: StreamConnection[] = []
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => {
    vi.useRealTimers()
    for (const connection of connections.splice(0)) connection.close()
    for (const server of servers.splice(0)) server.closeAllConnections()
  })

  /** Connects to a server that answers each request in turn with one of these, the last one indefinitely. */
  async function connected(answers: readonly { readonly status: number; readonly body: string }[]) {
    let asked = 0
    const tokens: (string | undefined)[] = []
    const server = createServer((request, response) => {
      const answer = answers[Math.min(asked++, answers.length - 1)]
      tokens.push(request.headers.authorization)
      response.writeHead(answer?.status ?? 500, { 'content-type': 'text/event-stream' }).end(answer?.body)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const messages: StreamMessage[] = []
    const links: Partial<StreamLink>[] = []
    let wake = () => {}
    let token: string | null = null
    const connection = connectStream({
      url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      token: () => token,
      onMessage: (message) => messages.push(message),
      onLink: (link) => {
        links.push(link)
        wake()
      },
      now: () => 0,
    })
    connections.push(connection)
    return {
      connection,
      messages,
      links,
      tokens,
      /** Resolves once so many connections have ended in this way; the timer of the next one is set by then. */
      ended: async (phase: 'waiting' | 'locked', times = 1) => {
        while (links.filter((link) => link.phase === phase).length < times)
          await new Promise<void>((resolve) => (wake = resolve))
      },
      giveToken: (given: string) => (token = given),
      asked: () => asked,
    }
  }

  test('comes back after every end, and one bad message does not end the news', async () => {
    const { messages, links, ended } = await connected([
      { status: 200, body: 'data: {"type":"dropped","count":1}\n\ndata: {broken\n\ndata: 7\n\n' },
      { status: 503, body: '{"message":"too many readers"}' },
      { status: 200, body: 'data: {"type":"dropped","count":2}\n\n' },
    ])
    for (let end = 1; end <= 3; end++) {
      await ended('waiting', end)
      vi.runOnlyPendingTimers()
    }
    expect(messages.slice(0, 2)).toEqual([
      { type: 'dropped', count: 1 },
      { type: 'dropped', count: 2 },
    ])
    const problems = links.map(({ problem }) => problem).filter((problem) => typeof problem === 'string')
    expect(problems.slice(0, 2)).toEqual(['the daemon ended the connection', 'too many readers'])
  })

  test('waits for a token where one is needed instead of asking again and again', async () => {
    const { connection, links, tokens, giveToken, asked, ended } = await connected([
      { status: 401, body: '{"message":"this needs the token"}' },
      { status: 200, body: 'data: {"type":"dropped","count":1}\n\n' },
    ])
    await ended('locked')
    expect(links.at(-1)).toMatchObject({ problem: 'this needs the token' })
    expect([vi.getTimerCount(), asked()]).toEqual([0, 1])
    giveToken('the-token')
    connection.again()
    await ended('waiting')
    expect(tokens).toEqual([undefined, 'Bearer the-token'])
  })
})
