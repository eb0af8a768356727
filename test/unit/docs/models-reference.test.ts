import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modelsReference } from '../../../scripts/models-reference.ts'

test('docs/models.md is what the models are now (node scripts/models-docs.ts)', () => {
  expect(readFileSync('docs/models.md', 'utf8')).toBe(modelsReference())
})
