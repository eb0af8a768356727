import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { strategyPages } from '../../../scripts/strategies-reference.ts'
import { strategyHeader } from '../../../scripts/strategy-header.ts'
import { LANDING, withStandings } from '../../../scripts/tournament-section.ts'
import { loadStrategy } from '../../../src/daemon/config/strategy/load-strategy.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8')

describe('the pages of the shipped strategies', async () => {
  const pages = await strategyPages()

  test.each([...pages])(
    'docs/%s is what headers and schemas say now (node scripts/strategies-docs.ts)',
    (name, text) => {
      expect(read(name)).toBe(text)
    },
  )

  test('docs/strategies.md and README have the standings of docs/tournament.json', () => {
    expect(withStandings(read('strategies.md'))).toBe(read('strategies.md'))
    expect(withStandings(read('../README.md'), LANDING)).toBe(read('../README.md'))
  })

  test('show choices that load as they stand', async () => {
    const blocks = [...[...pages.values()].join('\n').matchAll(/```yaml\n([^]*?)```/g)]
    const folder = join(ROOT, 'strategies')
    expect(blocks.length).toBeGreaterThanOrEqual(12)
    for (const [, yaml = ''] of blocks) {
      const { strategy } = parse(yaml) as { strategy: { use: string; params: unknown } }
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
