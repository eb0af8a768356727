import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../../../src/research/close/document/canonical.ts'
import type { CloseDocument } from '../../../../../src/research/close/document/document.ts'
import { sha256, sumsText } from '../../../../../src/research/close/folder/names.ts'
import type { Verifier } from '../../../../../src/research/close/proof/verifier.ts'
import { verifyFolder } from '../../../../../src/research/close/verify/verify-folder.ts'
import { ok } from '../../../../../src/base/result.ts'
import {
  closeDays,
  freshFolder,
  keptFolder,
  recordDays,
  signDigest,
  storeOf,
  VERIFIER,
} from '../close-fixture.ts'

const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22']
const LAST = '2026-11-22'
/** The signers' file names the key. */
const SIGNERS: Verifier = {
  ...VERIFIER,
  hasSigners: true,
  signature: () => ok({ fingerprint: 'SHA256:a key', signer: 'amina', refusal: '' }),
}

function problemsOf(folder: string, verifier = VERIFIER): readonly string[] {
  const verified = verifyFolder(folder, verifier)
  if (!verified.ok) throw new Error(verified.error)
  return verified.value.problems
}

let original: string
let names: readonly string[]
beforeAll(async () => {
  original = keptFolder()
  closeDays(await storeOf(recordDays(), keptFolder()), original, DAYS)
  names = readdirSync(original).toSorted()
})

/** A copy of three closes that a test may change. */
function copy(): string {
  const folder = freshFolder()
  cpSync(original, folder, { recursive: true })
  return folder
}

describe('a folder of closes', () => {
  test('holds as it was written, and names the key without the file of signers', () => {
    expect(names).toHaveLength(3 * 6 + 2)
    const verified = verifyFolder(original, VERIFIER)
    if (!verified.ok) throw new Error(verified.error)
    const { problems, days, position } = verified.value
    expect([problems, position]).toEqual([[], 'desk-1'])
    expect(days.map(({ day, signedBy, signer }) => [day, signedBy?.slice(0, 7), signer])).toEqual(
      DAYS.map((day) => [day, 'SHA256:', null]),
    )
    expect(problemsOf(original, SIGNERS)).toEqual([])
  })

  test('does not hold with one altered bit in any byte of any file', () => {
    const folder = copy()
    const places = fc.constantFrom(...names).chain((name) =>
      fc.record({
        name: fc.constant(name),
        at: fc.nat(readFileSync(join(original, name)).length - 1),
        bit: fc.nat(7),
      }),
    )
    fc.assert(
      fc.property(places, ({ name, at, bit }) => {
        const bytes = readFileSync(join(original, name))
        const altered = Buffer.from(bytes)
        altered[at] = (altered[at] ?? 0) ^ (1 << bit)
        writeFileSync(join(folder, name), altered)
        expect(problemsOf(folder).length).toBeGreaterThan(0)
        writeFileSync(join(folder, name), bytes)
      }),
      { numRuns: 40 },
    )
    expect(problemsOf(folder)).toEqual([])
  }, 120_000)

  test('does not hold without any one of its files, with one more, or with two of them swapped', () => {
    const folder = copy()
    for (const name of names) {
      rmSync(join(folder, name))
      expect([name, problemsOf(folder).length > 0]).toEqual([name, true])
      cpSync(join(original, name), join(folder, name))
    }
    for (const more of ['notes.txt', '2026-11-21.csv', `${LAST}.json.tsr`, '2026-11-23.html']) {
      writeFileSync(join(folder, more), 'more')
      expect([more, problemsOf(folder).length > 0]).toEqual([more, true])
      rmSync(join(folder, more))
    }
    for (const suffix of ['.json', '.html', '.json.sig', '.hledger', '.sha256']) {
      const [a, b] = [join(folder, `${DAYS[0]}${suffix}`), join(folder, `${DAYS[1]}${suffix}`)]
      renameSync(a, `${a}.kept`)
      renameSync(b, a)
      renameSync(`${a}.kept`, b)
      expect([suffix, problemsOf(folder).length > 0]).toEqual([suffix, true])
      renameSync(a, `${a}.kept`)
      renameSync(b, a)
      renameSync(`${a}.kept`, b)
    }
    mkdirSync(join(folder, 'more'))
    expect(problemsOf(folder)).toEqual(['the folder more was not written by a close: keep it elsewhere'])
  }, 120_000)

  test('does not hold without a whole day, in the middle or at either end', () => {
    for (const day of DAYS) {
      const folder = copy()
      for (const name of names.filter((one) => one.startsWith(day))) rmSync(join(folder, name))
      expect([day, problemsOf(folder).length > 0]).toEqual([day, true])
    }
  })

  test('reports a signature that is missing or of another key once the signers are given', () => {
    expect(problemsOf(original, { ...VERIFIER, hasSigners: true })[0]).toMatch(
      /2026-11-20.json.sig is by SHA256:a key, which the signers' file does not allow at .* \(it is another key\)$/,
    )
    const folder = copy()
    rewrite(folder, LAST, (close) => close, false)
    expect(problemsOf(folder)).toEqual([])
    expect(problemsOf(folder, SIGNERS)).toEqual(['2026-11-22: 2026-11-22.json is not signed'])
  })
})

