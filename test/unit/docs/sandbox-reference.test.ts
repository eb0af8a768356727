import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withFaultTable } from '../../../scripts/sandbox-reference.ts'

test('docs/sandbox.md lists the faults of the LP API that the simulated venue has now (node scripts/sandbox-docs.ts)', () => {
  const page = readFileSync('docs/sandbox.md', 'utf8')
  expect(page).toBe(withFaultTable(page))
})
