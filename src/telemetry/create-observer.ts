import type { Observation } from '../engine/model/observation.ts'
import type { Log } from './log/log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Handlers } from './handlers.ts'
import { ledgerHandlers } from './ledger-handlers.ts'
import { marketHandlers } from './market-handlers.ts'
import { orderHandlers } from './order-handlers.ts'
import { positionHandlers } from './position-handlers.ts'

export type Observe = (observation: Observation) => void

/**
 * The one door from the core to the log and the counters: every observation writes one line, whose `event`
 * is the observation's type, and counts what there is to count. The code that trades touches neither.
 */
export function createObserver(log: Log, metrics: Metrics): Observe {
  const handlers: Handlers<Observation['type']> = {
    ...ledgerHandlers(log, metrics),
    ...marketHandlers(log, metrics),
    ...orderHandlers(log, metrics),
    ...positionHandlers(log, metrics),
  }
  // The table has exactly the handler of each type; TypeScript cannot see that both come from one key.
  return (observation) => {
    ;(handlers[observation.type] as (observation: Observation) => void)(observation)
  }
}
