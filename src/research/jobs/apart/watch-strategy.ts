import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'

/** Reports to other threads which code of a strategy this thread is running. */
export type StrategyWatch = {
  /** The strategy, reporting its every call. */
  readonly watched: (strategy: LoadedStrategy) => LoadedStrategy
  /** Runs work that evaluates strategy files. */
  readonly loading: <Value>(work: () => Promise<Value>) => Promise<Value>
}

/** Without an observer. */
export const UNWATCHED: StrategyWatch = { watched: (strategy) => strategy, loading: (work) => work() }

/** Layout of the shared memory: the number of the running call (0 = no call), and its kind. */
const [CALL, WHAT] = [0, 1]
const WORDS = ['', 'its file was loaded', '`init` was called', 'it was asked for a quote'] as const
const [LOADING, INIT, QUOTE] = [1, 2, 3]

export const WATCH_BYTES = 8

/** A strategy call in progress. */
type CallUnderWay = { readonly number: number; readonly what: string; readonly isLoading: boolean }

/** Returns the strategy call that runs in the other thread; null = no call. */
export function callUnderWay(buffer: SharedArrayBuffer): CallUnderWay | null {
  const memory = new Int32Array(buffer)
  const number = Atomics.load(memory, CALL)
  const what = Atomics.load(memory, WHAT)
  return number === 0 ? null : { number, what: WORDS[what] ?? '', isLoading: what === LOADING }
}

/** Reports every call in `buffer`, at the cost of two stores per call. */
export function watchStrategies(buffer: SharedArrayBuffer): StrategyWatch {
  const memory = new Int32Array(buffer)
  let calls = 0
  const enter = (what: number): void => {
    calls = (calls + 1) & 0x7fffffff || 1
    Atomics.store(memory, WHAT, what)
    Atomics.store(memory, CALL, calls)
  }
  const leave = (): void => void Atomics.store(memory, CALL, 0)

  /** Wrapped strategies run inside the outermost one's `quote`; only their `init` is a separate call. */
  const shown = (strategy: LoadedStrategy, isOutermost: boolean): LoadedStrategy => {
    const { definition } = strategy
    const { init, quote } = definition
    return {
      ...strategy,
      definition: {
        ...definition,
        init: (params) => {
          enter(INIT)
          try {
            return init(params)
          } finally {
            leave()
          }
        },
        quote: isOutermost
          ? (context, state, params, inner) => {
              enter(QUOTE)
              try {
                return quote(context, state, params, inner)
              } finally {
                leave()
              }
            }
          : quote,
      },
      inner: Object.fromEntries(
        Object.entries(strategy.inner).map(([label, inner]) => [label, shown(inner, false)]),
      ),
    }
  }
  return {
    watched: (strategy) => shown(strategy, true),
    async loading(work) {
      enter(LOADING)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
