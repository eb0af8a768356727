import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll } from 'vitest'
import { decodeJson } from '../../src/base/codec.ts'
import { openReader, type StoreReader } from '../../src/store/open-reader.ts'
import type { JournalRecord } from '../../src/store/store.ts'
import type { Facts } from './position-facts.ts'
import type { Checkpoint } from './replay-facts.ts'
import { upcastEvent } from '../../src/core/engine/upcast/written.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** The releases whose stores this version has to open. */
export type Release = '0.1.0' | '0.2.0-before' | '0.3.0-before'

/**
 * The facts of a release that today's rules leave alone. 0.1.0 numbered its requests and its corrections of
 * balances otherwise, so a replay from its first event counts other entries and matches the answer of a
 * withdrawal by its amount.
 */
export function comparable(release: Release, facts: Facts): Facts {
  if (release !== '0.1.0') return facts
  const {
    ledger,
    withdrawals: _withdrawals,
    ...others
  } = facts as {
    readonly ledger: { readonly accounts: unknown }
    readonly withdrawals: unknown
  }
  return { ...others, accounts: ledger.accounts }
}

/** What the code that made a recording made of it. */
export type Expected = {
  readonly facts: Facts
  readonly fills: readonly Facts[]
  readonly checkpoints: readonly Checkpoint[]
}

export type ExpectedStore = Expected & {
  readonly snapshotSeq: number
  /** Null where the position had no treasury. */
  readonly treasury: Facts
  readonly lastSeq: number
  /** The rows of each `mizani export`. */
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
  /** A line an event, to find the first decision that differs. */
  readonly decided: readonly string[]
}

const copies: string[] = []
afterAll(() => copies.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** A copy of a recorded store as its daemon left it when it was killed: the database and its log. */
export function copyStore(release: Release, name: string): string {
  const recorded = join(HERE, release, name)
  const folder = mkdtempSync(join(tmpdir(), 'mizani-golden-'))
  copies.push(folder)
  for (const file of readdirSync(recorded).filter((found) => found.startsWith('mizani.db')))
    writeFileSync(join(folder, file.replace(/\.gz$/, '')), gunzipSync(readFileSync(join(recorded, file))))
  return folder
}

export function readStore<T>(folder: string, read: (reader: StoreReader) => T): T {
  const opened = openReader(folder)
  if (!opened.ok) throw new Error(opened.error.message)
  try {
    return read(opened.value)
  } finally {
    opened.value.close()
  }
}

export function expectedStore(release: Release, name: string): ExpectedStore {
  const recorded = join(HERE, release, name)
  return {
    ...(json(readFileSync(join(recorded, 'expected.json'))) as ExpectedStore),
    ...(json(unzipped(join(recorded, 'rows.json.gz'))) as Pick<ExpectedStore, 'fills' | 'tables'>),
    decided: unzipped(join(recorded, 'decisions.txt.gz')).toString().trimEnd().split('\n'),
  }
}

/** The seeds of the simulated worlds of which a release left a journal. */
export function recordedSeeds(release: Release): readonly number[] {
  return readdirSync(join(HERE, release, 'worlds')).flatMap((file) => {
    const seed = /^seed-(\d+)\.jsonl\.gz$/.exec(file)?.[1]
    return seed === undefined ? [] : [Number(seed)]
  })
}

export function worldJournal(release: Release, seed: number): readonly JournalRecord[] {
  const text = unzipped(join(HERE, release, 'worlds', `seed-${seed}.jsonl.gz`)).toString()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => decodeJson(line) as JournalRecord)
    .map(({ seq, event }) => ({ seq, event: upcastEvent(event) }))
}

export function expectedWorld(release: Release, seed: number): Expected {
  const path = join(HERE, release, 'worlds', `seed-${seed}`)
  return {
    ...(json(readFileSync(`${path}.json`)) as Omit<Expected, 'fills'>),
    fills: json(unzipped(`${path}.fills.json.gz`)) as Facts[],
  }
}

function unzipped(path: string): Buffer {
  return gunzipSync(readFileSync(path))
}

function json(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString())
}
