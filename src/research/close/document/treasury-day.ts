import { createHash } from 'node:crypto'
import { type Asset, formatTokens } from '../../../base/money/asset.ts'
import type { StoreReader } from '../../../store/open-reader.ts'
import { storedEventOf } from '../../../store/treasury/journal.ts'
import { isoText } from '../../../base/text/times.ts'
import { createTreasury, type Treasury } from '../../../treasury/core/treasury.ts'
import type { TreasuryEvent } from '../../../treasury/model/event.ts'
import type { Intent } from '../../../treasury/model/intent.ts'
import type { TreasuryPosting } from '../../../treasury/model/observation.ts'
import type { DaySpan } from './day-span.ts'
import type { CloseTreasury } from './document.ts'

/**
 * The treasury's part of a close: the fold of its journal up to the end of the day. `before` is that of the close before; null
 * = none exists, and the day begins with its first moment. Null = the store has no treasury. Throws StoreReadError.
 */
export function closedTreasuryDay(
  reader: Pick<StoreReader, 'treasury'>,
  folder: string,
  span: DaySpan,
  before: CloseTreasury | null,
): CloseTreasury | null {
  const treasury = createTreasury()
  const books = createBooks()
  const hash = createHash('sha256')
  let [last, first] = [0, 1]
  for (const record of reader.treasury()) {
    const { seq, t, body } = record
    if (t >= span.to) break
    const isBefore = before === null ? t < span.from : seq <= before.journal.last
    if (isBefore) first = seq + 1
    else hash.update(`${seq}\n${body}\n`)
    last = seq
    const event = storedEventOf(record, folder) as TreasuryEvent
    for (const observation of treasury.process(event).observations)
      if (observation.type === 'booked') books.book(observation, t, isBefore)
  }
  if (last === 0) return null
  return {
    journal: { first, last, sha256: hash.digest('hex') },
    // Closes of earlier versions left it out of the text for accountants, so it begins there when first included.
    inBooks: before?.inBooks === undefined ? 'begins' : 'goes-on',
    accounts: books.accounts(),
    entries: books.entries,
    open: openIntents(treasury),
  }
}

type Booked = {
  readonly intent: string
  readonly reason: string
  readonly postings: readonly TreasuryPosting[]
}

function createBooks() {
  const held = new Map<string, { account: string; asset: Asset; opening: bigint; closing: bigint }>()
  const entries: CloseTreasury['entries'] = []
  return {
    entries,
    book({ intent, reason, postings }: Booked, t: number, isBefore: boolean): void {
      for (const { account, asset, amount } of postings) {
        const key = `${account} ${asset}`
        const of = held.get(key) ?? { account, asset, opening: 0n, closing: 0n }
        held.set(key, of)
        of.closing += amount
        if (isBefore) of.opening += amount
      }
      if (isBefore || postings.length === 0) return
      const texts = postings.map(({ account, asset, amount }) => ({
        account,
        asset,
        amount: formatTokens(amount, asset),
      }))
      entries.push({ at: isoText(t), intent, reason, postings: texts })
    },
    accounts: (): CloseTreasury['accounts'] =>
      [...held.values()]
        .filter(({ opening, closing }) => opening !== 0n || closing !== 0n)
        .map(({ account, asset, opening, closing }) => ({
          account,
          asset,
          opening: formatTokens(opening, asset),
          closing: formatTokens(closing, asset),
        })),
  }
}

/** Returns open intents and claims: money whose location is not proven. */
function openIntents(treasury: Treasury): CloseTreasury['open'] {
  const intents = Object.values(treasury.state()?.intents ?? {})
  return intents.filter(({ endedAt, stage }) => endedAt === null || stage === 'claim').map(intentTexts)
}

function intentTexts({ id, rule, route, stage, plannedAt, legs }: Intent): CloseTreasury['open'][number] {
  return {
    intent: id,
    rule,
    route,
    stage,
    plannedAt: isoText(plannedAt),
    legs: legs.map(({ kind, from, to, stage: legStage, asset, amount, reference }) => ({
      kind,
      from,
      to,
      stage: legStage,
      asset,
      amount: formatTokens(amount, asset),
      reference,
    })),
  }
}
