import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../../src/base/time.ts'
import { addFlow, FLOW_HOURS, hourlyFlow, NO_FLOW } from '../../../../src/treasury/model/flow-history.ts'

const START = 1_766_000_000_000 - (1_766_000_000_000 % HOUR_MS)
const flow = (ntzs: bigint) => ({ NTZS: ntzs, USDC: 0n, USDT: 0n })

test('readings of one hour add up and hours without a reading count as zero', () => {
  let history = addFlow(NO_FLOW, START, flow(-5n))
  history = addFlow(history, START + 60_000, flow(2n))
  history = addFlow(history, START + 3 * HOUR_MS, flow(7n))
  expect(hourlyFlow(history, 'NTZS', START + 4 * HOUR_MS + 5)).toEqual({
    start: START,
    values: [-3, 0, 0, 7],
  })
  expect(hourlyFlow(history, 'USDC', START + 4 * HOUR_MS).values).toEqual([0, 0, 0, 0])
})

test('the hour in which the record began is left out when it began within it, and so is the current one', () => {
  const history = addFlow(NO_FLOW, START + 1, flow(4n))
  expect(hourlyFlow(history, 'NTZS', START + HOUR_MS + 1).values).toEqual([])
  expect(hourlyFlow(addFlow(history, START + HOUR_MS, flow(6n)), 'NTZS', START + 2 * HOUR_MS).values).toEqual(
    [6],
  )
})

test('a reading with an older time counts to the last hour, so that nothing is lost', () => {
  const history = addFlow(addFlow(NO_FLOW, START + HOUR_MS, flow(1n)), START, flow(2n))
  expect(history.hours).toHaveLength(1)
  expect(history.hours[0]?.flow.NTZS).toBe(3n)
})

test('a record that began is known though nothing has flowed', () => {
  const history = addFlow(NO_FLOW, START, flow(0n))
  expect(hourlyFlow(history, 'NTZS', START + 2 * HOUR_MS).values).toEqual([0, 0])
  expect(hourlyFlow(NO_FLOW, 'NTZS', START).values).toEqual([])
})

test('the record is bounded to eight weeks however long it continues', () => {
  let history = NO_FLOW
  for (let hour = 0; hour < FLOW_HOURS + 50; hour++) {
    history = addFlow(history, START + hour * HOUR_MS, flow(BigInt(hour + 1)))
  }
  expect(history.hours).toHaveLength(FLOW_HOURS)
  const series = hourlyFlow(history, 'NTZS', START + (FLOW_HOURS + 50) * HOUR_MS)
  expect(series.values).toHaveLength(FLOW_HOURS)
  expect(series.values[0]).toBe(51)
  expect(series.values.at(-1)).toBe(FLOW_HOURS + 50)
})
