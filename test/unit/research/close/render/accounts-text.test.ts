import { expect, test } from 'vitest'
import { dayBeancount } from '../../../../../src/research/close/render/beancount.ts'
import { dayHledger } from '../../../../../src/research/close/render/hledger.ts'
import { bodyOf, keptFolder, recordDays, storeOf } from '../close-fixture.ts'

test('no character of a reason of the venue is read as part of the format of the accountants’ text', async () => {
  const store = await storeOf(recordDays(), keptFolder())
  const body = bodyOf(store, '2026-11-20')
  const [entry] = body.entries
  if (entry === undefined) throw new Error('no entry')
  const reason = 'a;b | "c" \\ \n    assets:desk-1:pool  1 USDC\n2026-11-20 * date:2020-01-01 =1'
  const hostile = { ...body, entries: [{ ...entry, reason }] }
  for (const text of [dayHledger(hostile), dayBeancount(hostile)]) {
    const lines = text.split('\n').filter((line) => line.includes('date'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toMatch(/\||=|\\|date:|assets:/)
  }
})
