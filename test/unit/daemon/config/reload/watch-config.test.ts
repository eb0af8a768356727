import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { watchConfig, type ConfigWatch } from '../../../../../src/daemon/config/reload/watch-config.ts'
import { folderWith } from '../config-fixture.ts'

const FAST = { debounceMs: 10, pollIntervalMs: 60_000 }
const open: ConfigWatch[] = []
afterEach(() => {
  for (const watch of open.splice(0)) watch.close()
})

/** A watch whose changes can be awaited one by one. */
function watching(files: readonly string[] | (() => readonly string[]), options = FAST) {
  const seen: (readonly string[])[] = []
  let wake: () => void = () => undefined
  open.push(
    watchConfig(
      files,
      (changed) => {
        seen.push(changed)
        wake()
      },
      options,
    ),
  )
  const next = async (): Promise<readonly string[]> => {
    if (seen.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    const [first] = seen.splice(0, 1)
    return first ?? []
  }
  return { next, seen }
}

test('a file that is written in place is seen once', async () => {
  const file = join(folderWith({ 'live.yaml': 'a: 1' }), 'live.yaml')
  const { next, seen } = watching([file])
  writeFileSync(file, 'a:')
  writeFileSync(file, 'a: 2')
  expect(await next()).toEqual([file])
  expect(seen).toEqual([])
})

test('a file that an editor replaces by a rename is seen, and again the next time', async () => {
  const folder = folderWith({ 'live.yaml': 'a: 1' })
  const file = join(folder, 'live.yaml')
  const { next } = watching([file])
  for (const text of ['a: 2', 'a: 3']) {
    writeFileSync(join(folder, '.live.swp'), text)
    renameSync(join(folder, '.live.swp'), file)
    expect(await next()).toEqual([file])
  }
})

test('what has changed can be asked for at once, and is not reported a second time', async () => {
  const folder = folderWith({ 'live.yaml': 'a: 1', 'other.yaml': 'b: 1' })
  const [file, other] = [join(folder, 'live.yaml'), join(folder, 'other.yaml')]
  const { next, seen } = watching([file, other])
  const [watch] = open
  expect(watch?.compareNow()).toEqual([])
  writeFileSync(file, 'a: 2')
  expect(watch?.compareNow()).toEqual([file])
  writeFileSync(other, 'b: 2')
  expect(await next()).toEqual([other])
  expect(seen).toEqual([])
})

test('a ConfigMap whose symlink is swapped is seen, and what lies behind the new link too', async () => {
  const folder = folderWith({})
  for (const version of ['one', 'two']) {
    mkdirSync(join(folder, version))
    writeFileSync(join(folder, version, 'live.yaml'), `a: ${version}`)
  }
  symlinkSync('one', join(folder, '..data'))
  symlinkSync(join('..data', 'live.yaml'), join(folder, 'live.yaml'))
  const file = join(folder, 'live.yaml')
  const { next } = watching([file])
  symlinkSync('two', join(folder, '..data_tmp'))
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
  expect(await next()).toEqual([file])
  writeFileSync(join(folder, 'two', 'live.yaml'), 'a: three')
  expect(await next()).toEqual([file])
})

test('a file that is only touched, or a neighbour, is no change', async () => {
  const folder = folderWith({ 'live.yaml': 'a: 1', 'other.yaml': 'b: 1' })
  const file = join(folder, 'live.yaml')
  const other = join(folder, 'other.yaml')
  const { next } = watching([file, other])
  utimesSync(file, 1, 1)
  writeFileSync(join(folder, 'neighbour'), 'x')
  writeFileSync(other, 'b: 2')
  expect(await next()).toEqual([other])
})

test('a neighbour that is written all the time does not hide a change', async () => {
  const folder = folderWith({ 'live.yaml': 'a: 1' })
  const file = join(folder, 'live.yaml')
  const { next } = watching([file], { debounceMs: 20, pollIntervalMs: 60_000 })
  let lines = 0
  const busy = setInterval(() => writeFileSync(join(folder, 'log'), `${lines++}`), 4)
  writeFileSync(file, 'a: 2')
  const changed = await next()
  clearInterval(busy)
  expect(changed).toEqual([file])
})

test('a file that goes and comes back is seen both times', async () => {
  const file = join(folderWith({ 'live.yaml': 'a: 1' }), 'live.yaml')
  const { next } = watching([file])
  rmSync(file)
  expect(await next()).toEqual([file])
  writeFileSync(file, 'a: 1')
  expect(await next()).toEqual([file])
})

test('where the folder cannot be watched, comparing by time finds the change', async () => {
  const folder = join(folderWith({}), 'later')
  const file = join(folder, 'live.yaml')
  const { next } = watching([file], { debounceMs: 10, pollIntervalMs: 20 })
  mkdirSync(folder)
  writeFileSync(file, 'a: 1')
  expect(await next()).toEqual([file])
})

test('after close nothing is reported', async () => {
  const file = join(folderWith({ 'live.yaml': 'a: 1' }), 'live.yaml')
  const { seen } = watching([file], { debounceMs: 1, pollIntervalMs: 1 })
  for (const watch of open.splice(0)) watch.close()
  const { next } = watching([file])
  writeFileSync(file, 'a: 2')
  expect(await next()).toEqual([file])
  expect(seen).toEqual([])
})

test('files that come into a folder, change there and leave it are seen where the list is asked for each time', async () => {
  const folder = folderWith({ 'defaults.yaml': 'fleet: {}' })
  const listed = () => readdirSync(folder).map((name) => join(folder, name))
  const { next } = watching(listed)
  const file = join(folder, 'west.yaml')
  writeFileSync(file, 'name: west')
  expect(await next()).toEqual([file])
  writeFileSync(file, 'name: east')
  expect(await next()).toEqual([file])
  rmSync(file)
  expect(await next()).toEqual([file])
})

test('a second write of the same size within one tick of the clock is seen', async () => {
  const file = join(folderWith({ 'live.yaml': 'a: 1' }), 'live.yaml')
  const { next } = watching([file], { debounceMs: 1, pollIntervalMs: 20 })
  for (let n = 2; n < 9; n++) {
    writeFileSync(file, `a: ${n}`)
    expect(await next()).toEqual([file])
  }
})
