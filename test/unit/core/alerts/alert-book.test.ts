import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { liftedNotice, type Notice } from '../../../../src/daemon/notify/notice.ts'
import {
  acknowledge,
  type AlertBook,
  parseAlertBook,
  emptyAlertBook,
  endAlerts,
  takeNotice,
  takeDue,
} from '../../../../src/core/alerts/alert-book.ts'

const MINUTE_MS = 60_000
const RULES = { repeatMs: 15 * MINUTE_MS, escalateAfterMs: [10 * MINUTE_MS, 30 * MINUTE_MS] }
const ANNA = { who: 'anna', why: 'I look', at: 0 }

function raised(t: number, code = 'halted', changes: Partial<Notice> = {}): Notice {
  return { t, kind: 'raised', severity: 'critical', code, text: `${code} at ${t}`, since: null, ...changes }
}

function opened(...codes: string[]): AlertBook {
  const book = emptyAlertBook()
  for (const code of codes) takeNotice(book, raised(0, code))
  return book
}

/** What is sent from minute to minute: `10 escalate 0`, `15 repeat`. */
function timeline(book: AlertBook, minutes: number, rules = RULES): string[] {
  const sent: string[] = []
  for (let minute = 1; minute <= minutes; minute += 1)
    for (const due of takeDue(book, rules, minute * MINUTE_MS))
      sent.push(`${minute} ${due.kind}${due.kind === 'escalate' ? ` ${due.step}` : ''}`)
  return sent
}

describe('an open alert', () => {
  test('is repeated at its interval and reaches each step of the escalation once, at its minute', () => {
    expect(timeline(opened('halted'), 46)).toEqual([
      '10 escalate 0',
      '15 repeat',
      '30 escalate 1',
      '30 repeat',
      '45 repeat',
    ])
  })

  test('is escalated without being repeated, and repeated without being escalated', () => {
    expect(timeline(opened('halted'), 40, { ...RULES, repeatMs: null as never })).toEqual([
      '10 escalate 0',
      '30 escalate 1',
    ])
    expect(timeline(opened('halted'), 31, { ...RULES, escalateAfterMs: [] })).toEqual([
      '15 repeat',
      '30 repeat',
    ])
  })

  test('is silent once someone has it in hand, and another one continues', () => {
    const book = opened('halted', 'quote-stuck')
    expect(acknowledge(book, ['halted', 'not-active'], ANNA).map(({ code }) => code)).toEqual(['halted'])
    expect(acknowledge(book, ['halted'], { ...ANNA, who: 'juma' })).toEqual([])
    expect(timeline(book, 16)).toEqual(['10 escalate 0', '15 repeat'])
    expect(book.alerts[0]?.ack).toEqual(ANNA)
  })

  test('an alert ends when its cause lifts, and the end names the last escalation step that received it', () => {
    const book = opened('halted')
    timeline(book, 12)
    const { ended } = takeNotice(book, liftedNotice(12 * MINUTE_MS, 'halted', 'over'))
    expect(ended).toMatchObject({ code: 'halted', escalated: 1 })
    expect(timeline(book, 100)).toEqual([])
    expect(takeNotice(book, liftedNotice(0, 'halted', 'over'))).toEqual({ changed: false, ended: null })
  })

  test('that is raised again after an acknowledgement begins anew, with its whole escalation', () => {
    const book = opened('halted')
    timeline(book, 31)
    acknowledge(book, ['halted'], ANNA)
    takeNotice(book, raised(60 * MINUTE_MS))
    expect(book.alerts).toMatchObject([{ raisedAt: 60 * MINUTE_MS, repeats: 0, escalated: 0, ack: null }])
    expect(takeDue(book, RULES, 69 * MINUTE_MS)).toEqual([])
    expect(takeDue(book, RULES, 70 * MINUTE_MS)).toMatchObject([{ kind: 'escalate', step: 0 }])
  })

  test('that is raised again without one continues as it was, with the newer text', () => {
    const book = opened('halted')
    takeNotice(book, raised(9 * MINUTE_MS, 'halted', { text: 'worse' }))
    expect(book.alerts).toMatchObject([{ raisedAt: 0, text: 'worse' }])
    expect(takeDue(book, RULES, 10 * MINUTE_MS)).toHaveLength(1)
  })

  test.each([
    raised(0, 'mid', { severity: 'warning' }),
    raised(0, 'halted', { kind: 'reminder' }),
    raised(0, 'daily-summary', { kind: 'summary' }),
    raised(0, 'halted', { kind: 'acknowledged' }),
  ])('is none of what is no beginning of something critical: $kind $severity', (notice) => {
    const book = emptyAlertBook()
    expect(takeNotice(book, notice)).toEqual({ changed: false, ended: null })
    expect(book.alerts).toEqual([])
  })

  test('is ended by a start that proves it to be over', () => {
    const book = opened('daemon-gone', 'halted')
    expect(endAlerts(book, ['daemon-gone', 'store'])).toBe(true)
    expect(book.alerts.map(({ code }) => code)).toEqual(['halted'])
    expect(endAlerts(book, ['daemon-gone'])).toBe(false)
  })

  test('is not silenced by a clock that was set back by a day', () => {
    const book = emptyAlertBook()
    takeNotice(book, raised(1_440 * MINUTE_MS))
    expect(takeDue(book, RULES, 0)).toEqual([])
    expect(timeline(book, 15)).toEqual(['10 escalate 0', '15 repeat'])
  })
})

