import { describe, expect, test } from 'vitest'
import type { StopCommand } from '../../../../../src/core/engine/model/event.ts'
import { liveView, stopText, stopView } from '../../../../../src/daemon/view/stop-view.ts'
import { quoteReadAnswer } from '../../../../support/answers.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, type Harness, runCore } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

const quoting = testStrategy(() => ({ bidBps: 67, askBps: 53, reasons: [] }))
const SAFE = { ...coreConfig().risk, onHalt: 'safe' } as const
const UNAUTHORISED = failureOf('auth', { status: 401 })
const UNAVAILABLE = failureOf('server', { status: 503 })

/** A position that quotes 67/53, at a venue that from now on answers writes so. */
function desk(
  write: ReturnType<typeof failureOf> | 'silence' | null,
  onHalt: 'safe' | 'deactivate' = 'safe',
): Harness {
  const one = runCore(60_000, { strategy: quoting, config: { risk: { ...SAFE, onHalt } } })
  expect(liveView(one.state())).toMatchObject({ stopped: false, bidBps: 67, askBps: 53, banner: null })
  if (write !== null) one.venue.answers = { setQuote: () => write, activate: () => write }
  return one
}

function stop(one: Harness, command: StopCommand, withinMs = 3_000) {
  const { answer } = one.order(command)
  one.run(withinMs)
  const view = stopView(command, one.state(), [])
  return { ...view, text: stopText(command, answer, view) }
}

describe('A halt', () => {
  test('is confirmed once the venue holds the safe quote, and the banner is empty then', () => {
    const told = stop(desk(null), { name: 'halt' })
    expect(told).toMatchObject({
      confirmed: true,
      live: { stopped: true, bidBps: 500, askBps: 500, banner: null },
    })
    expect(told.text).toContain('Confirmed at the venue: 500/500 bps is live')
  })

  test('is confirmed once the position is inactive, whatever became of the quote', () => {
    const one = desk(null, 'deactivate')
    one.venue.answers = { setQuote: () => UNAUTHORISED }
    expect(stop(one, { name: 'halt' })).toMatchObject({
      confirmed: true,
      live: { stopped: true, isActive: false },
    })
  })

  test.each([
    ['401', UNAUTHORISED, false, 'STILL QUOTED 67/53', ' (401): 67/53 bps is still live'],
    ['503', UNAVAILABLE, null, 'QUOTE UNKNOWN, LAST SEEN 67/53', ' (503): the live quote is unknown'],
    ['nothing', 'silence', null, 'QUOTE UNKNOWN, LAST SEEN 67/53', ': the live quote is unknown'],
    [
      'nonsense',
      failureOf('malformed', { status: 200, outcome: 'unknown' }),
      null,
      'QUOTE UNKNOWN',
      ' (200): the live quote is unknown',
    ],
  ] as const)('that the venue answers with %s is not confirmed', (_what, answer, stopped, banner, text) => {
    const one = desk(answer)
    one.venue.answers.readQuote = () => UNAVAILABLE
    const told = stop(one, { name: 'halt' })
    expect(told).toMatchObject({ confirmed: false, live: { stopped, bidBps: 67, askBps: 53 } })
    expect(told.live.banner).toContain(`HALTED - ${banner}`)
    expect(told.text).toContain(`NOT confirmed at the venue${text}`)
  })

  test('whose PATCH had no clear answer is confirmed by reading both sides back', () => {
    const one = desk(UNAVAILABLE)
    one.venue.held = { ...one.venue.held, bidBps: 500 }
    expect(stop(one, { name: 'halt' })).toMatchObject({ confirmed: false, live: { bidBps: 500, askBps: 53 } })
    one.venue.held = { ...one.venue.held, askBps: 500 }
    one.run(120_000)
    expect(stop(one, { name: 'halt' })).toMatchObject({ confirmed: true, live: { status: 'unknown' } })
  })

  test('counts a closed side as stopped until that side is read at another spread', () => {
    const one = desk(null)
    one.venue.answers.setQuote = () => {
      one.venue.held = { bidBps: 500, askBps: 53, quoteBid: true, quoteAsk: false, quotePairs: null }
      return { type: 'quoteSet', spread: one.venue.held }
    }
    expect(stop(one, { name: 'halt' }).live).toMatchObject({
      stopped: true,
      askBps: null,
      text: '500/off bps is live',
    })
    one.venue.answers.setQuote = () => UNAUTHORISED
    one.give(quoteReadAnswer({ t: one.now, request: 0, side: 'ask', spreadBps: 20 }))
    expect(liveView(one.state())).toMatchObject({
      stopped: false,
      askBps: 20,
      banner: 'HALTED - STILL QUOTED 500/20',
    })
  })

  test('skips the wait of a deactivation that drains, and is reported apart from it', () => {
    const one = runCore(60_000, {
      strategy: quoting,
      config: { risk: { ...SAFE, onHalt: 'deactivate' }, quote: { ...coreConfig().quote, drainMs: 30_000 } },
    })
    one.order({ name: 'deactivate', insists: true })
    one.run(1_000)
    expect(one.effects.filter(({ type }) => type === 'activate')).toHaveLength(1)
    one.venue.answers.activate = () => 'silence'
    const told = stop(one, { name: 'halt' }, 100)
    expect(one.effects.filter(({ type }) => type === 'activate')).toHaveLength(2)
    expect(told).toMatchObject({
      confirmed: true,
      leaving: expect.stringContaining('the venue has not reported'),
    })
    expect(told.text).toContain('The deactivation continues:')
  })
})

