import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadStrategy } from '../../src/daemon/config/strategy/load-strategy.ts'
import { neutralContext } from '../../src/daemon/config/strategy/try-strategy.ts'
import { askStrategy } from '../../src/core/strategy/ask-strategy.ts'
import { freshMemory } from '../../src/core/strategy/memory.ts'
import { openMarket } from './daemon/open-market.ts'
import { endDaemons } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'
import { commandsOf, docBlocks, missingLines, type DocBlock } from './docs/doc-blocks.ts'
import { scratchCheckout, type ScratchCheckout } from './docs/scratch-checkout.ts'

// docs/writing-a-strategy.md and docs/strategy-rules.md: their files are written, their commands run, their figures compared.

const blocks = ['writing-a-strategy.md', 'strategy-rules.md'].flatMap((name) =>
  docBlocks(readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')),
)
const files = blocks.filter(({ language, words }) => language === 'ts' && words.length === 1)

let checkout: ScratchCheckout

beforeAll(() => {
  checkout = scratchCheckout()
  const configs = blocks.filter(({ language }) => language === 'yaml')
  for (const { words, text } of [...files, ...configs.slice(0, 1)]) checkout.write(words[0] ?? '', text)
})

afterAll(async () => {
  await endDaemons()
  await checkout.remove()
})

const shown = (word: string): DocBlock => {
  const found = blocks.find(({ language, words }) => language === 'text' && words.includes(word))
  if (found === undefined) throw new Error(`the pages have no ${word}`)
  return found
}

const load = async (use: string) => {
  const folder = join(checkout.path, 'desk')
  const loaded = await loadStrategy({ use, params: {} }, { folder, baseFolder: folder })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value.strategy
}

describe.concurrent('writing a strategy', { timeout: 120_000 }, () => {
  test('has files that the compiler of an editor finds nothing wrong with', async () => {
    expect(files).toHaveLength(6)
    checkout.write(
      'desk/tsconfig.json',
      JSON.stringify({ extends: '../tsconfig.json', include: ['./*.ts'], exclude: [] }),
    )
    const { out } = await checkout.run('node_modules/.bin/tsc --noEmit -p desk')
    expect(out.split('\n').filter((line) => line.startsWith('desk/'))).toEqual([])
  })

  const commands = blocks.flatMap((block, index) =>
    block.language === 'sh' ? [{ block, after: blocks[index + 1] }] : [],
  )

  test.each(commands.filter(({ block }) => !block.words.includes('twice')))(
    'prints what the page shows: line $block.line',
    async ({ block, after }) => {
      for (const command of commandsOf(block)) {
        const ran = await checkout.run(command)
        expect({ command, ...ran }).toMatchObject({ code: block.words.includes('fails') ? 1 : 0 })
        expect(missingLines(after?.text ?? 'no figures', ran.out)).toEqual([])
      }
    },
  )

  test('has one digest for two runs of one backtest, and another one for other code', async () => {
    const [twice] = commands.filter(({ block }) => block.words.includes('twice'))
    const [command = ''] = commandsOf(twice?.block ?? shown('twice'))
    const digestOf = async (line: string) => {
      const { out } = await checkout.run(line)
      return (JSON.parse(out) as { digest: string }).digest
    }
    const [once, again, other] = await Promise.all([
      digestOf(command),
      digestOf(command),
      digestOf(command.replace('skewed', 'steady')),
    ])
    expect(again).toBe(once)
    expect(other).not.toBe(once)
  })

  test('wants the orders that the page says', async () => {
    const strategy = await load('./ladder.ts')
    const answer = askStrategy(strategy, freshMemory(strategy), neutralContext())
    if (!answer.ok) throw new Error(answer.error)
    const lines = (answer.value.orders ?? []).map(
      ({ side, usd, tzsPerUsd }) => `${side} ${usd.toFixed(2)} USD at ${tzsPerUsd.toFixed(2)}`,
    )
    expect(`${lines.join('\n')}\n`).toBe(shown('orders').text)
  })

  test('is suspended where the page says, and mended while it runs', async () => {
    await using market = await openMarket(
      { speed: 240, scenario: 'normal', seed: 3 },
      { strategy: { use: './broken.ts', params: {} } },
    )
    market.folder.write('broken.ts', checkout.read('desk/broken.ts'))
    await using daemon = market.start()
    const suspended = await until('it is suspended', async () => (await daemon.state()).strategy.suspended)
    const [, said = ''] = /suspended: (.*)$/m.exec(shown('status').text) ?? []
    // The size of the first fill is the market's affair.
    const sizeless = (text: string) => text.replaceAll(/\d+ USD/g, 'so many USD')
    expect(sizeless(suspended)).toBe(sizeless(said))
    await market.quoted(500, 500)

    // Section 5, with the position of this test: other code by another choice, then other parameters.
    market.folder.write('steady.ts', checkout.read('desk/steady.ts'))
    const last = blocks.filter(({ words }) => words.includes('desk/tutorial.yaml')).at(-1)
    expect(last?.text).toContain('./steady.ts, params: { halfSpreadBps: 45 }')
    market.folder.configure({ strategy: { use: './steady.ts', params: { halfSpreadBps: 60 } } })
    await until('it is loaded', async () => (await daemon.state()).strategy.use === './steady.ts')
    expect((await daemon.post('resume', { why: 'mended' })).status).toBe(200)
    await market.quoted(60, 60)
    market.folder.configure({ strategy: { use: './steady.ts', params: { halfSpreadBps: 45 } } })
    await market.quoted(45, 45)
  })
})
