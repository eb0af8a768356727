import { renameFields, type Written } from './upcaster.ts'

const BUDGET = { silentUntil: 'blockedUntil' }
const POLL = { demanded: 'expedited' }

/** A snapshot of 0.1.0: it wrote fields of the pacing, and the open orders, under other names. */
export function upcastPacingAndOrderNames(written: Written): Written {
  const { pacing, rfq } = written
  return {
    ...written,
    ...(isRecord(pacing) ? { pacing: upcastPacing(pacing) } : {}),
    ...(isRecord(rfq) ? { rfq: renameFields(rfq, { owed: 'openOrders' }) } : {}),
  }
}

function upcastPacing(written: Written): Written {
  const pacing = renameFields(written, { unplanned: 'onDemand' })
  return {
    ...pacing,
    key: renamed(pacing['key'], BUDGET),
    public: renamed(pacing['public'], BUDGET),
    polls: isRecord(pacing['polls'])
      ? Object.fromEntries(Object.entries(pacing['polls']).map(([kind, poll]) => [kind, renamed(poll, POLL)]))
      : pacing['polls'],
  }
}

function renamed(value: unknown, names: Readonly<Record<string, string>>): unknown {
  return isRecord(value) ? renameFields(value, names) : value
}

function isRecord(value: unknown): value is Written {
  return typeof value === 'object' && value !== null
}
