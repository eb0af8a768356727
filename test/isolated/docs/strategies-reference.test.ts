import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { strategiesReference } from '../../../scripts/strategies-reference.ts'
import { strategyHeader } from '../../../scripts/strategy-header.ts'
import { loadStrategy } from '../../../src/daemon/config/strategy/load-strategy.ts'

const ROOT = join(import.meta.dirname, '../../..')
const page = readFileSync(join(ROOT, 'docs/strategies.md'), 'utf8')

describe('docs/strategies.md', () => {
  test('is what headers and schemas say now (node scripts/strategies-docs.ts)', async () => {
    expect(page).toBe(await strategiesReference())
  })

  test('shows choices that load as they stand', async () => {
    const blocks = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, yaml = '']) => parse(yaml) as unknown)
    const folder = join(ROOT, 'strategies')
    expect(blocks.length).toBeGreaterThanOrEqual(5)
    for (const block of blocks) {
      const { strategy } = block as { strategy: { use: string; params: unknown } }
      const loaded = await loadStrategy(strategy, { folder, baseFolder: folder })
      expect(loaded.ok ? loaded.value.strategy.use : loaded.error).toBe(strategy.use)
    }
  })
})

describe('the header of a strategy', () => {
  const header = (comment: string) => strategyHeader(`/**\n${comment}\n */\nexport default {}\n`)
  const WHOLE = ` * What it is.
 *
 * Idea: stand still,
 * and then:
 *   x = 2 * y
 * so be it.
 * Parameters:
 *   one    the first,
 *          and more of it
 *   group  of others
 *          inner  in * it
 * A remark.
 * WHEN IT LOSES: always,
 * and then some.`

  test('is taken apart into idea, formulas, parameters, remark and when it loses', () => {
    expect(header(WHOLE)).toEqual({
      what: 'What it is.',
      idea: 'Stand still,\nand then:\n\n```\nx = 2 * y\n```\n\nso be it.',
      parameters: new Map([
        ['one', 'the first, and more of it'],
        ['group', 'of others'],
        ['group.inner', 'in * it'],
      ]),
      remark: 'A remark.',
      whenItLoses: 'always,\nand then some.',
    })
  })

  test.each(['Idea:', 'Parameters:', 'WHEN IT LOSES:'])(
    'without %s is an error, not a gap on the page',
    (part) => {
      expect(() => header(WHOLE.replace(part, 'Something else'))).toThrow('in this order')
    },
  )

  test('has to be there', () => {
    expect(() => strategyHeader('export default {}')).toThrow('its header comment')
  })
})
