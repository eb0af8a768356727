import { canonicalJson } from '../document/canonical.ts'
import { nextDay } from '../document/day-span.ts'
import type { CloseBody, CloseDocument, CloseTreasury } from '../document/document.ts'

/** A close with the digest of its bytes. */
export type KeptClose = { readonly document: CloseDocument; readonly sha256: string }

/** Returns why a close does not continue the previous one, one sentence each; empty = it does. */
export function checkChain(before: KeptClose, close: CloseBody): readonly string[] {
  const { document, sha256 } = before
  const { previous } = close
  if (previous === null) return [`it names no close before it, and there is one of ${document.day}`]
  return [
    ...(previous.day === document.day && nextDay(document.day) === close.day
      ? []
      : [`it follows the close of ${previous.day}, and the one before it is of ${document.day}`]),
    ...(previous.sha256 === sha256 ? [] : [`the close of ${document.day} is not the one that it follows`]),
    ...(document.status === 'final' ? [] : [`the close of ${document.day} is provisional`]),
    ...checkState(document, close),
  ]
}

/** Returns the differences between this close's opening and the previous closing; empty = continuous. */
export function checkState(before: CloseDocument, close: CloseBody): readonly string[] {
  const { day } = before
  const lastEntry = before.entries.at(-1)?.number ?? 0
  return [
    ...(before.position === close.position
      ? []
      : [`the close of ${day} is of ${before.position}, this one of ${close.position}`]),
    ...(before.to === close.from
      ? []
      : [`the close of ${day} ends at ${before.to}, this one begins at ${close.from}`]),
    ...(before.journal.last + 1 === close.journal.first
      ? []
      : [
          `the close of ${day} ends with event ${before.journal.last}, this one begins with ${close.journal.first}`,
        ]),
    ...((close.entries[0]?.number ?? Infinity) > lastEntry ? [] : [`entries of ${day} are in both closes`]),
    ...(canonicalJson(before.accounts.closing) === canonicalJson(close.accounts.opening)
      ? []
      : [`the balances at the start are not those of the close of ${day}`]),
    ...(before.mids.closing === close.mids.opening
      ? []
      : [`the mid at the start is not that of the close of ${day}`]),
    ...checkTreasury(before.treasury, close.treasury, day),
  ]
}

function checkTreasury(
  before: CloseTreasury | null,
  now: CloseTreasury | null,
  day: string,
): readonly string[] {
  if (before === null) return []
  if (now === null) return [`the close of ${day} has a treasury, this one has none`]
  const left = new Map(before.accounts.map(({ account, asset, closing }) => [`${account} ${asset}`, closing]))
  const begun = new Map(now.accounts.map(({ account, asset, opening }) => [`${account} ${asset}`, opening]))
  const keys = new Set([...left.keys(), ...begun.keys()])
  const differs = [...keys].filter((key) => (left.get(key) ?? '0') !== (begun.get(key) ?? '0'))
  return [
    ...differs.map((key) => `the treasury's ${key} at the start is not that of the close of ${day}`),
    ...(before.journal.last + 1 === now.journal.first
      ? []
      : [`events of the treasury between the close of ${day} and this one are missing`]),
  ]
}
