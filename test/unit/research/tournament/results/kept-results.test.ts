import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { WorldResult } from '../../../../../src/research/scenarios/play/participant.ts'
import type { EntrantVariant } from '../../../../../src/research/tournament/entrant.ts'
import { openResults, resultKey } from '../../../../../src/research/tournament/results/kept-results.ts'
import { namedResult } from '../../../../../src/research/tournament/job.ts'
import { prepareScenario } from '../../../../../src/research/scenarios/draw/world.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'

const RESULT: WorldResult = {
  pnlUsd: 12.5,
  retailUsd: 20,
  informedUsd: -5,
  restockingUsd: -2,
  carryUsd: -0.5,
  dailyUsd: [6, 6.5],
  drawdownUsd: 3,
  emptyShare: 0.1,
  inventoryUsd: 900,
  fills: { retail: 4, informed: 1 },
  tradedUsd: 5_000,
  restockings: 1,
}
const VARIANT: EntrantVariant = {
  entrant: 'a',
  use: 'glft',
  params: { x: 1 },
  feedTauBps: null,
  refills: null,
  calibration: null,
  label: '',
}

function open(folder: string) {
  const opened = openResults(folder)
  if (!opened.ok) throw new Error(opened.error)
  return opened.value
}

describe('results that are kept', () => {
  test('are there when the folder is opened again, without a line that was cut off', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kept-'))
    const first = open(folder)
    first.add([{ key: 'one', result: RESULT }])
    first.close()
    const file = join(folder, 'results.jsonl')
    appendFileSync(file, '{"key":"two","result":{"pnl')
    const second = open(folder)
    expect(second.get('one')).toEqual(RESULT)
    expect(second.count()).toBe(1)
    second.add([{ key: 'two', result: RESULT }])
    second.close()
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(2)
    expect(open(folder).get('two')).toEqual(RESULT)
  })

  test('name their scenario, seed and strategy in the file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kept-'))
    const prepared = prepareScenario(shippedScenario('normal'), 14)
    const kept = open(folder)
    kept.add([
      namedResult({ prepared, seed: 7 }, { key: 'one', variant: { ...VARIANT, label: 'x 1' } }, RESULT),
    ])
    kept.close()
    expect(JSON.parse(readFileSync(join(folder, 'results.jsonl'), 'utf8'))).toEqual({
      key: 'one',
      scenario: 'normal',
      seed: 7,
      strategy: 'a',
      label: 'x 1',
      result: RESULT,
    })
    expect(open(folder).get('one')).toEqual(RESULT)
  })

  test('that are damaged are named with their line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kept-'))
    writeFileSync(
      join(folder, 'results.jsonl'),
      `${JSON.stringify({ key: 'one', result: RESULT })}\nnonsense\n`,
    )
    const opened = openResults(folder)
    expect(!opened.ok && opened.error).toMatch(/results\.jsonl:2 .*remove/)
  })

  test.each([
    ['text where a number is', { pnlUsd: '12' }, /result\.pnlUsd: .*number/],
    ['null where a number is', { pnlUsd: null }, /result\.pnlUsd: .*number/],
    ['other parts than its PnL', { retailUsd: 21 }, /add up/],
    ['other days than its PnL', { dailyUsd: [1] }, /add up/],
    ['no fills', { fills: undefined }, /result\.fills: two numbers/],
  ])('with %s are refused with file and line', (_, changed, why) => {
    const folder = mkdtempSync(join(tmpdir(), 'kept-'))
    const lines = [
      { key: 'one', result: RESULT },
      { key: 'two', result: { ...RESULT, ...changed } },
    ]
    writeFileSync(join(folder, 'results.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const opened = openResults(folder)
    expect(opened.ok ? '' : opened.error).toMatch(/results\.jsonl:2 is not a result .*remove/)
    expect(opened.ok ? '' : opened.error).toMatch(why)
  })

  test('may be there twice if they are equal, and are refused otherwise', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kept-'))
    const file = join(folder, 'results.jsonl')
    const line = `${JSON.stringify({ key: 'one', result: RESULT })}\n`
    writeFileSync(file, `${line}${line}`)
    const policy = { compared: 9, meanBps: 1, p99Bps: 2, switchedShare: 0 }
    appendFileSync(file, `${JSON.stringify({ key: 'one', result: { ...RESULT, policy } })}\n`)
    expect(open(folder).count()).toBe(1)
    appendFileSync(file, line.replace('900', '901'))
    const opened = openResults(folder)
    expect(opened.ok ? '' : opened.error).toMatch(/results\.jsonl:4 .*another result/)
  })

  test('have a name of their own for every code, scenario, seed, length, parameter and feed, whatever the entrant is called', () => {
    const identity = { product: '1', sourceHash: 'abc' }
    const world = { scenario: shippedScenario('normal'), days: 90, seed: 1 }
    const key = resultKey(identity, world, VARIANT)
    expect(resultKey(identity, world, { ...VARIANT, entrant: 'b', label: 'x 1' })).toBe(key)
    const others = [
      resultKey({ ...identity, sourceHash: 'abd' }, world, VARIANT),
      resultKey({ ...identity, product: '2' }, world, VARIANT),
      resultKey(identity, { ...world, seed: 2 }, VARIANT),
      resultKey(identity, { ...world, days: 91 }, VARIANT),
      resultKey(identity, { ...world, scenario: shippedScenario('calm') }, VARIANT),
      resultKey(identity, world, { ...VARIANT, params: { x: 2 } }),
      resultKey(identity, world, { ...VARIANT, feedTauBps: 25 }),
    ]
    expect(new Set([key, ...others]).size).toBe(8)
  })
})
