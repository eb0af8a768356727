import { basename } from 'node:path'
import { SourceMap } from 'node:module'
import { err, ok, type Result } from '../../base/result.ts'
import { THROWN_LENGTH, thrownText } from '../../core/strategy/ask-strategy.ts'
import type { StrategyDefinition } from '../../core/strategy/define-strategy.ts'

type Definition = StrategyDefinition<unknown, unknown>

/**
 * The whole language that a strategy has: only what computes. It has no clock or randomness (`Date` and `Math` of a
 * compartment lack them), no code from text, no promises, no `Proxy` between an object and its reader, and no memory
 * outside the thread's bounded heap (`ArrayBuffer`).
 */
const LANGUAGE: readonly string[] = `
  Object Array Number String Boolean BigInt Symbol Math JSON RegExp Date Map Set WeakMap WeakSet Reflect Iterator
  parseFloat parseInt isFinite isNaN encodeURIComponent decodeURIComponent
  Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError`
  .trim()
  .split(/\s+/)

/** As constants before the code: looking up a name in a compartment's scope is a hundred times slower. */
const CAPTURED = `const {${LANGUAGE.join(',')}}=globalThis;`

/** Names that zod can do without. It only uses Promise with `instanceof` and never creates one. */
const ABSENT = ['Promise', 'Proxy', 'Uint8Array']
  .map((name) => `const ${name}=class{constructor(){throw new TypeError('a strategy has no ${name}')}};`)
  .join('')

/** Runs inside the compartment, so that objects of the host's zod and of a strategy's zod never mix. */
const SCHEMA_TEXT = "(z,schema)=>JSON.stringify(z.toJSONSchema(schema,{io:'input',unrepresentable:'any'}))"

type Kit = { readonly z: object }

/** One text of the kit for all compartments of a thread: V8 keeps its 300 KB as long as any code compiled from it lives. */
let kitSource: string | null = null

const schemaTexts = new WeakMap<Definition, () => string>()

/**
 * Evaluates a bundled strategy in a new compartment, on a thread that is locked down. The error describes the problem
 * of the file. A file that loops on loading never returns: probe it first.
 */
export async function evaluateStrategy(
  name: string,
  script: string,
  kitText: string,
): Promise<Result<Definition, string>> {
  await lockDown()
  const compartment = new Compartment({ __options__: true, name, globals: {} })
  kitSource ??= `((Intl,Float64Array)=>{${CAPTURED}${ABSENT}${kitText};return kit})`
  const makeKit = compartment.evaluate(kitSource) as (
    intl: Pick<typeof Intl, 'DateTimeFormat'>,
    floats: typeof Float64Array,
  ) => Kit
  // For the kit's time zone check and its models, which bound their requests; the kit does not pass these on.
  const kit = makeKit({ DateTimeFormat: Intl.DateTimeFormat }, Float64Array)
  const schemaText = compartment.evaluate(`(()=>{${CAPTURED}return ${SCHEMA_TEXT}})()`) as (
    z: object,
    schema: unknown,
  ) => unknown
  keepOnly(compartment.globalThis, [...LANGUAGE, 'globalThis'])
  const [code = '', map = ''] = script.split(INLINE_MAP)
  const url = `mizani-strategy-${++evaluations}`
  const placeOf = (thrown: unknown) => placeIn(thrown, url, map)
  try {
    const run = compartment.evaluate(
      `((kit)=>{${CAPTURED}\n${code}\nreturn strategy?.default})\n//# sourceURL=${url}`,
    ) as (kit: Kit) => unknown
    const exported = definitionIn(run(kit))
    if (!exported.ok) return exported
    const definition = withPlaces(exported.value, placeOf)
    schemaTexts.set(definition, () => String(schemaText(kit.z, definition.params)))
    return ok(definition)
  } catch (thrown) {
    return err(`its file cannot be loaded: ${whatIsWrong(thrown)}${placeOf(thrown) ?? ''}; repair the file`)
  }
}

/** The line that esbuild writes before the source map of a script. */
const INLINE_MAP = '//# sourceMappingURL=data:application/json;base64,'
/** Gives each evaluated text a unique name in stacks. */
let evaluations = 0

/** Returns the same strategy with file and line in its errors. Errors of a wrapped strategy keep the inner place. */
function withPlaces(definition: Definition, placeOf: (thrown: unknown) => string | null): Definition {
  const { init, inner, quote } = definition
  const placing = <A extends unknown[], R>(call: (...args: A) => R) =>
    function placedCall(...args: A): R {
      try {
        return Reflect.apply(call, definition, args)
      } catch (thrown) {
        const place = placedErrors.has(thrown as object) ? null : placeOf(thrown)
        if (place === null) throw thrown
        const error = new Error(thrownText(thrown).slice(0, THROWN_LENGTH - place.length) + place)
        placedErrors.add(error)
        throw error
      }
    }
  const parts = { ...definition, init: placing(init), quote: placing(quote) }
  return Object.freeze(inner === undefined ? parts : { ...parts, inner: placing(inner) })
}

const placedErrors = new WeakSet<object>()

