import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ResearchOrder } from '../../../../../src/daemon/console/position-port.ts'
import { createResearchRuns } from '../../../../../src/daemon/runtime/host/research-runs.ts'

const SOON = { timeout: 20_000, interval: 20 }
const ORDER: ResearchOrder = {
  position: 'desk-1',
  kind: 'backtest',
  tape: '/tapes/year',
  fills: null,
  changes: { 'strategy.params.bidBps': 50 },
  who: 'anna',
  inForce: { 'strategy.params.bidBps': 45, 'quote.safeBps': 300 },
}
const REPORT = `const report = process.argv[process.argv.indexOf('--report') + 1]
import { writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
`

/** Runs whose child is a program with these lines instead of mizani. */
function runsOf(lines: string, limits: { maxHeapMb?: number; withinMs?: number; place?: object } = {}) {
  const { place, ...more } = limits
  const folder = mkdtempSync(join(tmpdir(), 'mizani-research-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'program.mjs')
  writeFileSync(program, `${REPORT}${lines}`)
  const store = { path: join(folder, 'store'), place: (place ?? join(folder, 'store')) as string }
  const position = { file: 'live.yaml', changes: {}, research: { tapes: ['/tapes/year'] }, store }
  const runs = createResearchRuns({
    find: (name) => (name === 'desk-1' ? position : undefined),
    program,
    ...more,
  })
  onTestFinished(runs.close)
  const [state, newest] = [() => runs.runs()[0]?.state, () => runs.runs()[0]]
  return { ...runs, state, newest, folder, reports: join(store.path, 'console-reports') }
}

const HANG = 'setInterval(() => undefined, 1_000)'

describe('a run from the console', () => {
  test('gets the file, the changes in force below its own, the tape and a report, a low priority and no variable of the daemon', async () => {
    process.env['MIZANI_TEST_SECRET'] = 'geheim'
    onTestFinished(() => void delete process.env['MIZANI_TEST_SECRET'])
    const { start, newest, state, report } = runsOf(
      `writeFileSync(report, JSON.stringify([process.argv.slice(2, -2), process.env, process.execArgv[0], getPriority()]))`,
    )
    const started = start({ ...ORDER, fills: 'thinned' })
    expect(started).toMatchObject({ ok: true, value: { state: 'running', who: 'anna', tape: '/tapes/year' } })
    await expect.poll(state, SOON).toBe('finished')
    expect(newest()).toMatchObject({ problem: null, endedAt: expect.any(Number) as number })
    const [args, env, heap, priority] = JSON.parse((await report(newest()?.id ?? '')) ?? '') as unknown[]
    const changes = { 'quote.safeBps': 300, 'strategy.params.bidBps': 50 }
    const file = ['backtest', '--config', 'live.yaml', '--changes', JSON.stringify(changes)]
    expect(args).toEqual([...file, '--fills', 'thinned', '--tape', '/tapes/year'])
    expect(JSON.stringify(env)).not.toContain('geheim')
    expect(Object.keys(env as object).filter((name) => name !== 'NODE_COMPILE_CACHE')).toEqual([])
    expect([heap, priority]).toEqual(['--max-old-space-size=1024', 19])
  })

  test('over a tape that is not listed letter by letter is refused, and starts nothing', () => {
    const { start, runs, folder } = runsOf(HANG)
    const names = [
      '/tapes',
      '/tapes/year/',
      '/tapes/year/../other',
      '/tapes/./year',
      '../tapes/year',
      '/etc',
      '',
      null,
    ]
    for (const tape of names)
      expect({ tape, ...start({ ...ORDER, tape }) }).toMatchObject({
        tape,
        ok: false,
        error: { isBusy: false },
      })
    expect(runs()).toEqual([])
    expect(existsSync(join(folder, 'store'))).toBe(false)
  })

  test('with changes to limits, code or another path, or of an unknown position, is refused', () => {
    const { start } = runsOf(HANG)
    for (const changes of [
      { 'strategy.use': './evil.ts' },
      { 'store.path': '/' },
      { 'backtest.tape': '/etc' },
    ])
      expect(start({ ...ORDER, changes })).toMatchObject({ ok: false, error: { isBusy: false } })
    expect(start({ ...ORDER, position: '../desk-1' })).toMatchObject({ ok: false })
  })

  test('is refused as busy while another one runs, and starts once that one was cancelled', async () => {
    const { start, cancel, runs, state } = runsOf(HANG)
    const first = start(ORDER)
    expect(start({ ...ORDER, kind: 'whatif', tape: null })).toMatchObject({
      ok: false,
      error: { isBusy: true },
    })
    expect(cancel('0'.repeat(32), 'bob')).toBe(false)
    expect(cancel(first.ok ? first.value.id : '', 'bob')).toBe(true)
    await expect.poll(state, SOON).toBe('cancelled')
    expect(runs()).toMatchObject([{ problem: 'cancelled by bob' }])
    expect(start(ORDER).ok).toBe(true)
  })

  test('that reaches its memory limit is shown as failed with the error, not as finished', async () => {
    const { start, state, newest, report } = runsOf(
      `writeFileSync(report, 'half a report'); const all = []; for (;;) all.push(Array.from({ length: 1_000 }, () => ({})))`,
      { maxHeapMb: 32 },
    )
    start(ORDER)
    await expect.poll(state, SOON).toBe('failed')
    expect(newest()?.problem).toMatch(/heap out of memory/)
    expect(await report(newest()?.id ?? '')).toBeNull()
  })

  test('that reaches its time limit is killed and shown as failed', async () => {
    const { start, state, newest } = runsOf(HANG, { withinMs: 300 })
    start(ORDER)
    await expect.poll(state, SOON).toBe('failed')
    expect(newest()?.problem).toBe('it did not end within 0.005 min')
  })

  test.each([
    [
      'the last line of its errors',
      `console.error('a\\nno such tape\\n    at here\\n\\nNode.js v24'); process.exit(1)`,
      'no such tape',
    ],
    ['its signal', `process.kill(process.pid, 'SIGKILL')`, 'it was ended by SIGKILL'],
    ['an end without a report', 'process.exit(0)', 'it ended with exit code 0 and no report'],
  ])('that fails is shown as failed with %s', async (_what, lines, problem) => {
    const { start, state, newest } = runsOf(lines)
    start(ORDER)
    await expect.poll(state, SOON).toBe('failed')
    expect(newest()?.problem).toBe(problem)
  })

  test('shows the latest progress with the remaining time while it runs', async () => {
    const { start, newest } = runsOf(
      `console.error('1 of about 9 rows, 8 s left\\n4 of about 9 rows, 5 s left'); ${HANG}`,
    )
    start(ORDER)
    await expect.poll(() => newest()?.progress, SOON).toBe('4 of about 9 rows, 5 s left')
  })

  test('of a journal in PostgreSQL is refused, because its secret would have to reach the child', () => {
    const { start } = runsOf(HANG, { place: { url: 'postgres://x', position: 'desk-1', folder: 'x' } })
    expect(start({ ...ORDER, kind: 'whatif', tape: null })).toMatchObject({
      ok: false,
      error: { isBusy: false },
    })
  })

  test('deletes reports of an earlier daemon, and those of runs beyond the fifth', async () => {
    const { start, state, runs, reports } = runsOf(`writeFileSync(report, 'x')`)
    mkdirSync(reports, { recursive: true })
    writeFileSync(join(reports, 'old.html'), 'x')
    for (let run = 0; run < 6; run++) {
      expect(start(ORDER).ok).toBe(true)
      await expect.poll(state, SOON).toBe('finished')
    }
    expect(runs()).toHaveLength(5)
    expect(readdirSync(reports).sort()).toEqual(
      runs()
        .map(({ id }) => `${id}.html`)
        .sort(),
    )
  })
})
