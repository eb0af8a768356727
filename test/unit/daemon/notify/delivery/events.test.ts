import { afterEach, describe, expect, test, vi } from 'vitest'
import { createEvents } from '../../../../../src/daemon/notify/delivery/events.ts'
import { createNotifier } from '../../../../../src/daemon/notify/delivery/notifier.ts'
import type { Message } from '../../../../../src/daemon/notify/message/message.ts'
import type { Notice } from '../../../../../src/daemon/notify/notice.ts'
import { exampleView } from '../../telemetry/example-view.ts'
import { exampleNotice, NOON } from '../example-message.ts'

const MINUTE_MS = 60_000

function raised(code: string, afterMs = 0, more: Partial<Notice> = {}): Notice {
  return exampleNotice({ t: NOON + afterMs, severity: 'critical', code, text: `about ${code}`, ...more })
}

function lifted(code: string): Notice {
  return exampleNotice({ kind: 'lifted', severity: 'info', code, text: `${code} is over` })
}

function taken(...notices: readonly Notice[]): readonly (readonly string[])[] {
  const events = createEvents()
  return notices.map((notice) =>
    events.take(notice).map(({ code, also = [] }) => [code, ...also.map((one) => one.code)].join(' > ')),
  )
}

describe('one event', () => {
  test('takes up the halt and what the venue then shows as consequences of the foreign write', () => {
    const halt = raised('halted', 1, { rule: 'quote-not-held' })
    expect(taken(raised('foreign-write'), halt, raised('not-active', MINUTE_MS))).toEqual([
      ['foreign-write'],
      ['foreign-write > halted'],
      ['foreign-write > not-active'],
    ])
  })

  test('keeps its reminders together for as long as its cause is open, and no longer', () => {
    const remind = raised('halted', 60 * MINUTE_MS, { kind: 'reminder' })
    const before = [raised('foreign-write'), raised('halted', 1)]
    expect(taken(...before, remind).at(-1)).toEqual(['foreign-write > halted'])
    expect(taken(...before.toReversed(), remind).at(-1)).toEqual(['foreign-write > halted'])
    expect(taken(...before, lifted('foreign-write'), remind).at(-1)).toEqual(['halted'])
  })

  test('does not take up what comes later than ten minutes, or what cannot follow from it', () => {
    expect(taken(raised('foreign-write'), raised('halted', 11 * MINUTE_MS))).toEqual([
      ['foreign-write'],
      ['halted'],
    ])
    expect(taken(raised('mid-age'), raised('halted', 1))).toEqual([['mid-age'], ['halted']])
  })

  test('has its end after a command of an operator', () => {
    expect(
      taken(
        raised('mid-step', 0, { severity: 'warning' }),
        raised('operator', 1, { severity: 'info' }),
        lifted('mid-step'),
      ),
    ).toEqual([['mid-step'], ['operator'], ['mid-step']])
  })

  test('has no end while a graver rule holds, and then the end of both', () => {
    expect(
      taken(
        raised('mid-step', 0, { severity: 'warning' }),
        raised('halted', 1),
        lifted('mid-step'),
        lifted('halted'),
      ),
    ).toEqual([['mid-step'], ['halted'], [], ['halted', 'mid-step']])
  })

  test('withholds the end of a rule that began again meanwhile', () => {
    const step = raised('mid-step', 0, { severity: 'warning' })
    expect(taken(step, raised('halted'), lifted('mid-step'), step, lifted('halted')).at(-1)).toEqual([
      'halted',
    ])
  })
})

describe('a notifier that sees the position', () => {
  afterEach(() => void vi.useRealTimers())

  test.each([
    ['the cause first', ['foreign-write', 'halted']],
    ['the consequence first', ['halted', 'foreign-write']],
  ])('sends one message of one event with what is live at that moment, %s', async (_order, codes) => {
    vi.useFakeTimers({ now: NOON })
    const sent: Message[] = []
    let { live } = exampleView()
    const notifier = createNotifier({
      position: 'desk-1',
      mode: 'live',
      configFile: '/etc/mizani/live.yaml',
      runbookUrl: null,
      consoleUrl: null,
      channels: [
        {
          name: 'one',
          channel: {
            send: (message) => {
              sent.push(message)
              return Promise.resolve({ outcome: 'sent' })
            },
            close: () => Promise.resolve(),
          },
          minSeverity: 'critical',
          maxPerHour: 30,
          summary: false,
        },
      ],
      groupMs: 30_000,
      quietHours: null,
      timezone: 'UTC',
      see: async () => {
        const now = exampleView({ tradingState: 'HALTED', live })
        return { now, before: now }
      },
      onOutcome: () => undefined,
    })
    for (const code of codes) notifier.tell(raised(code))
    live = { ...live, stopped: true, text: '500/500 bps is live' }
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sent).toMatchObject([
      {
        code: 'foreign-write',
        also: [{ code: 'halted' }],
        live: '500/500 bps is live',
        did: expect.stringContaining('confirmed at the venue'),
        runbook: '`mizani runbook foreign-write`',
      },
    ])
    notifier.tell(lifted('halted'))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sent.map(({ kind, code }) => `${kind} ${code}`)).toEqual(['raised foreign-write', 'lifted halted'])
  })
})
