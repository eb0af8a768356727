import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createReport, type Report } from '../../../../src/guard/process/report.ts'

// The program that sends notifications is a script here: it keeps its arguments and ends with the code that it is given.

let folder = ''
let out = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mizani-report-'))
  out = ''
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

function reportWith(exitCode: number): { readonly report: Report; readonly sent: () => readonly string[][] } {
  const script = join(folder, 'notify.mjs')
  const file = join(folder, 'sent')
  writeFileSync(file, '')
  writeFileSync(
    script,
    `import { appendFileSync } from 'node:fs'
     appendFileSync(${JSON.stringify(file)}, JSON.stringify(process.argv.slice(2)) + '\\n')
     process.exit(${exitCode})`,
  )
  return {
    report: createReport([process.execPath, script]),
    sent: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as string[]),
  }
}

const lines = () =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const DESK = { name: 'desk', configFile: '/etc/desk.yaml', hasNotify: true }
/** A process takes its time; the fake timers must not be the ones that are waited with. */
async function eventually(check: () => boolean): Promise<void> {
  for (const end = performance.now() + 15_000; !check();) {
    if (performance.now() > end) throw new Error(`not within 15 s:\n${out}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('The report of a guard', () => {
  test('is one line of JSON an entry, with the position where it is about one', () => {
    const { report } = reportWith(0)
    report.log('warn', 'desk', 'a word')
    report.log('info', null, 'of all')
    expect(lines()).toEqual([
      { level: 'warn', time: expect.any(String), position: 'desk', msg: 'a word' },
      { level: 'info', time: expect.any(String), msg: 'of all' },
    ])
  })

  test('sends a notification by the program, to the channels of the position, once', async () => {
    const { report, sent } = reportWith(0)
    report.notify('guard-fired', DESK, 'the daemon is silent')
    await eventually(() => sent().length === 1)
    expect(sent()).toEqual([
      [
        'notify',
        'send',
        '--config',
        '/etc/desk.yaml',
        '--code',
        'guard-fired',
        '--text',
        'the daemon is silent',
      ],
    ])
    expect(lines()).toMatchObject([{ level: 'error', msg: 'the daemon is silent' }])
    await vi.advanceTimersByTimeAsync(200_000)
    expect(sent()).toHaveLength(1)
  })

  test('sends it again after 10 s and after a minute where no channel takes it, and then gives up with a line', async () => {
    const { report, sent } = reportWith(1)
    report.notify('guard-returned', DESK, 'the daemon is back')
    const warnings = () => lines().filter(({ level }) => level === 'warn')
    await eventually(() => warnings().length === 1)
    expect(warnings()[0]?.['msg']).toBe('a channel did not take the message; it is sent again')
    vi.advanceTimersByTime(9_999)
    expect(sent()).toHaveLength(1)
    vi.advanceTimersByTime(1)
    await eventually(() => warnings().length === 2)
    vi.advanceTimersByTime(60_000)
    await eventually(() => warnings().length === 3)
    expect(warnings()[2]?.['msg']).toBe('no channel took the message')
    expect(sent()).toHaveLength(3)
    expect(lines()[0]).toMatchObject({ level: 'info' })
  })

  test('starts no program for a position without channels', () => {
    const { report, sent } = reportWith(0)
    report.notify('guard-fired', { ...DESK, hasNotify: false }, 'the daemon is silent')
    expect(lines()).toHaveLength(1)
    expect(sent()).toEqual([])
  })

  test('reports a program that cannot be started like one that failed', async () => {
    const report = createReport([join(folder, 'not-there')])
    report.notify('guard-fired', DESK, 'the daemon is silent')
    await eventually(() => lines().some(({ msg }) => String(msg).includes('sent again')))
  })
})
