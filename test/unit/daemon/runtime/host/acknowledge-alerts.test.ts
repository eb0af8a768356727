import { describe, expect, test } from 'vitest'
import type { OpenAlert } from '../../../../../src/core/alerts/alert-book.ts'
import { acknowledgeAlerts } from '../../../../../src/daemon/runtime/host/console-port.ts'

const ALERT: OpenAlert = {
  code: 'halted',
  text: 'trading is halted',
  since: null,
  raisedAt: 1,
  notifiedAt: 1,
  repeats: 0,
  escalated: 0,
  ack: null,
}
const STUCK = { ...ALERT, code: 'quote-stuck' }
const DONE = { ...ALERT, ack: { who: 'juma', why: 'mine', at: 2 } }

async function ask(code: string | null, open: readonly OpenAlert[], answers = true) {
  const calls: string[] = []
  const answer = await acknowledgeAlerts(code, {
    who: 'anna',
    why: 'I look',
    supervisor: {
      async ask(call) {
        if (call.method === 'command')
          calls.push(`journal ${JSON.stringify(call.command)} ${call.who} ${call.why}`)
        return (answers ? { accepted: true, answer: 'acknowledged' } : null) as never
      },
    },
    alerts: {
      list: () => open,
      acknowledge: async (codes) => {
        calls.push(`book ${codes.join()}`)
        return codes
      },
    },
  })
  return { ...answer, calls }
}

describe('an acknowledgement', () => {
  test('of one code is journalled with who and why before people are spared', async () => {
    expect(await ask('halted', [ALERT, STUCK])).toEqual({
      accepted: true,
      answer: 'acknowledged: halted',
      calls: ['journal {"name":"ack","codes":["halted"]} anna I look', 'book halted'],
    })
  })

  test('of all takes what no one has in hand, and leaves what someone has', async () => {
    const { answer, calls } = await ask(null, [DONE, STUCK])
    expect([answer, calls.at(-1)]).toEqual(['acknowledged: quote-stuck', 'book quote-stuck'])
  })

  test('of nothing journals nothing: no alert is open, it is in hand, or the code is another', async () => {
    expect(await ask(null, [])).toEqual({
      accepted: true,
      answer: 'there is no open critical alert',
      calls: [],
    })
    expect(await ask('halted', [DONE])).toMatchObject({
      accepted: true,
      answer: 'already acknowledged: halted',
    })
    expect(await ask('store', [ALERT])).toEqual({
      accepted: false,
      answer: 'no alert store is open; open: halted',
      calls: [],
    })
  })

  test('of a position that does not answer spares people all the same, and reports what its journal lacks', async () => {
    const { accepted, answer, calls } = await ask('halted', [ALERT], false)
    expect([accepted, calls.at(-1)]).toEqual([true, 'book halted'])
    expect(answer).toBe('acknowledged: halted; the position does not answer, so its journal lacks this')
  })

  test('where nothing is repeated is refused with what to set', async () => {
    const parts = { supervisor: { ask: () => Promise.resolve(null) }, alerts: null, who: 'a', why: 'b' }
    expect(await acknowledgeAlerts(null, parts)).toMatchObject({
      accepted: false,
      answer: expect.stringContaining('alert.repeatMinutes'),
    })
  })
})
