import { canonicalJson } from './canonical.ts'
import { dayPnl } from './day-pnl.ts'
import type { CloseBody, CloseDocument } from './document.ts'

/** The circumstances of the close, which are not part of the day. */
const NOT_OF_THE_DAY = [
  'closedAt',
  'software',
  'evidence',
  'files',
  'fleet',
  'status',
  'undoneLater',
] as const

/**
 * Returns the parts in which the store's day differs from its close; empty = equal. Ignores what retention has dropped:
 * the digest of dropped events, and the row of a fill that a later entry took back.
 */
export function differingParts(existing: CloseDocument, now: CloseBody): readonly string[] {
  const gone = new Set(now.undoneLater?.map(({ fillId }) => fillId))
  const hasEvents = now.journal.sha256 !== null
  const current = new Map(Object.entries(kept(now, gone, hasEvents)))
  return Object.entries(kept(existing, gone, hasEvents)).flatMap(([part, value]) =>
    canonicalJson(value) === canonicalJson(current.get(part)) ? [] : [part],
  )
}

function kept(
  close: CloseBody,
  gone: ReadonlySet<string>,
  hasEvents: boolean,
): Readonly<Record<string, unknown>> {
  const { accounts, mids, journal } = close
  const entries = close.entries.map((entry) =>
    gone.has(entry.fillId ?? '') ? { ...entry, fillMid: null } : entry,
  )
  const parts = Object.entries({
    ...close,
    journal: hasEvents ? journal : { ...journal, sha256: null },
    entries,
    // `inBooks` depends on the version of mizani, so it is not compared.
    treasury: close.treasury === null ? null : { ...close.treasury, inBooks: null },
    fills: close.fills.filter(({ id }) => !gone.has(String(id))),
    // A fill's mid is in its row, without which the terms differ.
    pnl: gone.size === 0 ? close.pnl : dayPnl({ accounts: accounts.opening, entries, mids }),
  })
  return Object.fromEntries(parts.filter(([part]) => !NOT_OF_THE_DAY.some((other) => other === part)))
}
