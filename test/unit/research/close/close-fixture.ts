import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { err, ok } from '../../../../src/base/result.ts'
import { DAY_MS, HOUR_MS } from '../../../../src/base/time.ts'
import { daySpan, nextDay } from '../../../../src/research/close/document/day-span.ts'
import type { CloseBody } from '../../../../src/research/close/document/document.ts'
import { type DayRequest, readDay } from '../../../../src/research/close/document/read-day.ts'
import { SUFFIX, sha256 } from '../../../../src/research/close/folder/names.ts'
import { renderDay, writeDay } from '../../../../src/research/close/folder/write-day.ts'
import type { Verifier } from '../../../../src/research/close/proof/verifier.ts'
import type { KeptClose } from '../../../../src/research/close/verify/check-chain.ts'
import type { Event } from '../../../../src/core/engine/model/event.ts'
import type { EngineState } from '../../../../src/core/engine/model/state.ts'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import type { Fill } from '../../../../src/core/ledger/fills/fill.ts'
import { openReader, type StoreReader } from '../../../../src/store/open-reader.ts'
import { readActionChain } from '../../../../src/store/tables/operator-actions.ts'
import { coreConfig } from '../../../support/core-config.ts'
import { coreHarness, type Harness } from '../../../support/core-harness.ts'
import { openHere, valueOf } from '../../store/store-fixture.ts'

export const FIRST_DAY = '2026-11-20'
const START = Date.parse(`${FIRST_DAY}T09:00:00Z`)
const WHOLE = 10n ** 18n

/** A position that looks rarely, so that days of it are some hundred events. */
const SPARSE = {
  requestsPerMinute: 60,
  reservePerMinute: 10,
  publicRequestsPerMinute: 0,
  fillsIntervalMs: HOUR_MS / 2,
  rateIntervalMs: HOUR_MS,
  balancesIntervalMs: HOUR_MS,
  accountIntervalMs: 6 * HOUR_MS,
  quoteCheckIntervalMs: 6 * HOUR_MS,
  requestTimeoutMs: 5_000,
}

export type Recorded = {
  readonly core: Harness
  readonly events: readonly { readonly event: Event; readonly observations: readonly Observation[] }[]
  /** The core's state at the end of each UTC day that has passed. */
  readonly ends: ReadonlyMap<string, EngineState>
}

/** A taker brings dollars and takes shillings at `mid` less 60 bps; the venue takes ten bps more from us. */
export function takeShillings(core: Harness, id: string, dollars: bigint): void {
  const amountIn = dollars * 10n ** 18n
  const amountOut = (dollars * core.venue.mid * 9_940n) / 10_000n
  const fee = amountOut / 1_000n
  const fill: Fill = {
    id,
    side: 'ask',
    inAsset: 'USDC',
    amountIn,
    outAsset: 'NTZS',
    amountOut,
    fee,
    earnedText: null,
    txHash: null,
    createdAt: core.now,
    raw: JSON.stringify({ id, note: '=not "a" formula; nor a | comment' }),
  }
  core.venue.fills.push(fill)
  core.venue.amounts.USDC += amountIn
  core.venue.amounts.NTZS -= amountOut + fee
}

/** Three days and a morning: fills at changing mids, a deposit, a day without a fill, an operator who pauses. */
export function recordDays(): Recorded {
  const core = coreHarness({ config: coreConfig({ pacing: SPARSE }), start: START })
  const events: { event: Event; observations: readonly Observation[] }[] = []
  const ends = new Map<string, EngineState>()
  const { give } = core
  let day = FIRST_DAY
  const record = (event: Event) => {
    for (; new Date(event.t).toISOString().slice(0, 10) > day; day = nextDay(day))
      ends.set(day, structuredClone(core.state()))
    const audit = give(event)
    // Four ticks a minute decide nothing new: a close reads the journal and does not replay it, so they are not kept.
    const isIdle = event.type === 'tick' && audit.observations.length + audit.effects.length === 0
    if (!isIdle) events.push({ event, observations: audit.observations })
    return audit
  }
  Object.assign(core, { give: record })
  const mid = (tzs: bigint) => {
    core.venue.mid = tzs * WHOLE
    core.venue.rateUpdatedAt = core.now
  }
  core.give({ type: 'started', t: START, version: 'test', config: coreConfig({ pacing: SPARSE }) })
  core.run(3 * HOUR_MS)
  takeShillings(core, 'first', 1_234n)
  core.run(3 * HOUR_MS)
  mid(2_511n)
  core.run(2 * HOUR_MS)
  takeShillings(core, 'second', 77n)
  core.run(DAY_MS - 8 * HOUR_MS)
  core.order({ name: 'pause' })
  core.run(2 * HOUR_MS)
  core.order({ name: 'resume' })
  mid(2_499n)
  core.run(DAY_MS)
  takeShillings(core, 'third', 500n)
  core.run(DAY_MS)
  return { core, events, ends }
}

