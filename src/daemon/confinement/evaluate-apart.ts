import { serialize } from 'node:v8'
import { backoffMs } from '../../base/backoff.ts'
import type { Random } from '../../base/random.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../base/time.ts'
import { StrategyLost } from '../../core/strategy/ask-strategy.ts'
import type { StrategyContext } from '../../core/strategy/context.ts'
import type { StrategyDefinition } from '../../core/strategy/define-strategy.ts'
import { rememberSchemaText } from './evaluate-strategy.ts'
import { kitScript } from './kit-script.ts'
import { ProcessEnded, processCode, StrategyProcess } from './strategy-process.ts'
import {
  asThrown,
  CONTEXT_PATHS,
  type EvaluatedStrategy,
  type StrategyOutcome,
  type QuotedStrategy,
  type StrategyQuestion,
  type StrategyRequest,
} from './strategy-wire.ts'
import { runAfter } from '../../base/threads/timing.ts'

type Definition = StrategyDefinition<unknown, unknown>
type Inner = Parameters<Definition['quote']>[3]

/** A file evaluated for an `owner`. In each thread, files with the same hash share a process. */
type StrategyFile = {
  readonly name: string
  readonly script: string
  readonly hash: string
  readonly owner: string
}

/** A call of a strategy that takes longer counts as a hang. */
const STRATEGY_TIMEOUT_MS: Ms = SECOND_MS
/** Maximum time to evaluate a file, including the start of its process. */
export const LOADING_TIMEOUT_MS: Ms = 10 * SECOND_MS
/** The same limit in the middle of an event, when other positions are waiting. */
const AGAIN_TIMEOUT_MS: Ms = 5 * SECOND_MS
/** A trading strategy is called every quarter of a minute; one that was not called for this long has been replaced. */
const IDLE_MS: Ms = 10 * MINUTE_MS
/** The number of hangs of one file within the window that cost no pause; after that, its next process starts later each time. */
const FREE_HANGS = 2
const HANG_WINDOW_MS: Ms = 10 * MINUTE_MS

/** The state that all evaluations of one file share in this thread. */
type Host = {
  /** The script of the kit, and the file that the process runs. */
  readonly kit: string
  readonly code: string
  process: StrategyProcess | null
  /** The owners for which the process has evaluated the file. */
  readonly owners: Set<string>
  readonly hangs: Ms[]
  readonly idle: NodeJS.Timeout
}

const hosts = new Map<string, Host>()

/**
 * Evaluates a bundled strategy in a process that can be killed, and returns a definition that calls it there. The
 * error describes the problem of the file. The definition's functions throw StrategyLost if the process had to be
 * killed. `meanwhile` runs while the process starts up.
 */
export async function evaluateApart(
  file: StrategyFile,
  withinMs: Ms,
  meanwhile?: () => Promise<void>,
): Promise<Result<Definition, string>> {
  const host = hostOf(file.hash, await kitScript(), await processCode())
  processOf(host)
  await meanwhile?.()
  try {
    const outcome = evaluateIn(host, file, withinMs)
    if ('threw' in outcome) return err(outcome.threw.text)
    return ok(definitionOf(host, file, outcome.value as EvaluatedStrategy))
  } catch (thrown) {
    if (!(thrown instanceof ProcessEnded)) throw thrown
    const what =
      thrown.how === 'late'
        ? `did not answer within ${withinMs} ms`
        : 'ended its process, as one does that fills the memory,'
    return err(
      `${file.name} ${what} while it was loaded; look for a loop or a call without an end at its top`,
    )
  }
}

function hostOf(hash: string, kit: string, code: string): Host {
  const known = hosts.get(hash)
  if (known !== undefined) return known
  const idle = runAfter(() => host.process?.end(), IDLE_MS).unref()
  const host: Host = { kit, code, process: null, owners: new Set(), hangs: [], idle }
  hosts.set(hash, host)
  return host
}

/**
 * Ends the processes of this thread and waits until they are gone. Call it before a thread ends: an ended process that its thread
 * has not collected remains, and counts against the limit of a container.
 */
export async function endProcesses(): Promise<void> {
  const running = [...hosts.values()].flatMap((host) => host.process ?? [])
  for (const process of running) process.end()
  await Promise.all(running.map((process) => process.gone))
}

/** Returns the running process of a file, or a new one that has not evaluated anything. */
function processOf(host: Host): StrategyProcess {
  host.idle.refresh()
  if (host.process?.hasEnded === false) return host.process
  host.owners.clear()
  host.process = new StrategyProcess(host.code)
  return host.process
}

function evaluateIn(host: Host, { owner, name, script }: StrategyFile, withinMs: Ms): StrategyOutcome {
  const request = { do: 'evaluate', owner, name, script, kit: host.kit } as const
  const outcome = processOf(host).ask(request, withinMs, noReply)
  host.owners.add(owner)
  return outcome
}

function noReply(): never {
  throw new Error('the context is valid only while the strategy is asked')
}

