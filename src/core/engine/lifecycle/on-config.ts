import { encodeJson } from '../../../base/codec.ts'
import type { CoreConfig } from '../model/config.ts'
import { awaitFeeds } from '../market/on-reference.ts'
import { retunePacing } from '../../pacing/reschedule.ts'
import {
  droppedText,
  type Overrides,
  type ReloadedEvent,
  type ReloadRefusedEvent,
} from '../model/config-event.ts'
import type { Transition } from '../transition.ts'
import { reviveStrategy } from '../decision/decide.ts'

/** Applies new parameters or new code as a whole, between two events. A suspended strategy is asked again. */
export function applyConfig(transition: Transition, config: CoreConfig, revives = false): void {
  const { state } = transition
  const { memory, suspended } = state.strategy
  // A strategy that hung in `init` has no memory yet, and its `init` must not be called again.
  const same = (memory !== null || suspended !== null) && sameStrategy(state.config, config)
  const { use, params, sourceHash } = state.config.strategy
  const isSameCode = config.strategy.use === use && config.strategy.sourceHash === sourceHash
  const isSameFeeds = encodeJson(state.config.feeds) === encodeJson(config.feeds)
  state.config = config
  retunePacing(state.pacing, config.pacing, transition.now)
  if (!isSameFeeds) awaitFeeds(transition)
  if (config.rfq === null) alertOrdersLeft(transition)
  if (!same || (revives && memory !== null)) reviveStrategy(transition, isSameCode ? params : undefined)
}

/** Alerts about open orders: without the rfq section their state is not read, but they are kept. */
function alertOrdersLeft({ state, alert }: Transition): void {
  const owed = Object.keys(state.rfq.openOrders).length
  if (owed === 0) return
  const message = `${owed} signed orders are outstanding, but the configuration has no rfq section: their state is not read, and capital does not enter the pool; restore the section until they have ended`
  alert('orders-left', message)
}

function sameStrategy(a: CoreConfig, b: CoreConfig): boolean {
  return (
    a.strategy.use === b.strategy.use &&
    a.strategy.sourceHash === b.strategy.sourceHash &&
    encodeJson(a.strategy.params) === encodeJson(b.strategy.params)
  )
}

/**
 * Keeps the values that operators set over HTTP, through restarts and take-overs. Alerts about values that are dropped because the
 * file is stricter now or no longer has them.
 */
export function applyOverrides({ state, alert }: Transition, overrides: Overrides | undefined): void {
  const { set = {}, dropped = [] } = overrides ?? {}
  state.overrides = set
  if (dropped.length === 0) return
  const message = `settings made over HTTP no longer fit the configuration file, or are looser than it, and are dropped: ${droppedText(dropped)}`
  alert('override-dropped', message)
}

/** Handles new parameters or new code, which are validated already. */
export function handleReloaded(
  transition: Transition,
  { config, overrides, by, revives }: ReloadedEvent,
): void {
  applyConfig(transition, config, revives)
  applyOverrides(transition, overrides)
  if (by !== undefined) reportReload(transition, by, true, by.what)
  transition.requestDecision('params')
}

/** Answers the operator who requested the reload; without one, raises an alert. */
export function handleReloadRefused(transition: Transition, { by, problems }: ReloadRefusedEvent): void {
  if (by !== undefined) return reportReload(transition, by, false, `${by.what}: ${problems}`)
  // Indented lines are excerpts of the file below a problem.
  const [first = '', ...more] = problems.split('\n').filter((line) => !line.startsWith(' '))
  const rest = more.length === 0 ? '' : ` (and ${more.length} more in the log)`
  const message = `the configuration was not reloaded; the previous one stays in force: ${first}${rest}`
  transition.alert('reload-refused', message)
}

function reportReload(
  { emit, now }: Transition,
  { who, why }: NonNullable<ReloadedEvent['by']>,
  accepted: boolean,
  answer: string,
): void {
  emit({ type: 'operator', t: now, who, why, command: 'reload', accepted, answer })
}
