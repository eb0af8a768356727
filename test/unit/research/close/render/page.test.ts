import { expect, test } from 'vitest'
import { closePage } from '../../../../../src/research/close/render/page.ts'
import { bodyOf, EVIDENCE, keptFolder, recordDays, storeOf } from '../close-fixture.ts'

test('the page of a close has the risk with its time, unknown where no result was known, and no row in an earlier close', async () => {
  const store = await storeOf(recordDays(), keptFolder())
  const { risk, ...earlier } = EVIDENCE
  const page = (evidence: typeof EVIDENCE) => closePage(bodyOf(store, '2026-11-20', null, { evidence }))
  expect(page({ ...earlier, risk })).toContain('model, a week: 287.5 USD, -12.25 TZS')
  expect(page({ ...earlier, risk })).toContain('at 2026-11-20T23:30:00.000Z, not calibrated')
  expect(page({ ...earlier, risk: null })).toContain('<th scope="row">risk</th><td>unknown</td>')
  expect(page(earlier)).not.toMatch(/>risk<|shortfall/)
})
