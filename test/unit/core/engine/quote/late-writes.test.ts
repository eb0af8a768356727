import { expect, it } from 'vitest'
import { runCore } from '../../../../support/core-harness.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

/** A desk whose process has died with a PATCH under way; what the next one wants is confirmed. */
function takenOver({ isAnswered = false } = {}) {
  const wish = { bps: 60 }
  const desk = runCore(60_000, {
    strategy: testStrategy(() => ({ bidBps: wish.bps, askBps: wish.bps, reasons: ['a wish'] })),
  })
  if (!isAnswered) desk.venue.answers.setQuote = () => 'silence'
  wish.bps = 90
  desk.run(16_000)
  delete desk.venue.answers.setQuote
  desk.restart()
  desk.run(1_500)
  expect(desk.state().quoting.inFlight).toBeNull()
  return desk
}

it('a write of the process before that lands late is found and repaired: looked for 2, 10 and 30 s after a start', () => {
  for (const [landsAt, foundBy] of [
    [9_000, 12_000],
    [20_000, 33_000],
  ] as const) {
    const desk = takenOver()
    desk.run(landsAt - 1_500)
    expect(desk.state().quoting.status).toBe('confirmed')
    const decided = desk.venue.held
    desk.venue.held = { ...decided, bidBps: 10, askBps: 10 }
    desk.run(foundBy - landsAt)
    expect(desk.venue.held).toMatchObject({ bidBps: decided.bidBps, askBps: decided.askBps })
  }
})

it('after half a minute both sides are read at their usual pace again', () => {
  const desk = takenOver()
  desk.run(31_000)
  expect(desk.state().quoting.readBackAt).toBeUndefined()
  desk.effects.length = 0
  desk.run(120_000)
  expect(desk.effects.filter(({ type }) => type === 'readQuote').length).toBeLessThan(4)
})

it('where every PATCH was answered nothing is looked for', () => {
  expect(takenOver({ isAnswered: true }).state().quoting.readBackAt).toBeUndefined()
})

it('a journal of a version that read back once replays as it was', () => {
  const desk = takenOver()
  desk.give({ type: 'started', t: desk.now, version: 'before', config: desk.state().config })
  expect(desk.state().quoting.readBackAt).toBeUndefined()
})