test.each([
  ['a deactivation', [{ name: 'deactivate' }], 'the position is inactive until `mizani activate`'],
  [
    'a deactivation and a halt',
    [{ name: 'deactivate' }, { name: 'halt' }],
    'the position is inactive until `mizani resume` and `mizani activate`',
  ],
  ['a halt, which a resume ends', [{ name: 'halt' }], 'the position is inactive'],
] as const)('the live quote after %s names the commands that bring it back', (_what, orders, text) => {
  const one = desk(null, 'deactivate')
  for (const command of orders) stop(one, command, 60_000)
  expect(liveView(one.state())).toMatchObject({ isActive: false, text })
})

describe('An inactive account', () => {
  test.each([
    ['is unanswered', 'silence'],
    ['had no clear answer', UNAVAILABLE],
    ['is refused because another one is under way', failureOf('refused', { status: 409 })],
    ['is answered as inactive', 'said-inactive'],
  ] as const)('confirms no halt while an activation %s', (_what, answer) => {
    const one = coreHarness({
      strategy: quoting,
      config: { strictReadings: true, risk: { ...SAFE, onHalt: 'deactivate' } },
    })
    one.venue.answers.activate = () =>
      answer === 'said-inactive'
        ? { type: 'activation', isActive: false, partial: false, returned: [] }
        : answer
    one.run(15_000)
    one.venue.answers.setQuote = () => UNAUTHORISED
    const told = stop(one, { name: 'halt' })
    expect(told).toMatchObject({ confirmed: false, live: { stopped: null, isActive: null } })
    expect(told.text).toContain('an activation may still take effect')
  })

  test('is deactivated by a halt for as long as an activation from before it may take effect', () => {
    const one = runCore(30_000, {
      strategy: quoting,
      config: {
        strictReadings: true,
        risk: { ...SAFE, onHalt: 'deactivate' },
        quote: { ...coreConfig().quote, drainMs: 30_000 },
      },
    })
    one.order({ name: 'halt' })
    one.run(60_000)
    expect(liveView(one.state())).toMatchObject({ stopped: true, isActive: false })
    one.venue.answers.activate = (effect) =>
      effect.type === 'activate' && effect.isActive
        ? UNAVAILABLE
        : { type: 'activation', isActive: false, partial: false, returned: [] }
    one.order({ name: 'resume' })
    one.run(1_000)
    const sent = one.effects.length
    const told = stop(one, { name: 'halt' }, 20_000)
    expect(told.leaving).toContain('an activation that was sent before it may still take effect')
    expect(one.effects.slice(sent)).toContainEqual(
      expect.objectContaining({ type: 'activate', isActive: false }),
    )
    one.venue.isActive = true
    delete one.venue.answers.activate
    one.run(120_000)
    expect(one.venue.isActive).toBe(false)
    expect(liveView(one.state())).toMatchObject({ stopped: true, isActive: false })
  })

  test('with balances that name the pool is neither out nor a confirmed stop', () => {
    const one = runCore(60_000, {
      strategy: quoting,
      config: { risk: { ...SAFE, foreignWrites: 'latch' } },
    })
    one.venue.isActive = false
    one.venue.answers.setQuote = () => UNAVAILABLE
    one.venue.answers.readBalances = () => ({
      type: 'balances',
      sentAt: one.now,
      amounts: { ...one.venue.amounts },
      source: 'pool',
    })
    one.run(90_000)
    const told = stop(one, { name: 'halt' })
    expect(told).toMatchObject({ confirmed: false, live: { isActive: null } })
    expect(told.text).toContain('GET /balances still names the pool')
  })
})

