import { encodeJson } from '../../base/codec.ts'
import { freshMemory } from '../../strategy/memory.ts'
import { thrownText } from '../../strategy/ask-strategy.ts'
import type { CoreConfig } from '../model/config.ts'
import { awaitFeeds, feedsOf } from '../market/on-reference.ts'
import { retunePacing } from '../../pacing/reschedule.ts'
import type { Transition } from '../transition.ts'

/** New parameters or new code: between two steps, as a whole. A suspended strategy gets its new chance. */
export function applyConfig(transition: Transition, config: CoreConfig): void {
  const { state } = transition
  const { memory, suspended } = state.strategy
  // One that hung in `init` has no memory yet and must not be asked for one again.
  const same = (memory !== null || suspended !== null) && sameStrategy(state.config, config)
  const isSameFeeds = encodeJson(feedsOf(state.config)) === encodeJson(feedsOf(config))
  state.config = config
  retunePacing(state.pacing, config.pacing, transition.now)
  if (!isSameFeeds) awaitFeeds(transition)
  if (config.rfq === null) sayOrdersLeft(transition)
  if (!same) reviveStrategy(transition)
}

/** Without its settings nobody reads what becomes of an order; that is no reason to forget it. */
function sayOrdersLeft({ state, alert }: Transition): void {
  const owed = Object.keys(state.rfq.openOrders).length
  if (owed === 0) return
  const message = `${owed} signed orders are owed and the configuration has no rfq section: nobody reads what becomes of them, and capital does not enter the pool; put the section back until they have ended`
  alert('orders-left', message)
}

/** A fresh memory for the strategy and a new chance for a suspended one. */
export function reviveStrategy(transition: Transition): void {
  const { state, now, strategy } = transition
  state.strategy.suspended = null
  state.strategy.wanted = null
  try {
    state.strategy.memory = freshMemory(strategy)
  } catch (thrown) {
    const why = `strategy ${strategy.use} threw in init: ${thrownText(thrown)}`
    state.strategy.memory = null
    state.strategy.suspended = why
    transition.emit({ type: 'strategySuspended', t: now, why })
  }
  const { use, params, sourceHash } = state.config.strategy
  transition.emit({ type: 'strategyLoaded', t: now, use, params, sourceHash })
}

function sameStrategy(a: CoreConfig, b: CoreConfig): boolean {
  return (
    a.strategy.use === b.strategy.use &&
    a.strategy.sourceHash === b.strategy.sourceHash &&
    encodeJson(a.strategy.params) === encodeJson(b.strategy.params)
  )
}
