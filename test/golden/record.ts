import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { EXPORT_KINDS } from '../../src/store/export/kinds.ts'
import { openReader, type StoreReader } from '../../src/store/open-reader.ts'
import { readRows } from '../../src/store/tape/folder/merge-tapes.ts'
import { openTape } from '../../src/store/tape/folder/open-tape.ts'
import { kindAndValues, valuesOf } from './decision-lines.ts'
import { replayFacts } from './replay-facts.ts'
import { inTokenUnits } from './token-units.ts'
import { treasuryFacts } from './treasury-facts.ts'

// `node test/golden/record.ts STORE RELEASE/NAME [TAPE]`: keeps a copy of the store of a daemon that was killed, and what the code of
// this checkout reads from it and from its tape. Run it in a checkout of the release, with a store of a strategy of
// `support/world-strategies.ts`.

const [store, name, tape] = process.argv.slice(2)
if (store === undefined || name === undefined)
  throw new Error('node test/golden/record.ts STORE RELEASE/NAME [TAPE]')
const folder = join(import.meta.dirname, name)
mkdirSync(folder, { recursive: true })
for (const file of readdirSync(store).filter((found) => /^mizani\.db(-wal)?$/.test(found)))
  writeFileSync(join(folder, `${file}.gz`), gzipSync(readFileSync(join(store, file)), { level: 9 }))
const opened = openReader(store)
if (!opened.ok) throw new Error(opened.error.message)
keep(opened.value)
opened.value.close()
if (tape !== undefined) await keepTape(tape)

function keep(reader: StoreReader): void {
  const { lines, fills, facts, checkpoints, seq } = replayFacts({
    snapshot: null,
    tail: reader.journal(1),
    suspensions: reader.suspensions(),
  })
  const treasury = treasuryFacts(reader.treasury())
  const expected = { facts, checkpoints, treasury, snapshotSeq: reader.latestSnapshot()?.seq, lastSeq: seq }
  const tables = Object.fromEntries(EXPORT_KINDS.map((kind) => [kind, [...reader.rows(kind)]]))
  writeFileSync(join(folder, 'expected.json'), `${jsonOf(expected, 2)}\n`)
  writeFileSync(join(folder, 'rows.json.gz'), gzipSync(jsonOf({ fills, tables }), { level: 9 }))
  writeFileSync(
    join(folder, 'decisions.txt.gz'),
    gzipSync(`${lines.map(({ decided }) => decided).join('\n')}\n`, { level: 9 }),
  )
}

function jsonOf(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? `${one}` : one), indent)
}

async function keepTape(from: string): Promise<void> {
  const kept = openTape(from, { decisions: true })
  if (!kept.ok) throw new Error(kept.error)
  const rows: string[] = []
  for await (const row of readRows(kept.value)) rows.push(kindAndValues(inTokenUnits(row), valuesOf))
  const to = join(folder, '../tape')
  cpSync(from, join(to, basename(from)), { recursive: true, filter: (path) => !path.includes('writer.lock') })
  writeFileSync(join(to, 'rows.txt.gz'), gzipSync(`${rows.join('\n')}\n`, { level: 9 }))
}
