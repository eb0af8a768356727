import { readSync, writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { frozenCopy } from '../base/frozen.ts'
import { thrownText } from '../strategy/ask-strategy.ts'
import type { StrategyDefinition } from '../strategy/define-strategy.ts'
import { unkeptText } from '../strategy/memory.ts'
import { contextOverWire, type WireContext } from './context-over-wire.ts'
import { evaluateStrategy, nameOf, schemaTextOf } from './evaluate-strategy.ts'
import {
  type EvaluatedStrategy,
  FrameReader,
  frameOf,
  type FromStrategy,
  type Outcome,
  type QuotedStrategy,
  type StrategyQuestion,
  type StrategyRequest,
  type ToStrategy,
} from './strategy-wire.ts'

// A process that evaluates strategies and does nothing else: it has no environment, and of descriptors only the pipe to the
// daemon. It reads and writes synchronously, so that nothing of it runs between two requests.

const PIPE = 3
/** Longer than the daemon waits: it ends a process that a dead daemon, or a dead thread of one, left in a loop. */
const LONGEST_CALL_MS = 15_000

/** The number of the request that is being answered; 0 = none. */
const busy = new Int32Array(new SharedArrayBuffer(4))
const WATCHDOG = `
const { workerData: busy } = require('node:worker_threads')
let [seen, since] = [0, 0]
setInterval(() => {
  const now = Atomics.load(busy, 0)
  if (now !== seen) [seen, since] = [now, performance.now()]
  if (now !== 0 && performance.now() - since > ${LONGEST_CALL_MS}) process.kill(process.pid, 'SIGKILL')
}, 500)`
const TINY = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, codeRangeSizeMb: 1, stackSizeMb: 1 }

type Definition = StrategyDefinition<unknown, unknown>
type Evaluated = { readonly definition: Definition; readonly context: WireContext }

const evaluated = new Map<string, Evaluated>()
const reader = new FrameReader()
const chunk = Buffer.allocUnsafe(65_536)

/** The next message of the daemon. The process ends where the daemon has. */
function receive(): ToStrategy {
  for (;;) {
    const message = reader.next()
    if (message !== null) return message as ToStrategy
    const count = readSync(PIPE, chunk, 0, chunk.length, null)
    if (count === 0) process.exit(0)
    reader.add(chunk.subarray(0, count))
  }
}

function send(message: FromStrategy): void {
  const frame = frameOf(message)
  for (let sent = 0; sent < frame.length;) sent += writeSync(PIPE, frame, sent)
}

/** Asks the daemon while a quote is being made. It may ask for a wrapped strategy's quote before it replies. */
function ask(id: number, question: StrategyQuestion): unknown {
  send({ id, question })
  Atomics.store(busy, 0, 0)
  for (;;) {
    const message = receive()
    Atomics.store(busy, 0, id)
    if ('request' in message) {
      answerNow(message.id, message.request)
      continue
    }
    const { reply } = message
    if ('value' in reply) return reply.value
    throw Object.assign(new Error(reply.threw.text), { name: reply.threw.name })
  }
}

function outcomeOf(work: () => unknown): Outcome {
  try {
    return { value: work() }
  } catch (thrown) {
    return { threw: { name: thrown instanceof Error ? nameOf(thrown) : '', text: thrownText(thrown) } }
  }
}

function answerNow(id: number, request: StrategyRequest): void {
  const answer = outcomeOf(() => valueOf(id, request))
  try {
    send({ id, answer })
  } catch (thrown) {
    const text = `it answers what is no plain data: ${thrownText(thrown)}`
    send({ id, answer: { threw: { name: 'TypeError', text } } })
  }
}

function valueOf(id: number, request: StrategyRequest): unknown {
  const known = evaluated.get(request.id)
  if (known === undefined || request.do === 'evaluate') throw new Error('the file was not evaluated')
  const { definition } = known
  if (request.do === 'parse') {
    const { success, data, error } = definition.params.safeParse(frozenCopy(request.params))
    return success
      ? { success, data }
      : { success, error: { issues: JSON.parse(JSON.stringify(error.issues)) as unknown } }
  }
  const params = frozenCopy(request.params)
  if (request.do === 'quote') return quoteOf(id, known, request, params)
  return request.do === 'inner' ? definition.inner?.(params) : kept(definition.init(params))
}

function quoteOf(
  id: number,
  { definition, context }: Evaluated,
  request: Extract<StrategyRequest, { do: 'quote' }>,
  params: unknown,
): QuotedStrategy {
  const memory: unknown = deserialize(request.memory)
  const view = context.begin(request.context, (question) => ask(id, question))
  let read: readonly string[] = []
  let quote: unknown
  try {
    const inner = Object.fromEntries(request.inner.map((label) => [label, context.innerOf(label)]))
    quote = definition.quote(view, memory, params, inner)
  } finally {
    read = context.end()
  }
  const hasChanged = !serialize(kept(memory)).equals(request.memory)
  return { quote, memory: hasChanged ? memory : null, hasChanged, read }
}

/** A memory that comes back from the journal as it is. */
function kept(memory: unknown): unknown {
  const unkept = unkeptText(memory)
  if (unkept !== null) throw new TypeError(unkept)
  return memory
}

async function evaluate(
  id: number,
  { id: key, name, script }: Extract<StrategyRequest, { do: 'evaluate' }>,
): Promise<void> {
  const result = await evaluateStrategy(name, script)
  if (!result.ok) return send({ id, answer: { threw: { name: '', text: result.error } } })
  const definition = result.value
  evaluated.set(key, { definition, context: contextOverWire() })
  const value: EvaluatedStrategy = {
    name: definition.name,
    hasInner: definition.inner !== undefined,
    schema: skeletonOf(definition.params, 0),
    schemaText: outcomeText(() => schemaTextOf(definition)),
  }
  send({ id, answer: { value } })
}

function outcomeText(work: () => string | null): string | null {
  const outcome = outcomeOf(work)
  return 'value' in outcome && typeof outcome.value === 'string' ? outcome.value : null
}

const MAX_SCHEMA_DEPTH = 12

/** Of a zod schema what names the keys that it knows. What is no schema has none. */
function skeletonOf(schema: unknown, depth: number): object {
  const def = (schema as { _zod?: { def?: Record<string, unknown> } } | null)?._zod?.def
  if (def === undefined || depth > MAX_SCHEMA_DEPTH) return {}
  const parts: Record<string, unknown> = {}
  for (const part of ['innerType', 'in', 'element', 'valueType'])
    if (def[part] !== undefined) parts[part] = skeletonOf(def[part], depth + 1)
  const shape = Object.entries(def['shape'] ?? {})
  if (def['shape'] !== undefined)
    parts['shape'] = Object.fromEntries(shape.map(([key, inner]) => [key, skeletonOf(inner, depth + 1)]))
  return { _zod: { def: parts } }
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
  const { id, request } = message
  Atomics.store(busy, 0, id)
  if (request.do === 'evaluate') await evaluate(id, request)
  else answerNow(id, request)
  Atomics.store(busy, 0, 0)
}
