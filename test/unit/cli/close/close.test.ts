import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '../../../../src/base/result.ts'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { dayBefore, zonedDayText } from '../../../../src/research/close/document/day-span.ts'
import { canonicalJson } from '../../../../src/research/close/document/canonical.ts'
import { closePosition } from '../../../../src/research/close/close-position.ts'
import { verifyClose } from '../../../../src/cli/close/verify-close.ts'
import { LOCK, sumsText } from '../../../../src/research/close/folder/names.ts'
import { takeFileLock } from '../../../../src/base/lock/file-lock.ts'
import { storeFiles } from '../../../../src/store/store-files.ts'
import { captured } from '../../../support/captured.ts'
import { EVIDENCE } from '../../research/close/close-fixture.ts'
import { tamper } from '../../store/store-fixture.ts'
import {
  closed,
  documentOf,
  FIRST,
  FOURTH,
  NOW,
  position,
  recordStore,
  SECOND,
  THIRD,
  whyNot,
} from './recorded-position.ts'

beforeAll(recordStore)
afterEach(() => {
  process.exitCode = 0
  vi.restoreAllMocks()
})

describe('closing days', () => {
  test('one after another makes a chain that verifies, and a day that is not over is provisional', async () => {
    const at = position()
    for (const day of [FIRST, SECOND, THIRD, FOURTH])
      expect(await closed(at, day)).toMatchObject({ ok: true, value: { isNew: true, isSigned: false } })
    expect([THIRD, FOURTH].map((day) => documentOf(at.out, day).status)).toEqual(['final', 'provisional'])
    const { text, exitCode } = await captured(() => verifyClose(at.out, {}))
    expect([exitCode, text]).toEqual([0, expect.stringContaining('desk-1: 4 closes hold')])
    expect(text).toContain(`${FOURTH}  provisional; not signed`)
  })

  test('again after its end replaces a provisional close, and a final one stays as it is', async () => {
    const at = position()
    for (const day of [FIRST, SECOND, THIRD, FOURTH]) await closed(at, day)
    const later = NOW + 24 * 3_600_000
    expect(await closed(at, FOURTH, { now: later })).toMatchObject({ ok: true, value: { isNew: true } })
    expect(documentOf(at.out, FOURTH).status).toBe('final')
    const before = readFileSync(join(at.out, `${FOURTH}.json`))
    expect(await closed(at, FOURTH, { now: later + 1 })).toMatchObject({ ok: true, value: { isNew: false } })
    expect(readFileSync(join(at.out, `${FOURTH}.json`)).equals(before)).toBe(true)
    expect(readdirSync(at.out).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('names yesterday and today in the time zone of the configuration', async () => {
    const at = position('desk-1', { timezone: 'Pacific/Kiritimati' })
    // It is the day after already on these islands.
    expect(await closed(at, 'yesterday')).toMatchObject({ ok: true, value: { document: { day: FOURTH } } })
    expect(await closed(at, 'yesterday', { now: NOW - 24 * 3_600_000 })).toMatchObject({
      ok: false,
      error: { why: expect.stringContaining('only grows') as string },
    })
  })

  test('without an event has the balances of the day before, and no fill', async () => {
    const at = position()
    const now = NOW + 3 * 24 * 3_600_000
    for (const day of [FIRST, SECOND, THIRD, FOURTH]) await closed(at, day, { now })
    expect(await closed(at, '2026-11-24', { now })).toMatchObject({ ok: true })
    const [last, empty] = [documentOf(at.out, FOURTH), documentOf(at.out, '2026-11-24')]
    expect(empty.accounts).toEqual({ opening: last.accounts.closing, closing: last.accounts.closing })
    expect([empty.status, empty.entries, empty.fills]).toEqual(['final', [], []])
    expect(empty.journal.last).toBe(empty.journal.first - 1)
    expect(await captured(() => verifyClose(at.out, {}))).toMatchObject({ exitCode: 0 })
  })

  test('of a store that its daemon holds again stays final', async () => {
    const at = position()
    for (const day of [FIRST, SECOND, THIRD]) await closed(at, day)
    const later = { now: NOW + 24 * 3_600_000 }
    await closed(at, FOURTH, later)
    const lock = takeFileLock(storeFiles(at.store).lock, 100)
    if (!lock.ok) throw new Error('the lock is taken')
    expect(await closed(at, FOURTH, later)).toMatchObject({ ok: true, value: { isNew: false } })
    lock.value.release()
    expect(documentOf(at.out, FOURTH).status).toBe('final')
  })

  test('removes what a close that was killed left, and two at once write one after the other', async () => {
    const at = position()
    await closed(at, FIRST)
    writeFileSync(join(at.out, `${FIRST}.json.sig.4711.part`), 'half')
    expect(await captured(() => verifyClose(at.out, {}))).toMatchObject({ exitCode: 1 })
    expect(await closed(at, FIRST)).toMatchObject({ ok: true, value: { isNew: false } })
    expect(await captured(() => verifyClose(at.out, {}))).toMatchObject({ exitCode: 0 })
    const both = await Promise.all([closed(at, SECOND), closed(at, SECOND)])
    expect(both.filter((one) => one.ok && one.value.isNew)).toHaveLength(1)
    const lock = takeFileLock(join(at.out, LOCK))
    const waiting = closed(at, THIRD)
    // A close that waits for no lock would be as far as this one.
    await closed(position(), FIRST)
    expect(existsSync(join(at.out, `${THIRD}.json`))).toBe(false)
    if (lock.ok) lock.value.release()
    expect(await waiting).toMatchObject({ ok: true })
    expect(await captured(() => verifyClose(at.out, {}))).toMatchObject({ exitCode: 0 })
    writeFileSync(join(at.out, LOCK), 'notes')
    expect(await captured(() => verifyClose(at.out, {}))).toMatchObject({ exitCode: 1 })
  })

  test('stays provisional after its end while a daemon that may still write has not written on', async () => {
    const at = position()
    for (const day of [FIRST, SECOND, THIRD]) await closed(at, day)
    const lock = takeFileLock(storeFiles(at.store).lock, 100)
    if (!lock.ok) throw new Error('the lock is taken')
    await closed(at, FOURTH, { now: NOW + 24 * 3_600_000 })
    lock.value.release()
    expect(documentOf(at.out, FOURTH).status).toBe('provisional')
  })
})

describe('a day is not closed', () => {
  test('before it has begun, before the position began, or where the calendar has no such day', async () => {
    const at = position()
    expect(await whyNot(at, '2026-11-25')).toMatch(/2026-11-25 .*begun in UTC/)
    expect(await whyNot(at, '2026-11-19')).toContain('2026-11-19')
    expect(await whyNot(at, '2026-02-30')).toContain('calendar day')
    rmSync(at.store, { recursive: true })
    expect(await whyNot(at, FIRST)).toContain('no store in')
  })

  test('where the close of the day before is missing or provisional', async () => {
    const at = position()
    await closed(at, FIRST)
    expect(await whyNot(at, THIRD)).toContain(`close ${SECOND} first`)
    const other = position()
    await closed(other, FOURTH)
    expect(await whyNot(other, '2026-11-24', { now: NOW + 24 * 3_600_000 })).toContain(
      `provisional: close ${FOURTH} first`,
    )
  })

  test('twice with other figures: what changed is named, and the close stays', async () => {
    const at = position()
    await closed(at, FIRST)
    tamper(at.store, `UPDATE fills SET earned_text = 'more' WHERE venue_id = 'first'`)
    expect(await whyNot(at, FIRST)).toContain('(fills)')
    expect(documentOf(at.out, FIRST).fills[0]?.['earned']).toBeNull()
  })

  test('anew where the sums of a final close are gone: they are written again, and the close stays', async () => {
    const at = position()
    await closed(at, FIRST)
    const before = readFileSync(join(at.out, `${FIRST}.json`))
    rmSync(join(at.out, `${FIRST}.sha256`))
    tamper(at.store, `UPDATE fills SET earned_text = 'more' WHERE venue_id = 'first'`)
    expect(await whyNot(at, FIRST)).toContain('(fills)')
    tamper(at.store, `UPDATE fills SET earned_text = NULL WHERE venue_id = 'first'`)
    expect(await closed(at, FIRST, { now: NOW + 1 })).toMatchObject({ ok: true, value: { isNew: true } })
    expect(readFileSync(join(at.out, `${FIRST}.json`)).equals(before)).toBe(true)
    expect(await captured(() => verifyClose(at.out, {}))).toMatchObject({ exitCode: 0 })
  })

  test('from a store whose ledger before that day is not the one that was closed', async () => {
    const at = position()
    await closed(at, FIRST)
    tamper(at.store, `UPDATE postings SET amount = '1' WHERE rowid = (SELECT min(rowid) FROM postings)`)
    expect(await whyNot(at, SECOND)).toContain('at the start')
  })

  test('from a store whose entries do not add up, or whose chain of operators is broken', async () => {
    const at = position()
    tamper(at.store, `DELETE FROM postings WHERE seq = (SELECT seq FROM fills LIMIT 1) AND p = 0`)
    expect(await whyNot(at, FIRST)).toContain('zero in USDC')
    const other = position()
    tamper(other.store, `UPDATE operator_actions SET body = replace(body, 'pause', 'halt')`)
    expect(await whyNot(other, FIRST)).toContain("operators' actions")
  })

  test('from a store that is older than the close before it', async () => {
    const at = position()
    for (const day of [FIRST, SECOND]) await closed(at, day)
    tamper(at.store, 'DELETE FROM journal WHERE seq > 100')
    expect(await whyNot(at, THIRD)).toContain(`${SECOND}: it ends with event 100`)
  })

  test('in another time zone than the day before', async () => {
    const at = position()
    await closed(at, FIRST)
    const moved = position('desk-1', { timezone: 'Africa/Dar_es_Salaam' }, at.folder)
    expect(await whyNot(moved, SECOND)).toContain('2026-11-20T21:00:00.000Z')
  })

  test('into the folder of another position', async () => {
    const at = position()
    await closed(at, FIRST)
    const other = position('desk-2')
    expect(await whyNot({ ...other, out: at.out }, SECOND)).toContain('position its own folder')
  })
})

test('a day whose events retention has dropped is closed without their digest', async () => {
  const at = position()
  tamper(at.store, 'DELETE FROM journal WHERE seq <= (SELECT min(seq) + 50 FROM journal)')
  await closed(at, FIRST)
  expect(documentOf(at.out, FIRST)).toMatchObject({ journal: { first: 1, sha256: null }, status: 'final' })
  tamper(at.store, 'DELETE FROM journal WHERE seq <= (SELECT max(seq) - 50 FROM journal)')
  await closed(at, SECOND)
  expect(await captured(() => verifyClose(at.out, {}))).toMatchObject({ exitCode: 0 })
})

/** A reorganisation on the third day takes back a fill of the first one: its entry, and the row that goes with it. */
function takeBack(store: string, id: string): void {
  tamper(
    store,
    `DELETE FROM fills WHERE venue_id = '${id}';
    INSERT INTO ledger_entries SELECT (SELECT max(seq) - 10 FROM journal), 90, (SELECT max(number) + 1 FROM ledger_entries),
      (SELECT max(t) FROM journal), 'fill-undone', 'not on the chain any longer', fill_id
      FROM ledger_entries WHERE fill_id = '${id}' AND kind = 'fill';
    INSERT INTO postings SELECT (SELECT max(seq) - 10 FROM journal), 90, p, account, asset,
      CASE WHEN amount LIKE '-%' THEN substr(amount, 2) ELSE '-' || amount END
      FROM postings JOIN ledger_entries USING (seq, n) WHERE fill_id = '${id}' AND kind = 'fill'`,
  )
}

describe('a day of which the store keeps less than it had', () => {
  test('is signed later over the bytes that were closed, and a difference in what is kept is refused', async () => {
    const at = position()
    await closed(at, FIRST)
    const before = readFileSync(join(at.out, `${FIRST}.json`))
    tamper(at.store, 'DELETE FROM journal WHERE seq <= (SELECT min(seq) + 50 FROM journal)')
    takeBack(at.store, 'first')
    const signer = () => ok('a signature')
    const closing = { day: FIRST, out: at.out, signer, evidence: EVIDENCE, fleet: null }
    expect(await closePosition(at.loaded, closing, NOW)).toMatchObject({
      ok: true,
      value: { isSigned: true, takenBack: [{ fillId: 'first', number: expect.any(Number) }] },
    })
    expect(readFileSync(join(at.out, `${FIRST}.json`)).equals(before)).toBe(true)
    rmSync(join(at.out, `${FIRST}.json.sig`))
    rmSync(join(at.out, `${FIRST}.sha256`))
    tamper(at.store, `UPDATE fills SET earned_text = 'more' WHERE venue_id = 'second'`)
    expect(await whyNot(at, FIRST)).toContain('(fills)')
  })

  test('is closed late with the entries that took its fills back, which the close of their day has', async () => {
    const at = position()
    takeBack(at.store, 'first')
    for (const day of [FIRST, SECOND, THIRD, FOURTH])
      expect(await closed(at, day)).toMatchObject({ ok: true })
    const { undoneLater, fills } = documentOf(at.out, FIRST)
    expect([undoneLater, fills.map(({ id }) => id)]).toEqual([
      [expect.objectContaining({ fillId: 'first' })],
      ['second'],
    ])
    expect(await captured(() => verifyClose(at.out, {}))).toMatchObject({ exitCode: 0 })
  })
})

/** A close as an earlier mizani wrote it, which did not list what was taken back before it was made. */
function asBefore(out: string, day: string): void {
  const { undoneLater: _unknown, ...close } = documentOf(out, day)
  writeFileSync(join(out, `${day}.json`), canonicalJson(close))
  const files = readdirSync(out).filter((name) => name.startsWith(day) && name !== `${day}.sha256`)
  const bytes = new Map(files.map((name) => [name, readFileSync(join(out, name))]))
  writeFileSync(join(out, `${day}.sha256`), sumsText(bytes))
}

describe('what a later close corrects', () => {
  test('of an earlier one that lists no fill for an entry is read as the correction that it is, and blocks no later day', async () => {
    const at = position()
    takeBack(at.store, 'first')
    await closed(at, FIRST)
    asBefore(at.out, FIRST)
    const alone = await captured(() => verifyClose(at.out, {}))
    expect(alone).toMatchObject({
      exitCode: 1,
      text: expect.stringMatching(/entry \d+ has no fill first/),
    })
    for (const day of [SECOND, THIRD, FOURTH]) expect(await closed(at, day)).toMatchObject({ ok: true })
    const { text, exitCode } = await captured(() => verifyClose(at.out, {}))
    expect([exitCode, text]).toEqual([0, expect.stringContaining('desk-1: 4 closes hold')])
    expect(text).toMatch(
      new RegExp(
        `correction of ${FOURTH}: entry \\d+ takes back fill first, which entry \\d+ of ${FIRST} had`,
      ),
    )
  })

  test('is also a fill that the venue reported after the end of its day: it is named with that day', async () => {
    const at = position()
    const late = Date.parse(`${FIRST}T23:59:59Z`)
    tamper(at.store, `UPDATE fills SET created_at = ${late} WHERE venue_id = 'third'`)
    for (const day of [FIRST, SECOND, THIRD]) expect(await closed(at, day)).toMatchObject({ ok: true })
    const { text, exitCode } = await captured(() => verifyClose(at.out, {}))
    expect([exitCode, text]).toEqual([
      0,
      expect.stringContaining(
        `correction of ${THIRD}: booked here and not in the close of ${FIRST}, because the venue`,
      ),
    ])
    expect(text).toContain('reported them after its end: fill third')
  })
})

test('yesterday is the day before today', () => {
  expect(dayBefore(zonedDayText(NOW, 'UTC'))).toBe(THIRD)
})
