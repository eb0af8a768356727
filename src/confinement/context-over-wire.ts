import { deepFreeze } from '../base/frozen.ts'
import type { Random } from '../base/random.ts'
import type { CompetitionOnSide, StrategyContext } from '../strategy/context.ts'
import type { StrategyQuote } from '../strategy/define-strategy.ts'
import type { StrategyQuestion } from './strategy-wire.ts'

type Ask = (question: StrategyQuestion) => unknown

/** The context of one strategy in its process: what was not sent with the question is asked for when it is read. */
export type WireContext = {
  readonly begin: (sent: ReadonlyMap<string, unknown>, ask: Ask) => StrategyContext
  readonly innerOf: (label: string) => (context: StrategyContext) => StrategyQuote
  /** A context that the strategy has kept shows nothing more. Returns the paths that were read. */
  readonly end: () => readonly string[]
}

const OVER = 'the context is valid only while the strategy is asked'

export function contextOverWire(): WireContext {
  let known = new Map<string, unknown>()
  const paths = new Set<string>()
  let ask: Ask | null = null
  let streams = 0

  function asked(question: StrategyQuestion): unknown {
    if (ask === null) throw new Error(OVER)
    return ask(question)
  }

  function read(path: string): unknown {
    if (ask === null) throw new Error(OVER)
    paths.add(path)
    if (!known.has(path)) known.set(path, ask({ ask: 'read', path }))
    return known.get(path)
  }

  function random(label: string): Random {
    const stream = ++streams
    const drawn: number[] = []
    const draw = () =>
      void drawn.push(...(asked({ ask: 'random', label: text(label), stream }) as number[]).toReversed())
    draw()
    return () => {
      if (drawn.length === 0) draw()
      return drawn.pop() ?? 0
    }
  }

  const view = viewOf(read, {
    inWindow: (cron, timezone) =>
      asked({ ask: 'inWindow', cron: text(cron), timezone: text(timezone) }) as boolean,
    random,
  })
  return {
    begin(sent, asking) {
      known = new Map(sent)
      paths.clear()
      ask = asking
      return view
    },
    innerOf: (label) => (context) =>
      asked({
        ask: 'inner',
        label,
        context: context === view ? null : plainContext(context, view),
      }) as StrategyQuote,
    end() {
      ask = null
      return [...paths]
    },
  }
}

function viewOf(
  read: (path: string) => unknown,
  functions: Pick<StrategyContext, 'inWindow' | 'random'>,
): StrategyContext {
  const view: Record<string, unknown> = { ...functions }
  const getter = (on: object, name: string, get: () => unknown) =>
    Object.defineProperty(on, name, { get, enumerable: true })
  const group = (name: string, members: readonly string[]) => {
    const one = {}
    for (const member of members) getter(one, member, () => copied(read(`${name}.${member}`)))
    return one
  }
  for (const name of [
    'now',
    'cause',
    'mid',
    'midAgeMs',
    'protocolFeeBps',
    'fairValue',
    'standing',
    'promisable',
  ])
    getter(view, name, () => copied(read(name)))
  for (const name of ['fairShift', 'calibration']) getter(view, name, () => deepFreeze(read(name)))
  getter(view, 'recentFills', () => (deepFreeze(read('recentFills')) as readonly unknown[]).slice())
  const inventory = group('inventory', ['ntzs', 'usd', 'usdShare', 'target', 'deviation', 'totalTzs'])
  getter(view, 'inventory', () => inventory)
  view['markouts'] = group('markouts', ['bid', 'ask'])
  const sides = {
    bid: group('competition.bid', ['bestBps', 'ageMs']) as CompetitionOnSide,
    ask: group('competition.ask', ['bestBps', 'ageMs']) as CompetitionOnSide,
  }
  getter(view, 'competition', () => {
    const { bid, ask } = read('competition') as { readonly bid: boolean; readonly ask: boolean }
    return { bid: bid ? sides.bid : null, ask: ask ? sides.ask : null }
  })
  deepFreeze(sides)
  return deepFreeze(view) as StrategyContext
}

/** A strategy may change what it is given, and reads it unchanged the next time. */
function copied(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}

/** What a wrapper made of its context, as data: the daemon puts its own functions to it. */
function plainContext(context: StrategyContext, view: StrategyContext): object {
  const { inWindow, random, ...data } = context
  if (inWindow !== view.inWindow || random !== view.random)
    throw new TypeError('a wrapper hands on inWindow and random as it got them')
  return data
}

/** A strategy in plain JavaScript may hand over anything. */
function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('inWindow and random take text')
  return value
}
