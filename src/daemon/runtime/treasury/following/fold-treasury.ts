import { createTreasury, type Treasury } from '../../../../treasury/core/treasury.ts'
import type { TreasuryEvent } from '../../../../treasury/model/event.ts'
import type { TreasuryRecord } from '../../../../store/treasury/journal.ts'
import { createFlowMeter, type FlowMeter } from '../flow-meter.ts'
import { readEvents } from '../treasury-loop.ts'

export type WebhookSeen = Extract<TreasuryEvent, { readonly type: 'webhookSeen' }>

/** Of a day with a thousand payouts these are three days. */
export const MOST_PARKED = 5_000

/** A treasury as its journal remembers it, before anything is sent. */
export type RecoveredTreasury = {
  readonly treasury: Treasury
  /** Takes the position's events, those of its replay included. */
  readonly flow: FlowMeter
  readonly webhooks: readonly WebhookSeen[]
  readonly hasRun: boolean
}

/** A treasury's journal as far as it was read, whether at once or bit by bit: the same events give the same treasury. */
export type TreasuryFold = {
  /** Takes the events after `seq`, in their order. Throws where one does not parse. */
  readonly add: (records: Iterable<TreasuryRecord>) => void
  /** The number of the last event; 0 = none. */
  readonly seq: () => number
  readonly recovered: () => RecoveredTreasury
}

export function foldTreasury(): TreasuryFold {
  const treasury = createTreasury()
  let [seq, flowUpTo] = [0, 0]
  let webhooks: readonly WebhookSeen[] = []
  return {
    add(records) {
      const events = readEvents(records)
      for (const event of events) {
        treasury.process(event)
        if (event.type === 'flowSeen' && event.upTo !== undefined) flowUpTo = event.upTo
      }
      seq += events.length
      const seen = events.filter((event) => event.type === 'webhookSeen')
      if (seen.length > 0) webhooks = [...webhooks, ...seen].slice(-MOST_PARKED)
    },
    seq: () => seq,
    recovered: () => ({ treasury, flow: createFlowMeter(flowUpTo), webhooks, hasRun: seq > 0 }),
  }
}
