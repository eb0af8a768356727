import { describe, expect, it } from 'vitest'
import type { StrategyContext } from '../../../src/core/strategy/context.ts'
import type { StrategyQuote } from '../../../src/core/strategy/define-strategy.ts'
import schedule from '../../../strategies/schedule.ts'
import { contextAt, refusals } from './support.ts'

const RAW = {
  strategy: { use: 'inventory-skew', params: { halfSpreadBps: 60, maxSkewBps: 80 } },
  timezone: 'Africa/Dar_es_Salaam',
  windows: [
    { name: 'publication', cron: '50-59 9 * * 1-5', off: true },
    { name: 'nights', cron: '* 20-23,0-5 * * *', timezone: 'UTC', params: { halfSpreadBps: 120 } },
    { name: 'weekends', cron: '* * * * 6,0', use: 'fixed-spread', params: { bidBps: 200, askBps: 200 } },
  ],
}
const PARAMS = schedule.params.parse(RAW)

/** Asks with these crons open, and says which inner strategy was asked. */
function ask(open: readonly string[]): { quote: StrategyQuote; asked: string[]; zones: string[] } {
  const asked: string[] = []
  const zones: string[] = []
  const answer = (label: string) => (_context: StrategyContext) => {
    asked.push(label)
    return { bidBps: asked.length, askBps: 77, reasons: [`said ${label}`] }
  }
  const inner: Record<string, (context: StrategyContext) => StrategyQuote> = {}
  for (const label of Object.keys(schedule.inner?.(PARAMS) ?? {})) inner[label] = answer(label)
  const context = contextAt(0, {
    inWindow: (cron, timezone) => {
      zones.push(`${cron} ${timezone}`)
      return open.includes(cron)
    },
  })
  return { quote: schedule.quote(context, schedule.init(PARAMS), PARAMS, inner), asked, zones }
}

describe('schedule', () => {
  it('asks the base strategy while no window is open', () => {
    const { quote, asked } = ask([])
    expect(asked).toEqual(['base'])
    expect(quote).toEqual({ bidBps: 1, askBps: 77, reasons: ['said base'] })
  })

  it('asks the strategy of the window that is open, and names the window first', () => {
    const { quote, asked } = ask(['* * * * 6,0'])
    expect(asked).toEqual(['window weekends'])
    expect(quote.reasons).toEqual(['window weekends', 'said window weekends'])
  })

  it('lets the first open window of the list win', () => {
    expect(ask(['* * * * 6,0', '* 20-23,0-5 * * *']).asked).toEqual(['window nights'])
  })

  it('turns both sides off in a window with both off, and asks no inner strategy', () => {
    const { quote, asked } = ask(['50-59 9 * * 1-5', '* * * * 6,0'])
    expect(quote).toEqual({
      bidBps: null,
      askBps: null,
      reasons: ['window publication: off'],
      terms: [{ name: 'calendar', bidBps: 0, askBps: 0 }],
    })
    expect(asked).toEqual([])
  })

  it('reads each cron in the time zone of its window, or else of the schedule', () => {
    expect(ask([]).zones).toEqual([
      '50-59 9 * * 1-5 Africa/Dar_es_Salaam',
      '* 20-23,0-5 * * * UTC',
      '* * * * 6,0 Africa/Dar_es_Salaam',
    ])
  })

  it("lays a window's parameters over the base's, but not over those of another strategy", () => {
    expect(schedule.inner?.(PARAMS)).toEqual({
      base: RAW.strategy,
      'window nights': { use: 'inventory-skew', params: { halfSpreadBps: 120, maxSkewBps: 80 } },
      'window weekends': { use: 'fixed-spread', params: { bidBps: 200, askBps: 200 } },
    })
  })

  it('may have a window called base', () => {
    const params = schedule.params.parse({
      ...RAW,
      windows: [{ name: 'base', cron: '* * * * *', params: { maxSkewBps: 0 } }],
    })
    expect(Object.keys(schedule.inner?.(params) ?? {})).toEqual(['base', 'window base'])
  })

  it('throws when it was not given what it wraps, so that it is suspended rather than silent', () => {
    expect(() => schedule.quote(contextAt(0), {}, PARAMS, {})).toThrow("the strategy of 'base'")
  })

  it('takes UTC and no parameters by default', () => {
    expect(schedule.params.parse({ strategy: { use: 'inventory-skew' }, windows: [] })).toEqual({
      strategy: { use: 'inventory-skew', params: {} },
      timezone: 'UTC',
      windows: [],
    })
  })

  it('refuses crons, time zones, names and windows that make no sense, in words', () => {
    const withWindow = (window: unknown): string[] => refusals(schedule.params, { ...RAW, windows: [window] })
    const cron = '* * * * *'
    expect(withWindow({ name: 'a', cron: '* * *', off: true })).toEqual([
      "windows.0.cron: not a cron expression; expected five fields (minute hour day month weekday) like '* 20-23 * * 1-5'",
    ])
    expect(withWindow({ name: 'a', cron: '* * * * $', off: true })).toHaveLength(1)
    expect(withWindow({ name: 'a', cron, timezone: 'Africa/Dodoma', off: true })).toEqual([
      "windows.0.timezone: not a time zone; expected an IANA name like 'Africa/Dar_es_Salaam'",
    ])
    expect(withWindow({ name: 'a', cron, off: true, use: 'fixed-spread' })).toEqual([
      'windows.0.off: a window with off: true cannot have params or use; remove them or off',
    ])
    expect(withWindow({ name: 'a', cron })).toEqual([
      'windows.0: the window changes nothing; add params, use or off: true',
    ])
    expect(withWindow({ name: 'a', cron, off: false })).toHaveLength(1)
    const twice = { name: 'a', cron, off: true }
    expect(refusals(schedule.params, { ...RAW, windows: [twice, twice] })).toEqual([
      'windows: two windows have the same name; make each name unique',
    ])
  })
})