function definitionOf(host: Host, file: StrategyFile, evaluated: EvaluatedStrategy): Definition {
  const { owner } = file
  const { name, hasInner, schemaText } = evaluated
  function value(
    request: StrategyRequest,
    reply: (question: StrategyQuestion) => unknown = noReply,
  ): unknown {
    const outcome = ask(host, file, request, reply)
    if ('threw' in outcome) throw asThrown(outcome)
    return outcome.value
  }
  const params = {
    ...skeletonOf(JSON.parse(schemaText ?? '{}') as JsonSchema),
    safeParse: (given: unknown) => value({ do: 'parse', owner, params: given }),
  }
  let ahead: readonly string[] = []
  const definition = {
    name,
    params,
    init: (given: unknown) => value({ do: 'init', owner, params: given }),
    quote(context: StrategyContext, own: unknown, given: unknown, inner: Inner) {
      const known = new Map(ahead.map((path) => [path, readPath(context, path)]))
      const asked = {
        owner,
        params: given,
        memory: serialize(own),
        context: known,
        inner: Object.keys(inner),
      }
      const quoted = value({ do: 'quote', ...asked }, replies(context, inner)) as QuotedStrategy
      ahead = quoted.read.filter((path) => CONTEXT_PATHS.includes(path))
      if (quoted.hasChanged) replaceIn(own, quoted.memory)
      return quoted.quote
    },
    ...(hasInner && { inner: (given: unknown) => value({ do: 'inner', owner, params: given }) }),
    // The caller validates a strategy's answers wherever it runs.
  } as unknown as Definition
  if (schemaText !== null) rememberSchemaText(definition, schemaText)
  return definition
}

type JsonSchema = { readonly properties?: Readonly<Record<string, JsonSchema>> }

/** Returns just enough of a zod schema to name its known keys. */
function skeletonOf({ properties }: JsonSchema): object {
  const shape = Object.entries(properties ?? {}).map(([key, inner]) => [key, skeletonOf(inner)] as const)
  return { _zod: { def: properties === undefined ? {} : { shape: Object.fromEntries(shape) } } }
}

/**
 * Asks once, and again if the process ended unexpectedly: another position with the same file may have filled its
 * memory. After a hang it does not retry.
 */
function ask(
  host: Host,
  file: StrategyFile,
  ...asked: readonly [StrategyRequest, Parameters<StrategyProcess['ask']>[2]]
): StrategyOutcome {
  const [request, reply] = asked
  for (let isFirst = true; ; isFirst = false) {
    const pauseMs = pauseLeft(host.hangs, performance.now())
    const often = `the strategy hung ${host.hangs.length} times within ten minutes (${file.name})`
    if (pauseMs > 0)
      throw new StrategyLost(`${often}: its process starts again in ${Math.ceil(pauseMs / SECOND_MS)} s`)
    try {
      const process = processOf(host)
      if (!host.owners.has(file.owner)) evaluateIn(host, file, AGAIN_TIMEOUT_MS)
      return process.ask(request, STRATEGY_TIMEOUT_MS, reply)
    } catch (thrown) {
      if (!(thrown instanceof ProcessEnded)) throw thrown
      const { how } = thrown
      if (how === 'late') host.hangs.push(performance.now())
      // The next process starts up while the position restarts.
      if (pauseLeft(host.hangs, performance.now()) === 0) processOf(host)
      if (isFirst && how === 'ended') continue
      const what =
        how === 'late' ? `did not answer within ${STRATEGY_TIMEOUT_MS} ms` : 'ended its process twice'
      throw new StrategyLost(
        `the strategy ${what} (${file.name}); look for a loop, a call without an end, or what fills the memory`,
      )
    }
  }
}

/** Returns how long no process of a file may start. Removes entries older than the window from `hangs`. */
export function pauseLeft(hangs: Ms[], now: Ms): Ms {
  while (hangs[0] !== undefined && now - hangs[0] > HANG_WINDOW_MS) hangs.shift()
  const last = hangs.at(-1)
  if (last === undefined || hangs.length <= FREE_HANGS) return 0
  return Math.max(0, last + backoffMs(hangs.length - FREE_HANGS, SECOND_MS, MINUTE_MS) - now)
}

/** The number of random numbers sent in advance. */
const DRAWN_AT_ONCE = 32

/** Replies to a strategy's requests while it computes a quote. */
function replies(context: StrategyContext, inner: Inner): (question: StrategyQuestion) => unknown {
  const streams = new Map<number, Random>()
  return (question) => {
    switch (question.ask) {
      case 'read':
        return readPath(context, question.path)
      case 'inWindow':
        return context.inWindow(question.cron, question.timezone)
      case 'random': {
        const stream = streams.get(question.stream) ?? context.random(question.label)
        streams.set(question.stream, stream)
        return Array.from({ length: DRAWN_AT_ONCE }, stream)
      }
      case 'inner': {
        const asked = Object.hasOwn(inner, question.label) ? inner[question.label] : undefined
        if (asked === undefined) throw new Error(`it wraps nothing as '${question.label}'`)
        if (question.context === null) return asked(context)
        const { inWindow, random } = context
        return asked({ ...(question.context as StrategyContext), inWindow, random })
      }
    }
  }
}

function readPath(context: StrategyContext, path: string): unknown {
  if (!CONTEXT_PATHS.includes(path)) throw new Error(`a context has no ${path}`)
  if (path === 'competition.bid' || path === 'competition.ask')
    return context.competition[path === 'competition.bid' ? 'bid' : 'ask'] !== null
  return path
    .split('.')
    .reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | null)?.[key], context)
}

/** A strategy changes its memory in place, so the result must keep the key order of the copy that it changed. */
function replaceIn(memory: unknown, next: unknown): void {
  if (typeof memory !== 'object' || memory === null || typeof next !== 'object' || next === null) return
  if (Array.isArray(memory)) memory.length = 0
  else for (const key of Object.keys(memory)) Reflect.deleteProperty(memory, key)
  for (const [key, value] of Object.entries(next))
    Object.defineProperty(memory, key, { value, enumerable: true, writable: true, configurable: true })
}
