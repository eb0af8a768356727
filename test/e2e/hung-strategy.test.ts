import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { PositionView } from '../../src/daemon/view/position-view.ts'
import { openMarket, quoteOf } from './daemon/open-market.ts'
import { runMizani } from './daemon/run-mizani.ts'
import { runDaemon, type RunningDaemon } from './daemon/running-daemon.ts'
import { takeFiles } from './daemon/take-files.ts'
import { until } from './daemon/until.ts'
import { fleetFolder, openVenue } from './fleet/fleet-folder.ts'

/** Native code that Node can neither interrupt nor end with its thread. */
const SHIFT = 'Array.prototype.shift.call({ length: 2 ** 53 - 1 })'
const CHOICE = { strategy: { use: './own.ts', params: {} } }

/** Quotes 50/55 below this mid, and above it calls what never comes back. */
function strategy(lastMid: number, top = ''): string {
  return `import { defineStrategy, z } from '#kit'
${top}
export default defineStrategy({
  name: 'own',
  params: z.looseObject({}),
  init: () => ({}),
  quote: ({ mid }) => {
    if (mid > ${lastMid}) ${SHIFT}
    return { bidBps: 50, askBps: 55, reasons: ['as usual'] }
  },
})
`
}

/** The processes of strategies that any thread of this one has started. */
function childrenOf(pid: number | undefined): readonly number[] {
  const tasks = `/proc/${pid}/task`
  const all = readdirSync(tasks).flatMap((task) =>
    readFileSync(`${tasks}/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return all.filter((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('evaluate-worker'))
}

type Ready = {
  readonly positions: readonly {
    readonly position: string
    readonly ready: boolean
    readonly why: readonly string[]
  }[]
}

/** What /healthz and /readyz answer from now on, until `end`. */
function watchHealth(daemon: RunningDaemon) {
  const seen: { health: number; ready: number }[] = []
  const watch = { isOver: false }
  const watching = (async () => {
    while (!watch.isOver) {
      const [health, ready] = await Promise.all([daemon.get('/healthz'), daemon.get('/readyz')])
      seen.push({ health: health.status, ready: ready.status })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  return async () => {
    watch.isOver = true
    await watching
    return seen
  }
}

describe('a strategy in a call that cannot be interrupted', { timeout: 240_000 }, () => {
  test('costs a single daemon the strategy: the safe quote within 10 s, healthy, not ready by name, and SIGTERM ends it', async () => {
    await using market = await openMarket({}, CHOICE)
    market.folder.write('own.ts', strategy(2575))
    const daemon = market.start()
    await market.quoted(50, 55)
    const processes = childrenOf(daemon.child.pid)
    expect(processes).toHaveLength(1)
    expect(readFileSync(`/proc/${processes[0]}/environ`, 'utf8')).toBe('')

    const endWatch = watchHealth(daemon)
    market.venue.model.inject({ print: { mid: 2580 } })
    const began = performance.now()
    await market.quoted(500, 500)
    expect(performance.now() - began).toBeLessThan(10_000)
    await until('the strategy is suspended', async () => {
      const { status, body } = await daemon.get('/api/v1/state')
      return status === 200 && (body as PositionView).strategy.suspended?.includes('own.ts') === true
    })
    const seen = await endWatch()
    expect(new Set(seen.map(({ health }) => health))).toEqual(new Set([200]))
    expect(seen.map(({ ready }) => ready)).toContain(503)
    const { status, body } = await daemon.get('/readyz')
    expect({ status, named: (body as Ready).positions[0]?.position }).toEqual({
      status: 503,
      named: 'desk-1',
    })
    expect(existsSync(`/proc/${processes[0]}`)).toBe(false)

    const stopping = performance.now()
    expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(performance.now() - stopping).toBeLessThan(10_000)
  })

  test('does not hold up SIGTERM, nor outlive the daemon that is killed meanwhile', async () => {
    await using market = await openMarket({}, CHOICE)
    market.folder.write('own.ts', strategy(2575))
    const daemon = market.start()
    await market.quoted(50, 55)
    market.venue.model.inject({ print: { mid: 2580 } })
    await until('the position is silent', async () => (await daemon.get('/api/v1/state')).status === 503)
    const stopping = performance.now()
    expect(await daemon.kill('SIGTERM')).toMatchObject({ signal: null })
    expect(performance.now() - stopping).toBeLessThan(10_000)

    const again = market.start()
    market.folder.write('own.ts', strategy(2570))
    await until('it runs', async () => (await again.get('/readyz')).status !== 0)
    const children = await until('the strategy has a process', () => {
      const all = childrenOf(again.child.pid)
      return all.length > 0 && all
    })
    await again.kill('SIGKILL')
    const haveEnded = () => children.every((pid) => !existsSync(`/proc/${pid}`))
    await until('it has ended with the daemon', haveEnded, { withinMs: 5_000 })
  })

  test('in a fleet leaves the neighbours of its thread trading within 2 s', async () => {
    const folder = fleetFolder()
    const [bad, ...good] = await Promise.all([openVenue(), openVenue(), openVenue(), openVenue()])
    folder.defaults()
    folder.write('own.ts', strategy(2575))
    good.forEach((venue, index) => folder.position(`good-${index}`, venue))
    folder.position('bad', bad, "strategy: { use: './own.ts', params: {} }\nquote: { safeBps: 400 }\n")
    const daemon = runDaemon({ configs: [], command: ['fleet', folder.path] })
    const quotes = (bps: number) => async () => (await quoteOf(bad)).bidBps === bps
    await until(
      'all are quoted',
      async () => {
        const all = await Promise.all(good.map(quoteOf))
        return all.every(({ bidBps }) => bidBps === 60) && quotes(50)()
      },
      { otherwise: daemon.output },
    )
    const names = good.map((_, index) => `good-${index}`)
    const numbers = () => Promise.all(names.map(async (name) => (await daemon.state(name)).lastSeq))
    const started = await Promise.all(names.map(async (name) => (await daemon.state(name)).startedAt))

    bad.model.inject({ print: { mid: 2580 } })
    await until(
      'the bad one is silent',
      async () => (await daemon.get('/api/v1/state?position=bad')).status === 503,
    )
    const hung = performance.now()
    const before = await until('the neighbours answer', () => numbers().catch(() => null))
    await until('the neighbours go on', async () =>
      (await numbers()).every((seq, index) => seq > (before[index] ?? 0)),
    )
    expect(performance.now() - hung).toBeLessThan(2_000 + 1_000)
    await until('the safe quote stands', quotes(400), { withinMs: 10_000 })
    expect((await daemon.get('/healthz')).status).toBe(200)
    const { status, body } = await daemon.get('/readyz')
    const waiting = (body as Ready).positions.filter(({ ready }) => !ready).map(({ position }) => position)
    expect({ status, waiting }).toEqual({ status: 503, waiting: ['bad'] })
    expect(await Promise.all(names.map(async (name) => (await daemon.state(name)).startedAt))).toEqual(
      started,
    )

    const stopping = performance.now()
    expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(performance.now() - stopping).toBeLessThan(10_000)
    await Promise.all([bad, ...good].map((venue) => venue.close()))
    folder.remove()
  })

  test('at the top of a file is refused by run, check and backtest with the name of the file, and by reload while the daemon trades on', async () => {
    await using market = await openMarket({}, CHOICE)
    market.folder.write('own.ts', strategy(9_999, SHIFT))
    const commands = [['run'], ['check'], ['backtest', '--tape', market.folder.path]]
    for (const command of commands) {
      const began = performance.now()
      const { code, out, err } = await runMizani([...command, '--config', market.config])
      expect({
        command,
        code,
        named: `${out}${err}`.includes('own.ts did not answer within 10000 ms'),
      }).toEqual({ command, code: 2, named: true })
      expect(performance.now() - began).toBeLessThan(30_000)
    }

    market.folder.write('own.ts', strategy(9_999))
    await using daemon = market.start()
    await market.quoted(50, 55)
    market.folder.write('own.ts', strategy(9_999, SHIFT))
    const refused = await until('it answers the reload', async () => {
      const { status, body } = await daemon.post('reload', { fromFile: true })
      return status !== 503 && JSON.stringify(body)
    })
    // Under load the process that loads it may still be starting.
    expect(refused).toMatch(/own\.ts did not|no answer within \d+ ms.*own\.ts/)
    const { lastSeq } = await daemon.state()
    await until('it trades on', async () => (await daemon.state()).lastSeq > lastSeq)
    market.folder.write('own.ts', strategy(9_999).replaceAll('50', '41'))
    await takeFiles(daemon)
    await market.quoted(41, 55)
  })

  test('ends a backtest that has begun with exit code 1', async () => {
    await using market = await openMarket({}, CHOICE)
    market.folder.write(
      'own.ts',
      strategy(0)
        .replace('init: () => ({})', 'init: () => ({ asked: 0 })')
        .replace('({ mid })', '({ mid }, state)')
        .replace('if (mid > 0)', 'if (state.asked++ > 20)'),
    )
    const week = new URL('../../examples/week', import.meta.url).pathname
    const { code, err } = await runMizani(['backtest', '--tape', week, '--config', market.config])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('within 10 s') })
  })
})
