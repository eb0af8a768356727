import { readSync, writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { deepFreeze, frozenCopy } from '../../base/frozen.ts'
import type { Random } from '../../base/random.ts'
import { thrownText } from '../../core/strategy/ask-strategy.ts'
import type { StrategyContext } from '../../core/strategy/context.ts'
import type { StrategyDefinition, StrategyQuote } from '../../core/strategy/define-strategy.ts'
import { unkeptText } from '../../core/strategy/memory.ts'
import { refuseOldNames } from '../../core/strategy/refused-names.ts'
import { evaluateStrategy, nameOf, schemaTextOf } from './evaluate-strategy.ts'
import {
  asThrown,
  CONTEXT_PATHS,
  type EvaluatedStrategy,
  frameOf,
  type FromStrategy,
  type StrategyOutcome,
  type QuotedStrategy,
  readFrame,
  type StrategyQuestion,
  type StrategyRequest,
  type ToStrategy,
} from './strategy-wire.ts'

// A process that only evaluates strategies: it has no environment and no descriptor except the pipe to the daemon. It
// reads and writes synchronously, so none of its code runs between requests.

const PIPE = 3
/** Longer than the daemon waits: ends a process whose daemon's thread died and left it in a loop. One whose daemon died ends within a second. */
const LONGEST_CALL_MS = 15_000
const busy = new Int32Array(new SharedArrayBuffer(4))
const WATCHDOG = `
const { workerData: busy } = require('node:worker_threads')
const parent = process.ppid
let [seen, since] = [0, 0]
setInterval(() => {
  const now = Atomics.load(busy, 0)
  if (now !== seen) [seen, since] = [now, performance.now()]
  const isLate = now !== 0 && performance.now() - since > ${LONGEST_CALL_MS}
  if (isLate || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 500)`
const TINY = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, codeRangeSizeMb: 1, stackSizeMb: 1 }

type Definition = StrategyDefinition<unknown, unknown>
type Evaluated = { readonly definition: Definition; readonly view: StrategyContext; readonly asked: Asked }
/** The question that a strategy is answering: the known parts of its context, and those it has read. Null = no question is open. */
type Asked = { now: { readonly known: Map<string, unknown>; readonly read: Set<string> } | null }

const evaluated = new Map<string, Evaluated>()
let calls = 0

/** Returns the daemon's next message. Ends the process if the daemon has ended. */
function receive(): ToStrategy {
  Atomics.store(busy, 0, 0)
  const message = readFrame((into, from) => {
    const count = readSync(PIPE, into, from, into.length - from, null)
    if (count === 0) process.exit(0)
    return count
  })
  Atomics.store(busy, 0, ++calls)
  return message as ToStrategy
}

function send(message: FromStrategy): void {
  const frame = frameOf(message)
  for (let sent = 0; sent < frame.length;) sent += writeSync(PIPE, frame, sent)
}

/** Asks the daemon while a quote is being computed. The daemon may request a wrapped strategy's quote before it replies. */
function ask(question: StrategyQuestion): unknown {
  send({ question })
  for (;;) {
    const message = receive()
    if ('request' in message) answer(message.request)
    else if ('value' in message.reply) return message.reply.value
    else throw asThrown(message.reply)
  }
}

function outcomeOf(work: () => unknown): StrategyOutcome {
  try {
    return { value: work() }
  } catch (thrown) {
    return { threw: { name: thrown instanceof Error ? nameOf(thrown) : '', text: thrownText(thrown) } }
  }
}

function answer(request: StrategyRequest): void {
  try {
    send({ answer: outcomeOf(() => valueOf(request)) })
  } catch (thrown) {
    const text = `its answer is not plain data: ${thrownText(thrown)}`
    send({ answer: { threw: { name: 'TypeError', text } } })
  }
}

function valueOf(request: StrategyRequest): unknown {
  const known = evaluated.get(request.owner)
  if (known === undefined || request.do === 'evaluate') throw new Error('the file was not evaluated')
  const { definition } = known
  const params = frozenCopy(request.params)
  if (request.do === 'quote') return quoteOf(known, request, params)
  if (request.do === 'init') return kept(definition.init(params))
  if (request.do === 'inner') return definition.inner?.(params)
  const { success, data, error } = definition.params.safeParse(params)
  return success
    ? { success, data }
    : { success, error: { issues: JSON.parse(JSON.stringify(error.issues)) } }
}

