import { expect, test } from 'vitest'
import { missingText } from '../../../../../../src/daemon/console/page/treasury/intent-text.ts'
import type { IntentView } from '../../../../../../src/daemon/view/treasury/intent-view.ts'

const ALL = ['amina', 'baraka']

test.each([
  [[], 2, [], '2 more tokens have to approve: amina, baraka.'],
  [['amina'], 1, ['amina'], 'amina approved. 1 more token has to approve: baraka.'],
  [[], 1, ALL, '1 more token has to approve, and only none of http.tokens may.'],
  [ALL, 0, ALL, 'amina, baraka approved. No more approval is needed.'],
  [[], 0, [], 'No more approval is needed.'],
])('an approval of %j that lacks %i, %j excluded, reads %j', (agreed, missing, excluded, text) => {
  const approval = { isNeeded: true, agreed, missing, excluded, notBefore: 0 }
  expect(missingText({ approval } as unknown as IntentView, ALL)).toBe(text)
})
