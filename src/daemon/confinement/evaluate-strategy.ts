import { basename } from 'node:path'
import { SourceMap } from 'node:module'
import { err, ok, type Result } from '../../base/result.ts'
import { THROWN_LENGTH, thrownText } from '../../core/strategy/ask-strategy.ts'
import type { StrategyDefinition } from '../../core/strategy/define-strategy.ts'
import { kitScript } from './kit-script.ts'

type Definition = StrategyDefinition<unknown, unknown>

/**
 * The whole language that a strategy has: what computes. Neither clock nor chance (`Date` and `Math` of a
 * compartment have none), no code from text, no promises, nothing that stands between an object and who reads it
 * (`Proxy`), and no memory outside of the thread's bounded heap (`ArrayBuffer`).
 */
const LANGUAGE: readonly string[] = `
  Object Array Number String Boolean BigInt Symbol Math JSON RegExp Date Map Set WeakMap WeakSet Reflect Iterator
  parseFloat parseInt isFinite isNaN encodeURIComponent decodeURIComponent
  Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError`
  .trim()
  .split(/\s+/)

/** As constants in front of the code: a name that is looked up in a compartment's scope costs a hundred times more. */
const CAPTURED = `const {${LANGUAGE.join(',')}}=globalThis;`

/** zod names what it can do without. A Promise is asked for by `instanceof` and never made. */
const ABSENT = ['Promise', 'Proxy', 'Uint8Array']
  .map((name) => `const ${name}=class{constructor(){throw new TypeError('a strategy has no ${name}')}};`)
  .join('')

/** Runs inside the compartment, so that no object of the host's zod meets one of a strategy's. */
const SCHEMA_TEXT = "(z,schema)=>JSON.stringify(z.toJSONSchema(schema,{io:'input',unrepresentable:'any'}))"

type Kit = { readonly z: object }

/** One text of the kit for all compartments of a thread: V8 keeps the text, 300 KB, as long as code of it lives. */
let kitSource: string | null = null

const schemaTexts = new WeakMap<Definition, () => string>()

/**
 * Evaluates a bundled strategy in a compartment of its own, on a thread that is locked down. The error describes the
 * problem of the file. A file that loops while it is loaded never returns: probe it first.
 */
export async function evaluateStrategy(name: string, script: string): Promise<Result<Definition, string>> {
  const kitText = await kitScript()
  await lockDown()
  const compartment = new Compartment({ __options__: true, name, globals: {} })
  kitSource ??= `((Intl,Float64Array)=>{${CAPTURED}${ABSENT}${kitText};return kit})`
  const makeKit = compartment.evaluate(kitSource) as (
    intl: Pick<typeof Intl, 'DateTimeFormat'>,
    floats: typeof Float64Array,
  ) => Kit
  // For the kit's own check of a time zone and for its models, which bound what they ask for; it passes neither on.
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

/** What esbuild writes before the map of a script. */
const INLINE_MAP = '//# sourceMappingURL=data:application/json;base64,'
/** Each evaluated text has a name of its own in stacks. */
let evaluations = 0

/** The same strategy, whose errors name file and line. Those of a strategy that it wraps keep the inner place. */
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

/** Returns the first place in the strategy's own sources that the stack has, such as ' (mine.ts, line 12)'; null = none. */
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
    // The getters of its error are the strategy's own code.
    return null
  }
}

const MOST_STACK = 10_000

/** The JSON Schema of a confined strategy's parameters, as text. May throw what the strategy's schema throws. */
export function schemaTextOf(definition: Definition): string | null {
  return schemaTexts.get(definition)?.() ?? null
}

/** A strategy that is evaluated in another process: the schema's text came with it. */
export function rememberSchemaText(definition: Definition, text: string): void {
  schemaTexts.set(definition, () => text)
}

function keepOnly(globals: object, names: readonly string[]): void {
  for (const key of Reflect.ownKeys(globals)) {
    if (!names.includes(String(key))) Reflect.deleteProperty(globals, key)
  }
}

/** A frozen object whose parts are values, not getters: what is checked here is what is called later. */
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

/** What is thrown is the strategy's own, getters included. */
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
 * strategy does this first. Idempotent.
 *
 * Modules that take a frozen name for their own as they load have to be loaded before: of ours decimal.js, which
 * everything that counts money imports, and viem.
 */
function lockDown(): Promise<void> {
  locked ??= lock()
  return locked
}

/**
 * Globals that Node makes when someone first looks at them, out of a fetch client of 750 KB. From now on each function
 * that is made from text looks at all globals, and zod makes one a schema: 25 ms and 8 MB a thread for what no one here uses.
 */
const MADE_ON_SIGHT: readonly string[] =
  'CloseEvent EventSource FormData Headers MessageEvent Request Response WebSocket'.split(' ')

async function lock(): Promise<void> {
  // decimal.js assigns `constructor` to its prototype, which a locked realm refuses: it is loaded before, for later imports.
  await Promise.all([import('ses'), import('decimal.js')])
  for (const name of MADE_ON_SIGHT) Reflect.deleteProperty(globalThis, name)
  // The one door to promises that needs no `Promise` and no `async`: without it, nothing of a strategy runs later.
  Reflect.deleteProperty(Array, 'fromAsync')
  lockdown({
    // What our own errors show in a log stays as it is; a strategy sees text of the stack, and no more than text.
    errorTaming: 'unsafe',
    stackFiltering: 'verbose',
    consoleTaming: 'unsafe',
    // Reports group digits with toLocaleString.
    localeTaming: 'unsafe',
    domainTaming: 'unsafe',
    // Packages may give their own classes a toString though Object's is frozen. 'severe' would cover every name, and
    // makes getters of all methods: a question to a strategy then costs three times as much.
    overrideTaming: 'moderate',
    // Our own way with rejections and exceptions is Node's.
    errorTrapping: 'none',
    unhandledRejectionTrapping: 'none',
    reporting: 'none',
  })
}