function quoteOf(
  { definition, view, asked }: Evaluated,
  { memory: bytes, context, inner: labels }: Extract<StrategyRequest, { do: 'quote' }>,
  params: unknown,
): QuotedStrategy {
  const memory: unknown = deserialize(bytes)
  const read = new Set<string>()
  asked.now = { known: new Map(context), read }
  try {
    const inner = Object.fromEntries(labels.map((label) => [label, innerOf(label, view)]))
    const quote = definition.quote(view, memory, params, inner)
    const hasChanged = !serialize(kept(memory)).equals(bytes)
    return { quote, memory: hasChanged ? memory : null, hasChanged, read: [...read] }
  } finally {
    asked.now = null
  }
}

/** Returns the memory as the journal would restore it. */
function kept(memory: unknown): unknown {
  const unkept = unkeptText(memory)
  if (unkept !== null) throw new TypeError(unkept)
  return memory
}

function innerOf(label: string, view: StrategyContext): (context: StrategyContext) => StrategyQuote {
  return (context) => {
    const { inWindow, random, ...data } = context
    if (inWindow !== view.inWindow || random !== view.random)
      throw new TypeError('a wrapper hands on inWindow and random as it got them')
    return ask({ ask: 'inner', label, context: context === view ? null : data }) as StrategyQuote
  }
}

/** Returns a context whose parts are sent in advance or requested when read. */
function viewOf(asked: Asked): StrategyContext {
  const nowAsked = () => {
    if (asked.now === null) throw new Error('the context is valid only while the strategy is asked')
    return asked.now
  }
  function read(path: string): unknown {
    const { known, read: paths } = nowAsked()
    paths.add(path)
    const value = known.has(path) ? known.get(path) : ask({ ask: 'read', path })
    // A strategy may change what it receives, but reads it unchanged the next time.
    if (typeof value !== 'object' || value === null) known.set(path, value)
    else known.delete(path)
    return path === 'fairShift' ? refuseOldNames('context.fairShift', value as Group) : value
  }
  let streams = 0
  function random(label: string): Random {
    const stream = ++streams
    let drawn: number[] = []
    return () => {
      if (drawn.length === 0)
        drawn = nowAsked() && (ask({ ask: 'random', label: text(label), stream }) as number[]).toReversed()
      return drawn.pop() ?? 0
    }
  }
  const inWindow = (cron: string, timezone: string) =>
    nowAsked() && ask({ ask: 'inWindow', cron: text(cron), timezone: text(timezone) })
  const view: Group = {}
  const sides: Record<string, Group> = { bid: {}, ask: {} }
  const best = (side: string) => (read(`competition.${side}`) === true ? sides[side] : null)
  for (const path of CONTEXT_PATHS) {
    const [name = '', member, part] = path.split('.')
    const get = () => read(path)
    if (member === undefined) define(view, name, get)
    else if (name !== 'competition') define((view[name] ??= {}) as Group, member, get)
    else if (part !== undefined) define(sides[member] ?? {}, part, get)
    else if (member === 'bid') define(view, name, () => ({ bid: best('bid'), ask: best('ask') }))
  }
  Object.assign(view, { inWindow, random })
  deepFreeze(sides)
  refuseOldNames('context.inventory', view['inventory'] as Group)
  return deepFreeze(refuseOldNames('context', view)) as StrategyContext
}

type Group = Record<string, unknown>

function define(on: Group, name: string, get: () => unknown): void {
  Object.defineProperty(on, name, { get, enumerable: true })
}

/** A strategy in plain JavaScript may return any value. */
function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('inWindow and random take text')
  return value
}

async function evaluate({
  owner,
  name,
  script,
  kit,
}: Extract<StrategyRequest, { do: 'evaluate' }>): Promise<void> {
  const result = await evaluateStrategy(name, script, kit)
  if (!result.ok) return send({ answer: { threw: { name: '', text: result.error } } })
  const definition = result.value
  const asked: Asked = { now: null }
  evaluated.set(owner, { definition, view: viewOf(asked), asked })
  const schema = outcomeOf(() => schemaTextOf(definition))
  const value: EvaluatedStrategy = {
    name: definition.name,
    hasInner: definition.inner !== undefined,
    schemaText: 'value' in schema && typeof schema.value === 'string' ? schema.value : null,
  }
  send({ answer: { value } })
}

const watchdog = new Worker(WATCHDOG, {
  eval: true,
  workerData: busy,
  env: {},
  execArgv: [],
  resourceLimits: TINY,
})
watchdog.unref()
for (;;) {
  const message = receive()
  if (!('request' in message)) continue
  if (message.request.do === 'evaluate') await evaluate(message.request)
  else answer(message.request)
}
