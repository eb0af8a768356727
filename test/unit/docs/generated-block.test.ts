import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withGeneratedBlock } from '../../../scripts/generated-block.ts'

const CHECKS = readFileSync(join(import.meta.dirname, '../../../docs/market-checks.md'), 'utf8')

test('a table replaces the block of its script, and the rest of the page stays', () => {
  const made = withGeneratedBlock(CHECKS, 'policy-table.ts', ['| a |'])
  const without = (page: string) => page.replace(/(policy-table\.ts -->\n)[^]*?(<!-- end)/, '$1$2')
  expect(made).toContain('scripts/policy-table.ts -->\n\n| a |\n\n<!-- end')
  expect(without(made)).toBe(without(CHECKS))
})

test('docs/market-checks.md has the marks of every script that writes a table into it', () => {
  for (const script of ['fair-value-table.ts', 'policy-table.ts', 'scenarios-table.ts'])
    expect(withGeneratedBlock(CHECKS, script, [])).not.toBe(CHECKS)
})

test('a page without the marks is refused instead of being cut', () => {
  expect(() => withGeneratedBlock('# A page', 'a.ts', [])).toThrow(/has lost the marks/)
})
