import { serialize } from 'node:v8'
import { backoffMs } from '../base/backoff.ts'
import { err, ok, type Result } from '../base/result.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../base/time.ts'
import type { Random } from '../base/random.ts'
import { StrategyLost } from '../strategy/ask-strategy.ts'
import type { StrategyContext } from '../strategy/context.ts'
import type { StrategyDefinition } from '../strategy/define-strategy.ts'
import { rememberSchemaText } from './evaluate-strategy.ts'
import { kitScript } from './kit-script.ts'
import { type AnswerQuestion, ProcessEnded, StrategyProcess } from './strategy-process.ts'
import {
  CONTEXT_PATHS,
  type EvaluatedStrategy,
  type Outcome,
  type QuotedStrategy,
  type StrategyQuestion,
  type StrategyRequest,
} from './strategy-wire.ts'

type Definition = StrategyDefinition<unknown, unknown>

/** A strategy's file as it is evaluated: positions whose files have one hash share a process, and each has an `owner` of its own. */
export type StrategyFile = {
  readonly name: string
  readonly script: string
  readonly hash: string
  readonly owner: string
}

/** A call of a strategy that takes longer counts as a hang. */
export const STRATEGY_TIMEOUT_MS: Ms = SECOND_MS
/** The most that evaluating a file may take, with the start of its process. */
export const LOADING_TIMEOUT_MS: Ms = 10 * SECOND_MS
/** What a call waits in addition while a process starts anew. */
const RESTART_MS: Ms = 4 * SECOND_MS

/** So many processes of one file may be ended within the window at once: the next ones start after growing pauses. */
const FREE_RESTARTS = 2
const RESTART_WINDOW_MS: Ms = 10 * MINUTE_MS
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS]: readonly Ms[] = [SECOND_MS, MINUTE_MS]
/** A strategy that trades is asked every quarter of a minute: one that was not asked for this long has been replaced. */
const IDLE_MS: Ms = 10 * MINUTE_MS

/** The process of one file; null while none runs. */
type Host = {
  readonly files: Map<string, StrategyFile>
  process: StrategyProcess | null
  /** When its processes were ended because a call took too long. */
  readonly hangs: Ms[]
  usedAt: Ms
}

const hosts = new Map<string, Host>()
let sweeping: NodeJS.Timeout | null = null

/**
 * Evaluates a bundled strategy in a process that can be ended at any time, and returns a definition that asks it there. The error
 * describes the problem of the file. A definition's functions throw StrategyLost where the process had to be ended.
 */
export async function evaluateApart(
  file: StrategyFile,
  withinMs: Ms = LOADING_TIMEOUT_MS,
): Promise<Result<Definition, string>> {
  // The process finds the script where this leaves it, and needs no bundler.
  await kitScript()
  const host = hostOf(file.hash)
  try {
    const outcome = await processOf(host).askLater(evaluationOf(file), withinMs)
    if ('threw' in outcome) return err(outcome.threw.text)
    host.files.set(file.owner, file)
    return ok(definitionOf(host, file, outcome.value as EvaluatedStrategy))
  } catch (thrown) {
    if (!(thrown instanceof ProcessEnded)) throw thrown
    host.process = null
    const why =
      thrown.how === 'late'
        ? `${file.name} did not answer within ${withinMs} ms while it was loaded, and its process was ended; look for a loop or a call without an end at the top of the file`
        : `${file.name} ended its process while it was loaded; look for what fills the memory at the top of the file`
    return err(why)
  }
}

function hostOf(hash: string): Host {
  const known = hosts.get(hash)
  const host: Host = known ?? { files: new Map(), process: null, hangs: [], usedAt: 0 }
  host.usedAt = performance.now()
  hosts.set(hash, host)
  sweeping ??= setInterval(endIdle, MINUTE_MS).unref()
  return host
}

function endIdle(): void {
  for (const host of hosts.values()) {
    if (performance.now() - host.usedAt < IDLE_MS) continue
    host.process?.end()
    host.process = null
  }
}

function evaluationOf({ owner, name, script }: StrategyFile): StrategyRequest {
  return { do: 'evaluate', id: owner, name, script }
}

/** The running process of a file, or a new one that evaluates again what the one before had. */
function processOf(host: Host): StrategyProcess {
  if (host.process?.hasEnded === false) return host.process
  const process = new StrategyProcess()
  host.process = process
  for (const file of host.files.values())
    process.askLater(evaluationOf(file), LOADING_TIMEOUT_MS).catch(() => undefined)
  return process
}

