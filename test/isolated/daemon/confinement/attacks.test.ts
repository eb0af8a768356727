import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z as hostZod } from 'zod'
import { loadStrategy } from '../../../../src/daemon/config/strategy/load-strategy.ts'
import { neutralContext } from '../../../../src/daemon/config/strategy/try-strategy.ts'
import { createStrategyProber, probeStrategy } from '../../../../src/daemon/config/strategy/probe-strategy.ts'
import { askStrategy } from '../../../../src/core/strategy/ask-strategy.ts'
import { freshMemory } from '../../../../src/core/strategy/memory.ts'
import { folderWith } from '../../../unit/daemon/config/config-fixture.ts'

// A strategy is code of someone else beside a key that moves money. Each attack here worked while a strategy was an
// ordinary module, and is tried twice: on this thread, and in the worker in which a new file is tried.

const KEY = 'mm_live_key_that_a_strategy_must_not_see'
process.env['MIZANI_TEST_ATTACKED_KEY'] = KEY
afterAll(() => delete process.env['MIZANI_TEST_ATTACKED_KEY'])

const PROBE_MS = 20_000
/** One thread for all, as strategies of a fleet are tried. */
const prober = createStrategyProber(PROBE_MS)
afterAll(() => prober.close())

function fileOf(quote: string, top = ''): string {
  return `import { defineStrategy, z } from '#kit'
${top}
const got = (name, work) => { try { return name + ': ' + String(work()) } catch (error) { return name + ' threw ' + String(error).slice(0, 24) } }
export default defineStrategy({
  name: 'hostile',
  params: z.strictObject({}),
  init: () => ({}),
  quote(context, state) { ${quote} },
})
`
}

/** What the strategy says in its reasons, or why there is no answer: here, and in a worker. */
async function attempts(quote: string, top = ''): Promise<readonly [here: string, apart: string]> {
  const folder = folderWith({ 'hostile.js': fileOf(quote, top) })
  const options = { folder, baseFolder: folder }
  const loaded = await loadStrategy({ use: './hostile.js', params: {} }, options)
  let here = ''
  if (!loaded.ok) here = loaded.error[0]?.message ?? ''
  else {
    const { strategy } = loaded.value
    const answer = askStrategy(strategy, freshMemory(strategy), neutralContext())
    here = answer.ok ? answer.value.reasons.join('\n') : answer.error
  }
  writeFileSync(
    join(folder, 'hostile.js'),
    fileOf(`const said = (() => { ${quote} })(); throw new Error(said.reasons.join('\\n'))`, top),
  )
  const probed = await prober.probe({ use: './hostile.js', params: {} }, options, true)
  return [here, probed.ok ? 'passed' : (probed.error[0]?.message ?? '')]
}

const say = (...work: readonly string[]) =>
  `return { bidBps: 60, askBps: 60, reasons: [${work.map((one, index) => `got(${index}, () => ${one})`).join(', ')}] }`

