import { expect, test } from 'vitest'
import { missingText, plainWords } from '../../../../../../src/daemon/console/page/treasury/intent-text.ts'
import type { IntentView } from '../../../../../../src/daemon/view/treasury/intent-view.ts'

const ALL = ['amina', 'baraka']

test.each([
  [[], 2, [], '2 more approvals needed: from amina, baraka.'],
  [['amina'], 1, ['amina'], 'amina approved. 1 more approval needed: from baraka.'],
  [[], 1, ALL, '1 more approval needed, and no one of http.tokens may give one.'],
  [ALL, 0, ALL, 'amina, baraka approved. No more approval is needed.'],
  [[], 0, [], 'No more approval is needed.'],
])('an approval of %j that lacks %i, %j excluded, reads %j', (agreed, missing, excluded, text) => {
  const approval = { isNeeded: true, agreed, missing, excluded, notBefore: 0 }
  expect(missingText({ approval } as unknown as IntentView, ALL)).toBe(text)
})

test('a sentence of the daemon has the words of the page for places, routes and steps', () => {
  expect(plainWords('lpWithdrawal from pool to lpWallet by bank-deposit')).toBe(
    'withdrawal from pool to LP wallet by bank deposit',
  )
  expect(plainWords('floating rates')).toBe('floating rates')
})
