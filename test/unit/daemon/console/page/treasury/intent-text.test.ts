import { expect, test } from 'vitest'
import { missingText } from '../../../../../../src/daemon/console/page/treasury/intent-text.ts'
import type { IntentView } from '../../../../../../src/daemon/view/treasury/intent-view.ts'

function words(agreed: readonly string[], missing: number, excluded: readonly string[] = agreed): string {
  const approval = { isNeeded: true, agreed, missing, excluded, notBefore: 0 }
  return missingText({ approval } as unknown as IntentView, ['amina', 'baraka'])
}

test('an approval names who agreed, how many are missing, and whose tokens may', () => {
  expect(words([], 2)).toBe('2 more tokens have to approve: amina, baraka.')
  expect(words(['amina'], 1)).toBe('amina agreed. 1 more token has to approve: baraka.')
  expect(words([], 1, ['amina', 'baraka'])).toBe(
    '1 more token has to approve, and only none of http.tokens may.',
  )
})

test('an approval that is complete asks for no one', () => {
  expect(words(['amina', 'baraka'], 0)).toBe('amina, baraka agreed. No more approval is needed.')
  expect(words([], 0)).toBe('No more approval is needed.')
})
