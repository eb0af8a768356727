import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { openMarket } from './daemon/open-market.ts'
import { runMizani } from './daemon/run-mizani.ts'
import { endDaemons } from './daemon/running-daemon.ts'

afterAll(endDaemons)

test('stops, resume, ack and status reach a running daemon whose configuration broke', async () => {
  const market = await openMarket()
  const config = market.folder.configure({ http: { port: await freePort() } })
  const whole = readFileSync(config, 'utf8')
  const daemon = market.start()
  await market.quoted(60, 70)
  const faults = {
    'an unknown key': `${whole}\nnonsense: 1\n`,
    'a bracket that is never closed': `${whole}\nrisk: { maxLossTzs: [1\n`,
    'secrets that are not set': whole.replaceAll(/!env \w+/g, '!env NOT_SET'),
    'a strategy that is gone': whole.replace(/use: \S+/, 'use: gone.ts,').replace(',,', ','),
  }
  for (const [fault, text] of Object.entries(faults)) {
    writeFileSync(config, text)
    const run = (...words: string[]) =>
      runMizani([...words, '--config', config], { MIZANI_OPERATOR_TOKEN: 'the-operators-token' })
    const halted = await run('halt', '--why', fault)
    expect([fault, halted.code, halted.err]).toEqual([fault, 0, expect.not.stringContaining('NOT_SET')])
    expect((await daemon.state()).tradingState).toBe('HALTED')
    expect((await run('status')).out).toContain('HALTED')
    // It is reached and refuses: nothing is repeated without a channel.
    expect((await run('ack')).err).toContain('no alert is repeated here')
    expect((await run('resume', '--why', fault)).code).toBe(0)
    expect((await daemon.state()).tradingState).not.toBe('HALTED')
    expect((await run('pause')).code).toBe(0)
    expect((await run('resume')).code).toBe(0)
  }
  // A file that is not there reaches nothing, also not a daemon at the default port.
  const missing = await runMizani(['halt', '--config', `${config}.not-there`], {})
  expect(missing.code).toBe(2)
  await market.close()
}, 180_000)
