import { createTreasury, type Treasury } from '../../../../treasury/core/treasury.ts'
import type { TreasuryEvent } from '../../../../treasury/model/event.ts'
import type { TreasuryRecord } from '../../../../store/treasury/journal.ts'
import { createFlowMeter, type FlowMeter } from '../flow-meter.ts'
import { readEvents } from '../treasury-loop.ts'

export type WebhookSeen = Extract<TreasuryEvent, { readonly type: 'webhookSeen' }>

/** Three days' webhooks at a thousand payouts a day. */
export const MOST_PARKED = 5_000

/** A treasury restored from its journal, before anything is sent. */
export type RecoveredTreasury = {
  readonly treasury: Treasury
  /** Records the position's events, including replayed ones. */
  readonly flow: FlowMeter
  readonly webhooks: readonly WebhookSeen[]
  readonly hasRun: boolean
}

/** The part of a treasury's journal that was read so far; reading it at once or in parts gives the same treasury. */
export type TreasuryFold = {
  /** Adds the events after `seq`, in order. Throws if one does not parse. */
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