/** Returns the first place of the stack in the strategy's own sources, such as ' (mine.ts, line 12)'; null = none. */
function placeIn(thrown: unknown, url: string, map: string): string | null {
  try {
    const stack = thrown instanceof Error ? String(thrown.stack).slice(0, MOST_STACK) : ''
    const sources = new SourceMap(JSON.parse(Buffer.from(map, 'base64').toString()) as never)
    for (const [, line, column] of stack.matchAll(new RegExp(`${url}:(\\d+):(\\d+)`, 'g'))) {
      // The script begins on the second line of its text.
      const entry = sources.findEntry(Number(line) - 2, Number(column) - 1)
      if ('originalSource' in entry && entry.originalSource.startsWith('strategy:'))
        return ` (${basename(entry.originalSource)}, line ${entry.originalLine + 1})`
    }
    return null
  } catch {
    // The error's getters are strategy code.
    return null
  }
}

const MOST_STACK = 10_000

/** Returns the JSON Schema of a confined strategy's parameters as text. Throws whatever the strategy's schema throws. */
export function schemaTextOf(definition: Definition): string | null {
  return schemaTexts.get(definition)?.() ?? null
}

/** Stores the schema text of a strategy that is evaluated in another process, which sent it. */
export function rememberSchemaText(definition: Definition, text: string): void {
  schemaTexts.set(definition, () => text)
}

function keepOnly(globals: object, names: readonly string[]): void {
  for (const key of Reflect.ownKeys(globals)) {
    if (!names.includes(String(key))) Reflect.deleteProperty(globals, key)
  }
}

/** Returns a frozen object with values instead of getters, so that later calls use exactly the checked functions. */
function definitionIn(exported: unknown): Result<Definition, string> {
  const parts: Partial<Record<string, unknown>> = {}
  if (typeof exported === 'object' && exported !== null) {
    Object.freeze(exported)
    for (const key of ['name', 'params', 'init', 'inner', 'quote'])
      parts[key] = Object.getOwnPropertyDescriptor(exported, key)?.value
  }
  const { name, params, init, inner, quote } = parts
  const complete =
    typeof name === 'string' &&
    typeof init === 'function' &&
    typeof quote === 'function' &&
    (inner === undefined || typeof inner === 'function') &&
    typeof (params as Partial<Definition['params']> | undefined)?.safeParse === 'function'
  if (complete) return ok(exported as Definition)
  return err(
    "its file has no strategy as default export; use 'export default defineStrategy({ name, params, init, quote })'",
  )
}

function whatIsWrong(thrown: unknown): string {
  const text = thrownText(thrown).split('\n')[0] ?? ''
  if (text.includes('SES_IMPORT_REJECTED'))
    return 'it has import(...), in code or in a text, and a strategy imports nothing while it runs'
  if (text.includes('SES_EVAL_REJECTED'))
    return 'it has eval(...), in code or in a text, and a strategy has no code but its file'
  return thrown instanceof Error ? `${nameOf(thrown)}: ${text}` : text
}

/** A thrown object belongs to the strategy, including its getters. */
export function nameOf(thrown: Error): string {
  try {
    const name: unknown = thrown.name
    return String(name)
  } catch {
    return 'Error'
  }
}

/// <reference types="ses" />

let locked: Promise<void> | null = null

/**
 * Freezes the language of this thread: from now on no code can change Array, Object or Promise. A thread that runs a
 * strategy does this first. Idempotent. Modules that define a frozen name while loading must be loaded before:
 * decimal.js, which all money code imports, and viem.
 */
export function lockDown(): Promise<void> {
  locked ??= lock()
  return locked
}

/**
 * Globals that Node creates on first access from a fetch client of 750 KB. Once locked down, each function made from
 * text looks at all globals, and zod makes one such function per schema: 25 ms and 8 MB per thread for globals that
 * nothing here uses.
 */
const MADE_ON_SIGHT: readonly string[] =
  'CloseEvent EventSource FormData Headers MessageEvent Request Response WebSocket'.split(' ')

async function lock(): Promise<void> {
  // decimal.js assigns `constructor` to its prototype, which a locked realm refuses, so it is loaded before any later import.
  await Promise.all([import('ses'), import('decimal.js')])
  for (const name of MADE_ON_SIGHT) Reflect.deleteProperty(globalThis, name)
  // The last way to a promise without `Promise` and `async`. Without it, no strategy code runs later.
  Reflect.deleteProperty(Array, 'fromAsync')
  lockdown({
    // Keeps the stacks of our own errors in logs; a strategy sees a stack only as text.
    errorTaming: 'unsafe',
    stackFiltering: 'verbose',
    consoleTaming: 'unsafe',
    // Reports group digits with toLocaleString.
    localeTaming: 'unsafe',
    domainTaming: 'unsafe',
    // Lets packages define toString on their classes although Object's is frozen. 'severe' would cover every name but
    // turns all methods into getters, which triples the cost of a call to a strategy.
    overrideTaming: 'moderate',
    // Node's handling of rejections and exceptions remains in place.
    errorTrapping: 'none',
    unhandledRejectionTrapping: 'none',
    reporting: 'none',
  })
}
