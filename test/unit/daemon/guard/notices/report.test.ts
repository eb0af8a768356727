import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openKeptAlerts } from '../../../../../src/daemon/guard/notices/kept-alerts.ts'
import type { OutgoingNotice } from '../../../../../src/daemon/guard/notices/notice.ts'
import { createReport, logToOutput } from '../../../../../src/daemon/guard/notices/report.ts'

const MINUTE_MS = 60_000

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mizani-report-'))))

const DESK = {
  name: 'desk',
  configFile: '/etc/desk.yaml',
  hasNotify: true,
  alert: { repeatMs: 15 * MINUTE_MS, escalateAfterMs: [10 * MINUTE_MS, 40 * MINUTE_MS] },
}
const ANNA = { who: 'anna', why: 'I look' }

function reporting(desk = DESK, world = { wall: 0 }) {
  const sent: OutgoingNotice[] = []
  const lines: [level: string, message: string][] = []
  const log = (level: string, _position: string | null, line: string) => void lines.push([level, line])
  const report = createReport({
    positions: [desk],
    log,
    alerts: openKeptAlerts(folder, log),
    outbox: { add: (one) => void sent.push(one), tick: () => undefined, waiting: () => sent.length },
    wall: () => world.wall,
  })
  return {
    report,
    sent,
    lines,
    world,
    /** `12 reminder guard-fired to 0,1`, of what was sent since the last call. */
    said() {
      return sent
        .splice(0)
        .map(
          ({ kind, code, audience, last }) => `${last.t / MINUTE_MS} ${kind} ${code} to ${audience.join()}`,
        )
    },
    pass(minutes: number) {
      for (let second = 0; second < minutes * 60; second += 1) {
        world.wall += 1_000
        report.tick()
      }
    },
  }
}

describe('The report of a guard', () => {
  test('is one line of JSON an entry, with the position where it is about one', () => {
    let out = ''
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))))
    logToOutput('warn', 'desk', 'a word')
    logToOutput('info', null, 'of all')
    vi.restoreAllMocks()
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { level: 'warn', time: expect.any(String), position: 'desk', msg: 'a word' },
      { level: 'info', time: expect.any(String), msg: 'of all' },
    ])
  })

  test('repeats a critical notice and takes it to each step of the escalation until the daemon is back, which everybody hears', () => {
    const guard = reporting()
    guard.report.notify('guard-fired', DESK, 'the daemon is silent')
    expect(guard.lines).toEqual([['error', 'the daemon is silent']])
    guard.pass(46)
    expect(guard.said()).toEqual([
      '0 raised guard-fired to 0',
      '10 raised guard-fired to 1',
      '15 reminder guard-fired to 0,1',
      '30 reminder guard-fired to 0,1',
      '40 raised guard-fired to 2',
      '45 reminder guard-fired to 0,1,2',
    ])
    guard.report.resolve('guard-returned', ['guard-fired'], DESK, 'the daemon is back')
    expect(guard.sent).toMatchObject([{ code: 'guard-returned', audience: [0, 1, 2], isEnd: true }])
    guard.said()
    guard.pass(60)
    expect(guard.said()).toEqual([])
  })

  test('names the command that ends it in every reminder', () => {
    const guard = reporting()
    guard.report.notify('guard-fired', DESK, 'the daemon is silent')
    guard.pass(15)
    expect(guard.sent.at(-1)?.last.text).toBe('the daemon is silent (not acknowledged, reminder 1)')
  })

  test('an acknowledged notice is not repeated, its recipients learn who acknowledged it, and a restart keeps this', () => {
    const guard = reporting()
    guard.report.notify('guard-fired', DESK, 'the daemon is silent')
    guard.report.notify('guard-powerless', DESK, 'the key is refused')
    guard.pass(11)
    guard.said()
    expect(guard.report.acknowledge(null, 'guard-fired', ANNA)).toEqual([
      { name: 'desk', acknowledged: ['guard-fired'], open: ['guard-fired', 'guard-powerless'] },
    ])
    expect(guard.sent).toMatchObject([
      {
        kind: 'acknowledged',
        audience: [0, 1],
        last: { text: 'acknowledged by anna (I look): the daemon is silent' },
      },
    ])
    expect(guard.report.acknowledge(['other'], null, ANNA)).toEqual([])
    const restarted = reporting(DESK, guard.world)
    restarted.pass(5)
    expect(restarted.said()).toEqual(['15 reminder guard-powerless to 0,1'])
    expect(restarted.report.open('desk').map(({ code, ack }) => [code, ack?.who ?? null])).toEqual([
      ['guard-fired', 'anna'],
      ['guard-powerless', null],
    ])
  })

  test('ends a notice with its end, and sends a warning and news once', () => {
    const guard = reporting()
    guard.report.notify('guard-blind', DESK, 'no answer')
    guard.report.notify('guard-latched', DESK, 'three times')
    guard.report.lift('guard-blind', DESK, 'it answers again')
    guard.report.lift('guard-latched', DESK, 'released')
    guard.pass(60)
    expect(guard.said()).toEqual([
      '0 raised guard-blind to 0',
      '0 raised guard-latched to 0',
      '0 lifted guard-blind to 0',
      '0 lifted guard-latched to 0',
    ])
    expect(guard.lines.map(([level]) => level)).toEqual(['warn', 'error', 'info', 'info'])
  })

  test('of a position without channels is its log alone', () => {
    const guard = reporting({ ...DESK, hasNotify: false })
    guard.report.notify('guard-fired', { ...DESK, hasNotify: false }, 'the daemon is silent')
    guard.pass(60)
    expect(guard.said()).toEqual([])
    expect(guard.report.isOpen('desk', 'guard-fired')).toBe(true)
  })

  test('drops a kept alert that this version no longer raises, and no other', () => {
    const open = { text: 't', since: null, raisedAt: 0, notifiedAt: 0, repeats: 0, escalated: 0, ack: null }
    const alerts = ['guard-not-cancelled', 'guard-latched'].map((code) => ({ code, ...open }))
    writeFileSync(
      join(folder, 'alerts.json'),
      JSON.stringify({ version: 1, positions: { desk: { alerts } } }),
    )
    expect(
      reporting()
        .report.open('desk')
        .map(({ code }) => code),
    ).toEqual(['guard-latched'])
  })

  test('begins its alerts anew where their file is invalid, with a line, and continues where it cannot be written', () => {
    writeFileSync(join(folder, 'alerts.json'), '{ "version": 1, "positions": { "desk": 7 } }')
    const guard = reporting()
    expect(guard.lines[0]?.[1]).toContain('they begin anew')
    guard.report.notify('guard-fired', DESK, 'the daemon is silent')
    guard.report.tick()
    expect(JSON.parse(readFileSync(join(folder, 'alerts.json'), 'utf8'))).toMatchObject({
      positions: { desk: { alerts: [{ code: 'guard-fired' }] } },
    })
    rmSync(folder, { recursive: true })
    guard.pass(31)
    expect(guard.lines.filter(([, line]) => line.includes('cannot be written'))).toHaveLength(1)
    expect(guard.said()).toContain('30 reminder guard-fired to 0,1')
  })
})
