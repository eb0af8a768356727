import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { commandsOf, docBlocks, missingLines, type DocBlock } from './docs/doc-blocks.ts'
import { scratchCheckout, type Background, type Ran, type ScratchCheckout } from './docs/scratch-checkout.ts'

// docs/quickstart.md as a newcomer follows it, part by part. The ports are free ones instead of those that
// the page names, for other tests run beside this one.

const page = readFileSync(join(import.meta.dirname, '../../docs/quickstart.md'), 'utf8')
const PARTS = page.split(/^## /m).slice(1)
const PORTS = ['8787', '9464']

let checkout: ScratchCheckout
let onFreePorts: (text: string) => string

beforeAll(async () => {
  checkout = scratchCheckout()
  const free = [await freePort(), await freePort()]
  onFreePorts = (text) => PORTS.reduce((all, port, index) => all.replaceAll(port, String(free[index])), text)
  checkout.write('config/sandbox.yaml', onFreePorts(checkout.read('config/sandbox.yaml')))
})

afterAll(() => checkout.remove())

/** What the commands of a part printed, and what of them still runs. */
type Followed = {
  last: Ran
  said: string
  readonly env: Record<string, string>
  readonly background: Background[]
}

async function follow(title: string): Promise<Followed> {
  const part = PARTS.find((one) => one.startsWith(title))
  const followed: Followed = { last: { code: 0, out: '', err: '' }, said: '', env: {}, background: [] }
  for (const block of docBlocks(part ?? '')) {
    if (block.words.includes('picture')) continue
    if (block.language === 'text') expect(missingLines(block.text, followed.last.out)).toEqual([])
    else if (!block.words.includes('network')) await followBlock(block, followed)
  }
  return followed
}

async function followBlock(block: DocBlock, followed: Followed): Promise<void> {
  const valueOf = (name: string) =>
    block.words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
  const [until, stays] = [valueOf('until'), valueOf('background')]
  for (const command of commandsOf(block).map(onFreePorts)) {
    const [, name, value = ''] = /^export (\w+)=(\S+)$/.exec(command) ?? []
    if (name !== undefined) followed.env[name] = value
    else if (stays !== undefined)
      followed.background.push(await checkout.start(command, new RegExp(stays), followed.env))
    else {
      followed.last =
        until === undefined
          ? await checkout.run(command, followed.env)
          : await (await checkout.start(command, new RegExp(until), followed.env)).interrupt()
      expect({ command, ...followed.last }).toMatchObject({ code: 0 })
      followed.said += followed.last.out
    }
  }
}

describe.concurrent('the quickstart', { timeout: 120_000 }, () => {
  test('has four parts, and a test for each that needs no network', () => {
    const withCommands = PARTS.filter((part) => docBlocks(part).length > 0)
    expect(withCommands.map((part) => part.slice(0, 2))).toEqual(['1.', '2.', '3.', '4.'])
  })

  test('shows a market, and a summary after Ctrl-C', async () => {
    const { last } = await follow('2.')
    expect(last.out).toContain('Summary')
  })

  test('takes a newcomer through the commands of a daemon, and everything says yes', async () => {
    const { said, background } = await follow('3.')
    const [venue, daemon] = background
    expect(said).toMatch(/^sandbox +(ACTIVE|REDUCING)/m)
    expect(said).toContain('"tradingState":"HALTED"')
    // npx reports the signal in place of the exit code.
    expect((await daemon?.interrupt())?.out).toMatch(/^sandbox: widened .* confirmed/m)
    await venue?.interrupt()
  })

  test('makes backtests that come out as the page shows, and a report', async () => {
    const { said } = await follow('4.')
    expect(said.match(/^edge /gm)).toHaveLength(2)
    expect(existsSync(join(checkout.path, 'report.html'))).toBe(true)
  })
})