describe('a strategy file is refused', () => {
  test.each([
    ['reads the key from /proc', "import { readFileSync } from 'node:fs'", 'node:fs'],
    ['opens another database', "import { DatabaseSync } from 'node:sqlite'", 'node:sqlite'],
    [
      'starts a worker with flags of its own',
      "import { Worker } from 'node:worker_threads'",
      'node:worker_threads',
    ],
    ['starts a program', "import { execFileSync } from 'node:child_process'", 'node:child_process'],
    ['opens a connection', "import { connect } from 'node:net'", 'node:net'],
    ['asks for the process', "import process from 'process'", 'process'],
    ['takes a package of ours', "import { Agent } from 'undici'", 'undici'],
    ['takes a file by its address', "import 'file:///etc/passwd'", 'file:///etc/passwd'],
    ['requires a module beside its imports', "const fs = require('node:fs')", 'node:fs'],
    ['imports a module while it runs', "const later = () => import('node:fs')", 'node:fs'],
  ])('when it %s', async (_attack, top, named) => {
    for (const said of await attempts(say('1'), top)) {
      expect(said).toContain(`it imports '${named}'`)
      expect(said).toContain('repair the file')
    }
  })

  test('when it imports what only a variable names', async () => {
    for (const said of await attempts(say('import(String(context.mid))')))
      expect(said).toContain('it has import(...), ')
  })

  test('when it evaluates text', async () => {
    for (const said of await attempts(say("eval('process')"))) expect(said).toContain('it has eval(...), ')
  })

  test('once it asks for a module that only a variable names', async () => {
    for (const said of await attempts(say('require(String(context.mid))')))
      expect(said).toContain('0 threw Error: Dynamic require')
  })

  test('when a file beside it imports more than it may', async () => {
    const folder = folderWith({
      'hostile.js': fileOf(say('1'), "import './part.js'"),
      'part.js': "import { readFileSync } from 'node:fs'\n",
    })
    const options = { folder, baseFolder: folder }
    const loaded = await loadStrategy({ use: './hostile.js', params: {} }, options)
    expect(loaded.ok ? 'loaded' : loaded.error[0]?.message).toMatch(
      /it imports 'node:fs'; .*'#kit' .* \(part\.js, line 1/,
    )
  })

  test('when it takes a name that the kit does not have', async () => {
    for (const said of await attempts(say('1'), "import { readKey } from '#kit'\nconst key = readKey")) {
      expect(said).toMatch(/"kit:#kit" for import "readKey"/)
    }
  })
})

describe('inside a strategy there is', () => {
  test.each([
    ['no process', ['typeof process', 'typeof globalThis.process', 'typeof global', 'typeof module']],
    [
      'no way to a built-in module',
      ["process.getBuiltinModule('node:fs').readFileSync('/proc/self/environ')"],
    ],
    [
      'no way to end or kill the process',
      ['process.kill(process.pid)', 'process.exit(1)', 'process.abort()'],
    ],
    [
      'no network',
      ['typeof fetch', 'typeof WebSocket', 'typeof EventSource', 'typeof XMLHttpRequest', 'typeof navigator'],
    ],
    ['no worker and no channel', ['typeof Worker', 'typeof MessageChannel', 'typeof BroadcastChannel']],
    ['no timer', ['typeof setTimeout', 'typeof setImmediate', 'typeof queueMicrotask', 'typeof scheduler']],
    ['no shared memory', ['typeof SharedArrayBuffer', 'typeof Atomics', 'typeof WebAssembly']],
    ['no memory outside of the heap', ['typeof ArrayBuffer', 'typeof Uint8Array', 'typeof TextEncoder']],
    [
      'nothing that hides behind an object',
      ['typeof Proxy', 'typeof WeakRef', 'typeof FinalizationRegistry'],
    ],
    ['no compartment of its own', ['typeof Compartment', 'typeof lockdown', 'typeof harden']],
    ['no console', ['typeof console', 'typeof Intl', 'typeof performance', 'typeof structuredClone']],
  ])('%s', async (_what, work) => {
    for (const said of await attempts(say(...work))) {
      expect(said).not.toContain(KEY)
      expect(said.match(/\d(: undefined| threw TypeError: Cannot read)/g)).toHaveLength(work.length)
    }
  })

  test('no clock and no chance', async () => {
    for (const said of await attempts(say('Date.now()', 'new Date()', 'Date()', 'Math.random()'))) {
      expect(said.match(/threw TypeError: secure mode/g)).toHaveLength(4)
    }
  })

  test('no code from text', async () => {
    const escapes = [
      "new Function('return process')()",
      "({}).constructor.constructor('return process')()",
      "(() => 1).constructor('return process')()",
      "(function* () {}).constructor('return process')()",
      "Reflect.getPrototypeOf(async () => 1).constructor('return process')()",
      "context.inWindow.constructor('return process')()",
      "context.random.constructor.constructor('return process')()",
      "[].filter.constructor('return process')()",
      "Error.constructor('return process')()",
      "z.string.constructor('return process')()",
      "Object.getPrototypeOf(Object.getPrototypeOf([].values())).constructor.constructor('return process')()",
    ]
    for (const said of await attempts(say(...escapes))) {
      expect(said.match(/ threw /g)).toHaveLength(escapes.length)
      expect(said).not.toContain(KEY)
      expect(said).not.toContain('[object process]')
    }
  })

  test('no later: neither a promise nor an async function runs anything after the call', async () => {
    const doors = [
      'typeof Promise',
      'typeof Array.fromAsync',
      'z.string().parseAsync("1")',
      '(async () => 1)()',
      '(async function* () { yield 1 })().next()',
      'z.promise(z.string())',
    ]
    const [here, apart] = await attempts(say(...doors))
    for (const said of [here, apart]) {
      expect(said).toMatch(/0: undefined\n1: undefined\n2 threw TypeError[^\n]*\n3 threw TypeError/)
      expect(said).not.toContain('[object Promise]')
    }
  })
})

describe('A strategy reaches nothing but its arguments', () => {
  test('risk is not switched off by a patch of Array.prototype', async () => {
    const shared = () =>
      [Array.prototype, Map.prototype, Object.prototype, JSON, Math].map((one) =>
        Object.values(Object.getOwnPropertyDescriptors(one)).map(
          ({ value }: PropertyDescriptor): unknown => value,
        ),
      )
    const before = shared()
    const patches = [
      'Array.prototype.find = () => undefined',
      'Array.prototype.some = () => false',
      "Object.defineProperty(Array.prototype, 'push', { value: () => 0 })",
      'Map.prototype.get = () => undefined',
      "Object.prototype.polluted = 'yes'",
      "Object.setPrototypeOf(Array.prototype, { polluted: 'yes' })",
      'JSON.stringify = () => "{}"',
      'Math.max = () => 0',
      'Number.isFinite = () => true',
      'Object.freeze = (value) => value',
      "Function.prototype.call = () => 'called'",
      "BigInt.prototype.toString = () => '0'",
      "context.constructor.prototype.polluted = 'yes'",
      "context.inWindow.__proto__.polluted = 'yes'",
      "({}).__proto__.__defineGetter__('polluted', () => 'yes')",
    ]
    for (const said of await attempts(say(...patches))) {
      expect(said.match(/ threw TypeError/g)).toHaveLength(patches.length)
    }
    expect(shared()).toEqual(before)
    expect([1, 2].find((one) => one === 2)).toBe(2)
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
    expect(JSON.stringify({ a: 1 })).toBe('{"a":1}')
  })

  test('z.config, the registry and the globals of a zod are those of the strategy alone', async () => {
    await attempts(
      say(
        "z.config({ customError: () => 'owned', jitless: true }).jitless",
        "z.globalRegistry.add(z.string(), { id: 'owned' }) && 'added'",
        "globalThis.__zod_globalConfig = { customError: () => 'owned' }",
      ),
      "z.ZodString.prototype && (z.ZodString.prototype.owned = true)\nz.config({ customError: () => 'owned' })",
    )
    const failed = hostZod.string().safeParse(1)
    expect(failed.error?.issues[0]?.message).toContain('expected string, received number')
    expect(hostZod.config().customError).toBeUndefined()
    expect(hostZod.config().jitless).toBeFalsy()
    expect(JSON.stringify(hostZod.toJSONSchema(hostZod.string()))).not.toContain('owned')
  })

  test('two strategies share neither globals nor a kit', async () => {
    await attempts(say('(globalThis.left = "for another one")'), "z.left = 'here'; globalThis.top = 'too'")
    const [here, apart] = await attempts(
      say('typeof globalThis.left', 'typeof globalThis.top', 'typeof z.left'),
    )
    expect(here.match(/: undefined/g)).toHaveLength(3)
    expect(apart.match(/: undefined/g)).toHaveLength(3)
    expect((globalThis as { left?: string }).left).toBeUndefined()
  })

  test('a stack is text: a strategy sees no frame, no function and no object of ours', async () => {
    const before = (Error as { prepareStackTrace?: unknown }).prepareStackTrace
    const frames = [
      '(Error.prepareStackTrace = (_, all) => all, typeof new Error("x").stack)',
      '(() => { try { context.inWindow(1) } catch (error) { return typeof error.stack } })()',
      '(() => { const bag = {}; Error.captureStackTrace?.(bag); return typeof bag.stack })()',
      '(() => { try { null.x } catch (error) { return typeof error.stack } })()',
    ]
    for (const said of await attempts(say(...frames))) {
      expect(said.match(/: (string|undefined)/g)?.length).toBeGreaterThanOrEqual(frames.length)
      expect(said).not.toContain(': object')
    }
    expect((Error as { prepareStackTrace?: unknown }).prepareStackTrace).toBe(before)
    expect(typeof new Error('ours').stack).toBe('string')
  })

  test('the parameters that are journalled are a frozen copy of what its schema returns', async () => {
    const folder = folderWith({
      'hostile.js': `import { defineStrategy, z } from '#kit'
let kept
export default defineStrategy({
  name: 'hostile',
  params: z.strictObject({ a: z.number() }).transform((all) => (kept = { ...all, list: [1] })),
  init: () => ({}),
  quote: (_context, _state, params) => {
    kept.a = 99
    kept.list.push(2)
    params.a = 3
    return { bidBps: 60, askBps: 60, reasons: [] }
  },
})
`,
    })
    const loaded = await loadStrategy(
      { use: './hostile.js', params: { a: 1 } },
      { folder, baseFolder: folder },
    )
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
    const { strategy } = loaded.value
    const answer = askStrategy(strategy, freshMemory(strategy), neutralContext())
    expect(answer.ok ? 'answered' : answer.error).toMatch(/read only property/)
    expect(strategy.params).toEqual({ a: 1, list: [1] })
  })

  test('what was checked of an order is what is signed: a getter is read once', async () => {
    const folder = folderWith({
      'hostile.js': fileOf(
        `let reads = 0
        const order = { side: 'bid', stable: 'USDC', usd: 10, get tzsPerUsd() { return reads++ === 0 ? 2500 : 1 } }
        return { bidBps: 60, askBps: 60, reasons: ['one'], orders: [order] }`,
      ),
    })
    const loaded = await loadStrategy({ use: './hostile.js', params: {} }, { folder, baseFolder: folder })
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
    const { strategy } = loaded.value
    const answer = askStrategy(strategy, freshMemory(strategy), neutralContext())
    const [order] = (answer.ok && answer.value.orders) || []
    expect([order?.tzsPerUsd, order?.tzsPerUsd, JSON.stringify(order)]).toEqual([
      2500,
      2500,
      '{"side":"bid","stable":"USDC","usd":10,"tzsPerUsd":2500}',
    ])
  })
})

test('a file that loops as it is loaded costs the thread of its trial and nothing else', async () => {
  const folder = folderWith({ 'hostile.js': fileOf(say('1'), 'for (;;);') })
  const probed = await probeStrategy(
    { use: './hostile.js', params: {} },
    { folder, baseFolder: folder },
    1_500,
  )
  expect(probed.ok ? 'passed' : probed.error[0]?.message).toContain('within 1500 ms')
})

test('a file that fills the memory bit by bit costs the thread of its trial and nothing else', async () => {
  const folder = folderWith({
    'hostile.js': fileOf(say('1'), 'const all = []; for (;;) all.push({ n: all.length })'),
  })
  const probed = await probeStrategy(
    { use: './hostile.js', params: {} },
    { folder, baseFolder: folder },
    PROBE_MS,
  )
  expect(probed.ok ? 'passed' : probed.error[0]?.message).toMatch(/memory|no answer|ended/)
})
