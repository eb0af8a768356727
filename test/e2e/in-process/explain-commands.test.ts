import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { curve } from '../../../src/cli/inspect/explain/curve.ts'
import { explain } from '../../../src/cli/inspect/explain/explain.ts'
import { captured } from '../../support/captured.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-explain-'))

function configOf(name: string, strategy: string): string {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(
    file,
    `name: ${name}
venue: { baseUrl: http://127.0.0.1:1, apiKey: !env MIZANI_API_KEY }
strategy: ${strategy}
store: { path: ${join(folder, 'no-store')} }
`,
  )
  return file
}

function strategyOf(name: string, quote: string): string {
  const file = join(folder, `${name}.ts`)
  writeFileSync(
    file,
    `import { defineStrategy, z } from '#kit'
export default defineStrategy({ name: '${name}', params: z.strictObject({}), init: () => ({}), quote(context) { ${quote} } })
`,
  )
  return configOf(name, `{ use: ${file} }`)
}

const skew = configOf('skew', '{ use: inventory-skew, params: { halfSpreadBps: 60, maxSkewBps: 80 } }')
const range = { inventory: '-1..1', points: 5 }

describe('mizani explain', () => {
  it('prints each term on each side, and what risk approves of their sum', async () => {
    const { out, exitCode } = await captured(() => explain({ config: skew }))
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^half-spread +\+60 +\+60$/m)
    expect(out).toMatch(/^approved +bid 60, ask 60, ACTIVE$/m)
    expect(out).toContain('no store')
  })

  it('prints a quote without terms as a whole, and says which side was moved to a bound', async () => {
    const config = strategyOf('plain', 'return { bidBps: 700, askBps: null, reasons: ["always"] }')
    const { out } = await captured(() => explain({ config }))
    expect(out).toMatch(/ +700 +off$/m)
    expect(out).toMatch(/^clamp +bid 700 .* 500/m)
  })

  it('shows the fallback of the strategy', async () => {
    const answer = 'return { bidBps: 60, askBps: 60, reasons: [], fallback: "no calibration" }'
    const config = strategyOf('fallen', answer)
    expect((await captured(() => explain({ config }))).out).toMatch(/^fallback +no calibration$/m)
    const { wanted } = JSON.parse((await captured(() => explain({ config, json: true }))).out)
    expect(wanted.fallback).toBe('no calibration')
  })

  it('reads the moment that it prints', async () => {
    const first = await captured(() => explain({ config: skew, json: true }))
    const { inputs } = JSON.parse(first.out) as { inputs: { inventory: { usd: number } } }
    const at = join(folder, 'moment.json')
    writeFileSync(at, JSON.stringify({ ...inputs, inventory: { ...inputs.inventory, usd: 15_000 } }))
    const { out } = await captured(() => explain({ config: skew, at, json: true }))
    const { wanted } = JSON.parse(out) as { wanted: { bidBps: number; askBps: number } }
    expect(wanted.askBps).toBeGreaterThan(60)
    expect(wanted.bidBps).toBeLessThan(60)
  })

  it.each([
    ['not there', 'no such file'],
    ['not JSON', 'not JSON'],
    ['{"mid":1}', 'mizani explain --json'],
    ['[]', 'mizani explain --json'],
  ])('refuses a moment that is %s, in a sentence', async (text, sentence) => {
    const at = join(folder, 'wrong.json')
    rmSync(at, { force: true })
    if (text !== 'not there') writeFileSync(at, text)
    const { err, exitCode } = await captured(() => explain({ config: skew, at }))
    expect({ err, exitCode }).toMatchObject({ exitCode: 2, err: expect.stringContaining(sentence) })
  })

  it('reports a strategy that is not there, throws or answers with no number', async () => {
    expect(await captured(() => explain({ config: configOf('away', '{ use: ./away.ts }') }))).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('strategy.use: '),
    })
    const throws = strategyOf('throws', 'throw new Error("no idea")')
    expect(await captured(() => explain({ config: throws }))).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('no idea'),
    })
    const nan = strategyOf('nan', 'return { bidBps: NaN, askBps: 60, reasons: [] }')
    expect((await captured(() => explain({ config: nan }))).exitCode).toBe(1)
  })
})

describe('mizani curve', () => {
  it('with more dollars asks more and bids less, at every point', async () => {
    const { out } = await captured(() => curve({ config: skew, ...range, json: true }))
    const { points } = JSON.parse(out) as {
      points: { inventory: number; bidBps: number | null; askBps: number | null }[]
    }
    expect(points.map(({ inventory }) => inventory)).toEqual([-1, -0.5, 0, 0.5, 1])
    const asks = points.map(({ askBps }) => askBps ?? 501)
    const bids = points.map(({ bidBps }) => bidBps ?? 501)
    expect(asks).toEqual(asks.toSorted((a, b) => a - b))
    expect(bids).toEqual(bids.toSorted((a, b) => b - a))
  })

  it('draws both lines into a file that needs nothing else, with a gap where a side is off', async () => {
    const svg = join(folder, 'curve.svg')
    await captured(() => curve({ config: skew, ...range, svg }))
    const drawn = readFileSync(svg, 'utf8')
    expect(drawn.match(/<polyline/g)).toHaveLength(2)
    expect(drawn).not.toContain('NaN')
    const holed = strategyOf(
      'holed',
      'return { bidBps: Math.abs(context.inventory.imbalance) < 0.2 ? null : 60, askBps: 60, reasons: [] }',
    )
    await captured(() => curve({ config: holed, ...range, svg }))
    expect(readFileSync(svg, 'utf8').match(/class="bid" points/g)).toHaveLength(2)
  })

  it('asks a strategy with a state at each point as at the first', async () => {
    const counts = join(folder, 'counts.ts')
    writeFileSync(
      counts,
      `import { defineStrategy, z } from '#kit'
export default defineStrategy({ name: 'counts', params: z.strictObject({}), init: () => ({ asked: 0 }), quote(_context, state) { state.asked += 1; return { bidBps: 50 + state.asked, askBps: 60, reasons: [] } } })
`,
    )
    const { out } = await captured(() =>
      curve({ config: configOf('counts', `{ use: ${counts} }`), ...range, json: true }),
    )
    const { points } = JSON.parse(out) as { points: { bidBps: number }[] }
    expect(points.map(({ bidBps }) => bidBps)).toEqual([51, 51, 51, 51, 51])
  })

  it.each(['1..-1', '0..0', '-2..1', 'a..b', '0.5', '', '-1..1..2', '..'])(
    'refuses the range "%s"',
    async (inventory) => {
      const { err, exitCode } = await captured(() => curve({ config: skew, ...range, inventory }))
      expect({ err, exitCode }).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining('within -1..1'),
      })
    },
  )

  it('reports a file that cannot be written', async () => {
    const { err, exitCode } = await captured(() =>
      curve({ config: skew, ...range, svg: join(folder, 'none', 'c.svg') }),
    )
    expect({ err, exitCode }).toMatchObject({ exitCode: 1, err: expect.stringContaining('--svg') })
  })
})