test('whatever happens in whatever order, the book is one that a restart reads, with one alert a code and no reminder of an acknowledged one', () => {
  const code = fc.constantFrom('halted', 'quote-stuck', 'store')
  const step = fc.oneof(
    fc.record({ do: fc.constant('raise' as const), code }),
    fc.record({ do: fc.constant('lift' as const), code }),
    fc.record({ do: fc.constant('ack' as const), code }),
    fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: -30, max: 60 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const book = emptyAlertBook()
      let now = 1_000 * MINUTE_MS
      for (const one of steps) {
        if (one.do === 'raise') takeNotice(book, raised(now, one.code))
        else if (one.do === 'lift') takeNotice(book, liftedNotice(now, one.code, 'over'))
        else if (one.do === 'ack') acknowledge(book, [one.code], { ...ANNA, at: now })
        else now += one.minutes * MINUTE_MS
        for (const { alert } of takeDue(book, RULES, now)) expect(alert.ack).toBeNull()
        const codes = book.alerts.map((alert) => alert.code)
        expect(new Set(codes).size).toBe(codes.length)
        expect(parseAlertBook(JSON.parse(JSON.stringify(book)))).toEqual(book)
      }
    }),
  )
})

describe('a book that was written', () => {
  const book = opened('halted', 'store')
  acknowledge(book, ['store'], { who: 'anna', why: 'I look', at: 5 })
  const written = JSON.parse(JSON.stringify(book)) as AlertBook

  test('is read as it was', () => {
    expect(parseAlertBook(written)).toEqual(book)
    expect(parseAlertBook({ alerts: [] })).toEqual(emptyAlertBook())
  })

  test.each<readonly [what: string, wrong: unknown]>([
    ['no object', null],
    ['no list', { alerts: {} }],
    ['too many', { alerts: Array.from({ length: 201 }, () => written.alerts[0]) }],
    ['no alert', { alerts: [7] }],
    ...Object.entries({
      code: 7,
      text: 'x'.repeat(10_001),
      since: -1,
      raisedAt: null,
      notifiedAt: 'now',
      repeats: 1.5,
      escalated: -1,
      ack: { who: 'anna', why: 7, at: 1 },
    }).map(([field, value]) => [field, { alerts: [{ ...written.alerts[0], [field]: value }] }] as const),
  ])('is none where it has %s that is wrong', (_, wrong) => {
    expect(parseAlertBook(wrong)).toBeNull()
  })
})
