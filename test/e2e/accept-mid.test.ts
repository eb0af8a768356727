import { describe, expect, test } from 'vitest'

import { freePort } from '../support/free-port.ts'
import { openMarket } from './daemon/open-market.ts'
import { runHere } from './daemon/run-here.ts'
import { until } from './daemon/until.ts'

describe('a mid that waits, end to end', { timeout: 120_000 }, () => {
  test('a mid outside the corridor closes the losing side within seconds, and no one can accept it', async () => {
    await using market = await openMarket({}, { http: { port: await freePort() } })
    await using daemon = market.start()
    await market.quoted(60, 70)
    const began = Date.now()
    market.venue.model.inject({ print: { mid: 25_000 } })
    const { ours } = market.venue.model.state
    await until('the safe quote stands', () => !ours.quoteAsk && ours.bidBps === 500)
    expect(Date.now() - began).toBeLessThan(10_000)
    const resume = ['resume', '--config', market.config, '--json']
    const refused = await runHere([...resume, '--accept-mid', '25000'])
    expect(refused.code).toBe(3)
    expect(refused.out + refused.err).toContain('no mid waits')
    expect((await daemon.state()).reasons.join()).toContain('price-corridor')
  })

  test('only the value that waits is adopted by resume --accept-mid; another one is refused with both mids', async () => {
    await using market = await openMarket({}, { http: { port: await freePort() } })
    await using daemon = market.start()
    await market.quoted(60, 70)
    market.venue.model.inject({ print: { mid: 2_700 } })
    const { ours } = market.venue.model.state
    await until('the losing side is off', () => !ours.quoteAsk && ours.bidBps === 500)
    const resume = ['resume', '--config', market.config]
    const plain = await runHere([...resume, '--json'])
    expect(plain.out).toContain('2700 still waits')
    const wrong = await runHere([...resume, '--json', '--accept-mid', '2690'])
    expect(wrong.code).toBe(3)
    expect(wrong.out + wrong.err).toContain('waits is 2700')
    expect(ours.quoteAsk).toBe(false)
    const right = await runHere([...resume, '--accept-mid', '2700', '--reason', 'the bank has it'])
    expect(right).toMatchObject({ code: 0 })
    await market.quoted(60, 70)
    expect((await daemon.state()).mid).toBe('2700')
  })
})
