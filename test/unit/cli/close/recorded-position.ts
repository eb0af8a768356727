import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CloseDocument } from '../../../../src/research/close/document/document.ts'
import { type CloseConfig, closePosition } from '../../../../src/research/close/close-position.ts'
import { openCloseSigner } from '../../../../src/research/close/proof/signature.ts'
import { EVIDENCE, freshFolder, keptFolder, recordDays, storeOf } from '../../research/close/close-fixture.ts'

export const [FIRST, SECOND, THIRD, FOURTH] = [
  '2026-11-20',
  '2026-11-21',
  '2026-11-22',
  '2026-11-23',
] as const
/** Noon of the fourth day, on which the journal ends. */
export const NOW = Date.parse(`${FOURTH}T12:00:00Z`)
let recorded: string

/** For beforeAll: what each position of a test begins with. */
export async function recordStore(): Promise<void> {
  recorded = await storeOf(recordDays(), keptFolder())
}

/** A position with a copy of the recorded store. */
export function position(
  name = 'desk-1',
  section: Partial<CloseConfig['close']> = {},
  folder = freshFolder(),
) {
  const store = join(folder, 'data', name)
  mkdirSync(join(folder, 'data'), { recursive: true })
  cpSync(recorded, store, { recursive: true })
  const config = {
    name,
    venue: { baseUrl: 'http://127.0.0.1:1' },
    strategy: { use: 'fixed-spread', params: { bidBps: 60, askBps: 70 } },
    risk: { priceCorridor: { min: '2300', max: '2900' } },
    store: { path: store },
    close: section,
  }
  const file = join(folder, `${name}.yaml`)
  const text = JSON.stringify(config).replace(
    '"venue":{',
    `"venue":{"apiKey": !env KEY_OF_${name.replace('-', '_')},`,
  )
  writeFileSync(file, text)
  const loaded = {
    core: { name },
    store: { path: store, place: store, keepJournalDays: 30, terms: null },
    close: { timezone: 'UTC', timestamp: null, ...section },
  }
  return { file, loaded, store, folder, out: join(folder, 'closes') }
}

export async function closed(
  { loaded, out }: Pick<ReturnType<typeof position>, 'loaded' | 'out'>,
  day: string,
  { now = NOW, key }: { readonly now?: number; readonly key?: string } = {},
) {
  const signer = key === undefined ? null : openCloseSigner(key)
  if (signer?.ok === false) throw new Error(signer.error)
  return closePosition(
    loaded,
    { day, out, signer: signer?.value ?? null, evidence: EVIDENCE, fleet: null },
    now,
  )
}

export async function whyNot(...of: Parameters<typeof closed>): Promise<string> {
  const made = await closed(...of)
  if (made.ok) throw new Error('it was closed')
  return made.error.why
}

export const documentOf = (out: string, day: string) =>
  JSON.parse(readFileSync(join(out, `${day}.json`), 'utf8')) as CloseDocument