function definitionOf(host: Host, file: StrategyFile, evaluated: EvaluatedStrategy): Definition {
  const { owner: id } = file
  const value = (request: StrategyRequest, answer?: AnswerQuestion) =>
    valueOf(ask(host, file, request, answer))
  const params = {
    ...evaluated.schema,
    safeParse: (data: unknown) => value({ do: 'parse', id, params: data }),
  } as unknown as Definition['params']
  let read: readonly string[] = []
  const definition: Definition = {
    name: evaluated.name,
    params,
    init: (given) => value({ do: 'init', id, params: given }),
    quote(context, memory, given, inner) {
      const questions = createQuestions(context, read, inner)
      const request: StrategyRequest = {
        do: 'quote',
        id,
        params: given,
        memory: serialize(memory),
        context: questions.known,
        inner: Object.keys(inner),
      }
      const quoted = value(request, questions.answer) as QuotedStrategy
      read = quoted.read.filter((path) => CONTEXT_PATHS.includes(path))
      if (quoted.hasChanged) replaceIn(memory, quoted.memory)
      // Its shape is checked by `askStrategy`, as of every strategy.
      return quoted.quote as ReturnType<Definition['quote']>
    },
    ...(evaluated.hasInner && {
      inner: (given: unknown) =>
        value({ do: 'inner', id, params: given }) as ReturnType<NonNullable<Definition['inner']>>,
    }),
  }
  if (evaluated.schemaText !== null) rememberSchemaText(definition, evaluated.schemaText)
  return definition
}

function valueOf(outcome: Outcome): unknown {
  if ('value' in outcome) return outcome.value
  throw Object.assign(new Error(outcome.threw.text), { name: outcome.threw.name })
}

const NO_QUESTIONS: AnswerQuestion = () => {
  throw new Error('the context is valid only while the strategy is asked')
}

/**
 * Asks once, and once more where the process ended without an answer: another strategy of the file may have filled its memory.
 * After a hang there is no second time.
 */
function ask(
  host: Host,
  file: StrategyFile,
  request: StrategyRequest,
  answer: AnswerQuestion = NO_QUESTIONS,
): Outcome {
  for (let isFirst = true; ; isFirst = false) {
    const now = performance.now()
    const pauseMs = pauseLeft(host.hangs, now)
    if (pauseMs > 0)
      throw new StrategyLost(
        `the strategy hung ${host.hangs.length} times within ten minutes (${file.name}), so its process starts again in ${Math.ceil(pauseMs / SECOND_MS)} s at the earliest`,
      )
    host.usedAt = now
    const isStarting = host.process?.hasEnded !== false || host.process.isBusy
    try {
      return processOf(host).ask(request, STRATEGY_TIMEOUT_MS + (isStarting ? RESTART_MS : 0), answer)
    } catch (thrown) {
      if (!(thrown instanceof ProcessEnded)) throw thrown
      if (thrown.how === 'late') host.hangs.push(performance.now())
      // The next one gets ready while the position starts again.
      if (pauseLeft(host.hangs, performance.now()) === 0) processOf(host)
      if (isFirst && thrown.how === 'ended') continue
      throw new StrategyLost(lossText(thrown.how, file.name))
    }
  }
}

function lossText(how: ProcessEnded['how'], name: string): string {
  if (how === 'late')
    return `the strategy did not answer within ${STRATEGY_TIMEOUT_MS} ms, so its process was ended (${name}: look for a loop or a call without an end)`
  return `the process of the strategy ended twice without an answer (${name}: look for what fills the memory)`
}

/** How long no process of a file may be started. `hangs` loses what is older than the window. */
export function pauseLeft(hangs: Ms[], now: Ms): Ms {
  while (hangs[0] !== undefined && now - hangs[0] > RESTART_WINDOW_MS) hangs.shift()
  const last = hangs.at(-1)
  const extra = hangs.length - FREE_RESTARTS
  if (last === undefined || extra <= 0) return 0
  return Math.max(0, last + backoffMs(extra, FIRST_PAUSE_MS ?? 0, LONGEST_PAUSE_MS ?? 0) - now)
}

/** Numbers of a stream that are sent at once. */
const DRAWN_AT_ONCE = 32

type Inner = Parameters<Definition['quote']>[3]

/** Answers what a strategy asks while it makes a quote; `known` is what it read the last time, which is sent ahead. */
function createQuestions(context: StrategyContext, ahead: readonly string[], inner: Inner) {
  const streams = new Map<number, Random>()
  const known = new Map(ahead.map((path) => [path, readPath(context, path)]))

  function answer(question: StrategyQuestion): unknown {
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

  return { known, answer }
}

/** The value at a path of a context. Of the best quotes it is only whether there are any; their members have paths of their own. */
function readPath(context: StrategyContext, path: string): unknown {
  if (!CONTEXT_PATHS.includes(path)) throw new Error(`a context has no ${path}`)
  if (path === 'competition') {
    const { bid, ask } = context.competition
    return { bid: bid !== null, ask: ask !== null }
  }
  return path
    .split('.')
    .reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | null)?.[key], context)
}

/** A strategy changes its memory in place, so that its order of keys is that of the copy that it changed. */
function replaceIn(memory: unknown, next: unknown): void {
  if (typeof memory !== 'object' || memory === null || typeof next !== 'object' || next === null) return
  if (Array.isArray(memory)) memory.length = 0
  else for (const key of Object.keys(memory)) Reflect.deleteProperty(memory, key)
  for (const [key, value] of Object.entries(next))
    Object.defineProperty(memory, key, { value, enumerable: true, writable: true, configurable: true })
}