/** Writes what was recorded as a store. */
export async function storeOf({ events }: Recorded, folder: string): Promise<string> {
  const store = valueOf(await openHere(folder, { maxBacklog: 100_000 }))
  for (const [index, { event, observations }] of events.entries()) {
    store.append(index + 1, event)
    if (observations.length > 0) store.project(index + 1, observations)
  }
  await store.close()
  return folder
}

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-close-'))
  return folder
}

/** A folder for all tests of a file; to be called before them. */
export function keptFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-close-'))
  return folder
}

export function withReader<T>(folder: string, use: (reader: StoreReader) => T): T {
  const reader = valueOf(openReader(folder))
  try {
    return use(reader)
  } finally {
    reader.close()
  }
}

export const EVIDENCE: DayRequest['evidence'] = {
  configurationSha256: 'c'.repeat(64),
  strategy: { use: 'fixed-spread', sourceHash: 'd'.repeat(64) },
  packages: { file: 'package-lock.json', sha256: 'e'.repeat(64) },
  controls: [
    {
      name: 'price collar of every quote and order',
      rules: ['RTS 6 15(1)(a)'],
      value: '2300 to 2900 TZS per USD',
      lastDrill: { name: 'mid-lies', at: '2026-11-19T10:00:00.000Z', passed: true },
    },
    { name: 'loss', rules: ['15c3-5(c)(1)(i)'], value: null, lastDrill: null },
  ],
  risk: {
    at: '2026-11-20T23:30:00.000Z',
    isCalibrated: false,
    losses: [{ name: 'model, a week', usd: '287.5', tzs: '-12.25' }],
  },
}

/** The close of a UTC day from a store, that of the day before given or left out. */
export function bodyOf(
  store: string,
  day: string,
  previous: DayRequest['previous'] = null,
  change: Partial<DayRequest> = {},
): CloseBody {
  const span = daySpan(day, 'UTC')
  const actions = readActionChain(store)
  if (span === null || !actions.ok) throw new Error('no day or no chain')
  return withReader(store, (reader) =>
    readDay(reader, {
      position: 'desk-1',
      day,
      timezone: 'UTC',
      span,
      isOver: true,
      previous,
      closedAt: span.to + 60_000,
      software: 'test',
      evidence: EVIDENCE,
      fleet: null,
      actions: actions.value,
      treasury: null,
      ...change,
    }),
  )
}

/** Stands in for a signature; those that `ssh-keygen` makes and verifies are in test/e2e/close. */
export const signDigest = (bytes: Uint8Array) => Buffer.from(`signed ${sha256(bytes)}\n`)

/** Accepts what `signDigest` signs, and no time-stamp. */
export const VERIFIER: Verifier = {
  hasSigners: false,
  hasAuthority: false,
  signature: (message, armour) =>
    signDigest(message).equals(armour)
      ? ok({ fingerprint: 'SHA256:a key', signer: null, refusal: 'it is another key' })
      : err('it is not over this close'),
  timestamp: () => err('it is no time-stamp'),
}

/** Closes days one after another into a folder, signed. */
export function closeDays(store: string, folder: string, days: readonly string[]): readonly KeptClose[] {
  const closes: KeptClose[] = []
  for (const [index, day] of days.entries()) {
    const { document, bytes, files } = renderDay(bodyOf(store, day, closes.at(-1) ?? null))
    const all = new Map([
      ...files,
      [`${day}${SUFFIX.document}`, bytes],
      [`${day}${SUFFIX.signature}`, signDigest(bytes)],
    ])
    const written = writeDay(folder, day, all, 'desk-1', days.slice(0, index + 1))
    if (!written.ok) throw new Error(written.error)
    closes.push({ document, sha256: sha256(bytes) })
  }
  return closes
}

/** The digest of a day's events, computed apart from the code under test. */
export function digestOfEvents(store: string, first: number, last: number): string {
  const rows = withReader(store, (reader) => [...reader.journalRows(first, last)])
  return createHash('sha256')
    .update(rows.map(({ seq, body }) => `${seq}\n${body}\n`).join(''))
    .digest('hex')
}
