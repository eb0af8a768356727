import { afterAll, expect, test } from 'vitest'
import { createStrategyProber } from '../../../../../src/daemon/config/strategy/probe-strategy.ts'
import { load, problemsOf, STRATEGIES, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const RECORDED = `${VALID}record: { path: ./tape }\n`
const prober = createStrategyProber(60_000)
afterAll(() => prober.close())
const CHECKED = { strategiesFolder: STRATEGIES, probe: { timeLimitMs: 60_000, only: 'ask', prober } } as const

async function checked(challenger: string): Promise<readonly string[]> {
  const result = await load(`${RECORDED}challenger: ${challenger}\n`, { ...CHECKED, forTrading: false })
  return result.ok ? [] : result.error.map(({ path, message }) => `${path}: ${message}`)
}

test('a challenger is read as it is written, and none of its code runs at a start', async () => {
  const none = await load(VALID)
  expect(none.ok && none.value.challenger).toBeNull()
  const gone = await load(`${RECORDED}challenger: { use: ./gone.ts, params: { a: 1 } }\n`)
  expect(gone.ok && gone.value.challenger).toEqual({ use: './gone.ts', params: { a: 1 } })
})

test('a challenger without a recording is refused with what to do, and so is one in an unknown form', async () => {
  expect(await problemsOf(`${VALID}challenger: { use: plain }\n`)).toEqual([
    expect.stringMatching(/^\d+:\d+ challenger: .*record\.path/),
  ])
  expect(await problemsOf(`${RECORDED}challenger: { uses: plain }\n`)).toEqual(
    expect.arrayContaining([expect.stringMatching(/challenger\.uses?: /)]),
  )
})

test('where people check a configuration its challenger is tried: a wrong name and wrong parameters have their place', async () => {
  expect(await checked('{ use: plain, params: { halfSpreadBps: 60 } }')).toEqual([])
  expect(await checked('{ use: plian }')).toEqual([expect.stringMatching(/^challenger\.use: .*plain/)])
  expect(await checked('{ use: plain, params: { halfSpreadBps: wide } }')).toEqual([
    expect.stringMatching(/^challenger\.params\.halfSpreadBps: /),
  ])
})