/** Writes the last close anew with something else in it, its digests and its signature right. */
function rewrite(
  folder: string,
  day: string,
  change: (close: CloseDocument) => CloseDocument,
  isSigned = true,
): void {
  const path = join(folder, `${day}.json`)
  const bytes = Buffer.from(canonicalJson(change(JSON.parse(readFileSync(path, 'utf8')) as CloseDocument)))
  writeFileSync(path, bytes)
  if (isSigned) writeFileSync(`${path}.sig`, signDigest(bytes))
  else rmSync(`${path}.sig`)
  const files = names
    .filter(
      (name) => name.startsWith(day) && !name.endsWith('.sha256') && (isSigned || !name.endsWith('.sig')),
    )
    .map((name) => [name, readFileSync(join(folder, name))] as const)
  writeFileSync(join(folder, `${day}.sha256`), sumsText(new Map(files)))
}

describe('a close that was written anew, with digests and a signature that fit', () => {
  const cases: readonly (readonly [string, (close: CloseDocument) => CloseDocument, string])[] = [
    [
      'another amount of an entry',
      (close) => {
        const entries = structuredClone(close.entries)
        for (const posting of entries[0]?.postings ?? [])
          if (posting.account === 'pool' && posting.asset === 'USDC') posting.amount = '501'
        return { ...close, entries }
      },
      'does not sum to zero in USDC',
    ],
    [
      'another balance at the end',
      (close) => ({
        ...close,
        accounts: {
          ...close.accounts,
          closing: { ...close.accounts.closing, pool: { ...close.accounts.closing.pool, NTZS: '1' } },
        },
      }),
      'opening and entries do not lead to the closing balances',
    ],
    [
      'a kinder mid',
      (close) => ({ ...close, mids: { ...close.mids, closing: '2600' } }),
      'the PnL does not follow from entries and mids',
    ],
    ['a fill left out of the ledger', (close) => ({ ...close, entries: [] }), 'fill third has no entry'],
    ['a fill left out of the fills', (close) => ({ ...close, fills: [] }), 'has no fill third'],
    [
      'a fill left out as taken back before it was booked',
      (close) => ({ ...close, fills: [], undoneLater: [{ fillId: 'third', number: 1, seq: 2 }] }),
      'has no fill third',
    ],
    [
      'another amount of a fill',
      (close) => ({ ...close, fills: close.fills.map((fill) => ({ ...fill, amountIn: '499' })) }),
      'fill third and its entry',
    ],
    ['a longer day', (close) => ({ ...close, to: '2026-11-23T01:00:00.000Z' }), 'is not 2026-11-22 in UTC'],
    ['another zone', (close) => ({ ...close, timezone: 'Moon/Base' }), 'in Moon/Base'],
    [
      'events left out',
      (close) => ({ ...close, journal: { ...close.journal, first: close.journal.first + 1 } }),
      'the close of 2026-11-21 ends with event',
    ],
    [
      'another close before it',
      (close) => ({ ...close, previous: { day: '2026-11-21', sha256: '0'.repeat(64) } }),
      'is not the one that it follows',
    ],
    ['no close before it', (close) => ({ ...close, previous: null }), 'it names no close before it'],
    ['another position', (close) => ({ ...close, position: 'desk-2' }), 'this one of desk-2'],
    [
      'a rate of zero',
      (close) => ({ ...close, mids: { ...close.mids, closing: '0' } }),
      'the document is not a close of this version',
    ],
    [
      'more digits than the book has',
      (close) => ({
        ...close,
        accounts: {
          ...close.accounts,
          opening: {
            ...close.accounts.opening,
            pool: { ...close.accounts.opening.pool, USDC: '0.0000000000000000001' },
          },
        },
      }),
      'the document is not a close of this version',
    ],
    [
      'another page',
      (close) => ({ ...close, files: close.files.map((file) => ({ ...file, sha256: sha256('') })) }),
      'is not the one that the close lists',
    ],
  ]
  test.each(cases)('does not hold with %s', (_what, change, problem) => {
    const folder = copy()
    rewrite(folder, LAST, change)
    expect(problemsOf(folder).join('\n')).toContain(problem)
  })

  test('does not hold in the middle of the chain, whatever it has', () => {
    const folder = copy()
    rewrite(folder, '2026-11-21', (close) => ({ ...close, software: 'another' }))
    expect(problemsOf(folder)).toEqual(['2026-11-22: the close of 2026-11-21 is not the one that it follows'])
  })
})

test('a fill that is left out as taken back later has the entry that took it back in the close of that day', () => {
  const folder = copy()
  const of = (day: string) => JSON.parse(readFileSync(join(folder, `${day}.json`), 'utf8')) as CloseDocument
  const [first] = of('2026-11-20').entries.filter(({ fillId }) => fillId === 'first')
  const seq = of(LAST).journal.first
  const number = (of(LAST).entries.at(-1)?.number ?? 0) + 1
  rewrite(folder, '2026-11-20', (close) => ({
    ...close,
    fills: close.fills.filter(({ id }) => id !== 'first'),
    undoneLater: [{ fillId: 'first', number, seq }],
  }))
  const wrong = `2026-11-20: fill first is left out, and entry ${number} of ${LAST} does not take it back`
  expect(problemsOf(folder)).toContain(wrong)
  const undone = { kind: 'fill-undone', fillId: 'first', number, seq: of(LAST).journal.last } as const
  rewrite(folder, LAST, (close) => ({
    ...close,
    entries: [...close.entries, ...(first === undefined ? [] : [{ ...first, ...undone }])],
  }))
  expect(problemsOf(folder)).not.toContain(wrong)
})