describe('The cause of a stop that is not confirmed', () => {
  const REFUSED = failureOf('refused', { status: 400 })

  test('is no refusal of a request from before the stop', () => {
    const one = desk(null)
    one.venue.answers.activate = () => REFUSED
    one.order({ name: 'activate' })
    one.run(1_000)
    expect(liveView(one.state()).refusal).toMatchObject({ status: 400 })
    one.venue.answers.setQuote = () => 'silence'
    expect(stop(one, { name: 'halt' }, 1_000).text).toContain(
      'NOT confirmed at the venue: the live quote is unknown',
    )
  })

  test('is no refusal that an activation from before it brings meanwhile', () => {
    const one = desk(null)
    one.venue.answers = { activate: () => 'silence', setQuote: () => UNAUTHORISED }
    one.order({ name: 'activate' })
    const { id } = one.effects.findLast(({ type }) => type === 'activate') ?? { id: 0 }
    stop(one, { name: 'halt' }, 1_000)
    one.give({ type: 'requestFailed', t: one.now, request: id, failure: REFUSED })
    expect(liveView(one.state()).refusal).toMatchObject({ status: 401 })
  })

  test('is for a deactivation no refusal of the spread', () => {
    const one = desk(null)
    one.venue.answers = { setQuote: () => UNAUTHORISED, activate: () => 'silence' }
    expect(stop(one, { name: 'pause' }, 1_000).live.refusal).toMatchObject({ status: 401 })
    const told = stop(one, { name: 'deactivate', insists: true }, 1_000)
    expect(told.text).toContain('NOT confirmed at the venue: ')
  })
})

describe('A deactivation', () => {
  test.each([UNAUTHORISED, UNAVAILABLE, 'silence'] as const)(
    'that the venue does not take is not confirmed',
    (answer) => {
      const told = stop(desk(answer), { name: 'deactivate', insists: true })
      expect(told).toMatchObject({ confirmed: false, leaving: expect.any(String) })
    },
  )

  test('is confirmed once the account is inactive and the wallet shows the tokens', () => {
    const one = desk(null)
    expect(stop(one, { name: 'deactivate', insists: true }, 100).confirmed).toBe(false)
    expect(stop(one, { name: 'deactivate', insists: true }, 60_000)).toMatchObject({
      confirmed: true,
      leaving: null,
    })
  })
})

test('a pause is confirmed by the safe quote, and a pause that the venue refuses has a banner', () => {
  expect(stop(desk(null), { name: 'pause' })).toMatchObject({ confirmed: true })
  expect(stop(desk(UNAUTHORISED), { name: 'pause' }).live.banner).toBe('PAUSED - STILL QUOTED 67/53')
})

test('a resume forgets what the venue refused before it', () => {
  const one = desk(UNAUTHORISED)
  expect(stop(one, { name: 'halt' }).live.refusal).toMatchObject({ status: 401, message: 'the venue: auth' })
  one.venue.answers = {}
  one.order({ name: 'resume' })
  one.run(20_000)
  expect(liveView(one.state()).refusal).toBeNull()
})
