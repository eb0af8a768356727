import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Disk, DISK } from '../../../../../src/research/close/folder/disk.ts'
import { isLeftOver } from '../../../../../src/research/close/folder/names.ts'
import { placeOfDay } from '../../../../../src/research/close/place-of-day.ts'
import { readCloseFolder } from '../../../../../src/research/close/folder/read-folder.ts'
import { renderDay, writeDay } from '../../../../../src/research/close/folder/write-day.ts'
import { verifyFolder } from '../../../../../src/research/close/verify/verify-folder.ts'
import {
  bodyOf,
  freshFolder,
  keptFolder,
  recordDays,
  signDigest,
  storeOf,
  VERIFIER,
} from '../close-fixture.ts'

const DAY = '2026-11-20'
let store: string
beforeAll(async () => {
  store = await storeOf(recordDays(), keptFolder())
})

type Files = ReadonlyMap<string, Buffer>

/** What a close of the day writes. */
function filesOf(status: 'final' | 'provisional', isSigned: boolean): Files {
  const { bytes, files } = renderDay(bodyOf(store, DAY, null, { isOver: status === 'final' }))
  const signed = isSigned ? [[`${DAY}.json.sig`, signDigest(bytes)] as const] : []
  return new Map([...files, [`${DAY}.json`, bytes], ...signed])
}

function folderWith(there: Files | null): string {
  const folder = freshFolder()
  if (there !== null) expect(writeDay(folder, DAY, there, 'desk-1', [DAY])).toMatchObject({ ok: true })
  return folder
}

/** The process is gone after so many steps: nothing of it runs any longer. */
class Killed extends Error {}

/** A disk whose process is killed, or that refuses to write, at one of its steps. */
function cutOff(at: number, how: 'killed' | 'full'): { readonly disk: Disk; readonly steps: () => number } {
  let steps = 0
  const after =
    <Args extends readonly unknown[], T>(step: (...args: Args) => T) =>
    (...args: Args): T => {
      steps += 1
      if (how === 'killed' ? steps > at : steps === at) {
        if (how === 'killed') throw new Killed('killed')
        throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
      }
      return step(...args)
    }
  const { makeFolder, read, write, replace, remove, flush } = DISK
  const half: Disk['write'] = (path, bytes) => {
    // What is cut off in the middle of a file has written a part of it.
    if (steps === at) writeFileSync(path, bytes.subarray(0, bytes.length / 2))
    else write(path, bytes)
  }
  return {
    disk: {
      makeFolder,
      read,
      write: after(half),
      replace: after(replace),
      remove: how === 'killed' ? after(remove) : remove,
      flush: after(flush),
    },
    steps: () => steps,
  }
}

/** Writes until it is cut off at each step in turn; returns what each left. */
function cutEverywhere(before: Files | null, after: Files, how: 'killed' | 'full'): readonly string[] {
  const left: string[] = []
  for (let at = how === 'full' ? 1 : 0; ; at += 1) {
    const folder = folderWith(before)
    const { disk, steps } = cutOff(at, how)
    let isWritten = false
    try {
      isWritten = writeDay(folder, DAY, after, 'desk-1', [DAY], disk).ok
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
    if (isWritten && steps() <= at) return left
    left.push(folder)
  }
}

const documentIn = (folder: string) => readFileSync(join(folder, `${DAY}.json`))
const problemsOf = (folder: string) => {
  const verified = verifyFolder(folder, VERIFIER)
  if (!verified.ok) throw new Error(verified.error)
  return verified.value.problems
}

/** What the next close of the day finds. */
function existingIn(folder: string) {
  const read = readCloseFolder(folder)
  const place = read.ok ? placeOfDay(read.value, 'desk-1', DAY, VERIFIER) : read
  if (!place.ok) throw new Error(place.error)
  return place.value.existing
}

/** As `close` does: what was left goes, then the day is written. */
function writeAgain(folder: string, files: Files): readonly string[] {
  for (const name of readdirSync(folder).filter(isLeftOver)) rmSync(join(folder, name))
  expect(writeDay(folder, DAY, files, 'desk-1', [DAY])).toMatchObject({ ok: true })
  return problemsOf(folder)
}

describe.each(['killed', 'full'] as const)('writing that is cut off at any step (%s)', (how) => {
  test('adds a signature to a final close without a moment in which that close is lost or another one', () => {
    const [unsigned, signed] = [filesOf('final', false), filesOf('final', true)]
    const left = cutEverywhere(unsigned, signed, how)
    expect(left.length).toBeGreaterThan(4)
    for (const folder of left) {
      expect(documentIn(folder).equals(signed.get(`${DAY}.json`) ?? Buffer.alloc(0))).toBe(true)
      expect(existingIn(folder)?.close.document.status).toBe('final')
      expect(writeAgain(folder, signed)).toEqual([])
    }
  })

  test('keeps a signature that is there while another file is added', () => {
    const signed = filesOf('final', true)
    const stamped = new Map([...signed, [`${DAY}.json.tsr`, Buffer.from('a time-stamp')]])
    for (const folder of cutEverywhere(signed, stamped, how))
      expect(
        readFileSync(join(folder, `${DAY}.json.sig`)).equals(
          signed.get(`${DAY}.json.sig`) ?? Buffer.alloc(0),
        ),
      ).toBe(true)
  })

  test('replaces a provisional close: the next close of the day finds that one, none, or the final one', () => {
    const [before, after] = [filesOf('provisional', true), filesOf('final', true)]
    const found = new Set<string>()
    for (const folder of cutEverywhere(before, after, how)) {
      const existing = existingIn(folder)
      found.add(existing?.close.document.status ?? 'none')
      if (existing?.close.document.status === 'final')
        expect(documentIn(folder).equals(after.get(`${DAY}.json`) ?? Buffer.alloc(0))).toBe(true)
      expect(writeAgain(folder, after)).toEqual([])
    }
    expect([...found].toSorted()).toEqual(['final', 'none', 'provisional'])
  })

  test('writes a first close: the next close of the day finds none, or this one with all that it lists', () => {
    const files = filesOf('final', false)
    const found = cutEverywhere(null, files, how).map((folder) => existingIn(folder)?.isWhole ?? null)
    expect(new Set(found)).toEqual(new Set([null, false, true]))
  })
})

test('what a full disk cut off is removed, and what a killed close left is named and not taken for a file of the folder', () => {
  const files = filesOf('final', false)
  for (const folder of cutEverywhere(null, files, 'full'))
    expect(readdirSync(folder).filter(isLeftOver)).toEqual([])
  const folder = folderWith(files)
  writeFileSync(join(folder, `${DAY}.json.sig.4711.part`), 'half')
  expect(problemsOf(folder)).toEqual([
    `${DAY}.json.sig.4711.part was left by a close that was killed: the next one removes it`,
  ])
  expect(isLeftOver('notes.4711.part')).toBe(false)
  mkdirSync(join(folder, 'more'))
  expect(problemsOf(folder)).toHaveLength(2)
})
