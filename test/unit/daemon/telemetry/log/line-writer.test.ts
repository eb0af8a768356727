import { stripVTControlCharacters } from 'node:util'
import { mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog, openLogFile } from '../../../../../src/daemon/telemetry/log/log.ts'
import { lineWriter, readableLines, type Write } from '../../../../../src/daemon/telemetry/log/line-writer.ts'

/** A disk that takes at most so many bytes at a time, as long as there is room. */
function disk(most = 1_000) {
  const self = { text: '', room: Number.POSITIVE_INFINITY, busy: 0, tries: 0 }
  const write: Write = (bytes) => {
    self.tries += 1
    if (self.busy-- > 0) throw Object.assign(new Error('busy'), { code: 'EAGAIN' })
    if (self.room <= 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    const taken = bytes.subarray(0, Math.min(most, self.room))
    self.text += Buffer.from(taken).toString('latin1')
    self.room -= taken.length
    return taken.length
  }
  return { self, writer: lineWriter(1, write) }
}

test('a disk that takes a line in pieces gets the whole of it', () => {
  const { self, writer } = disk(3)
  writer.write('{"msg":"a spread"}\n')
  expect(self.text).toBe('{"msg":"a spread"}\n')
})

test('lines that a full disk does not take are lost, nothing is thrown, and their number is reported when there is room', () => {
  const { self, writer } = disk()
  writer.write('one\n')
  self.room = 0
  for (let line = 0; line < 3; line += 1) writer.write('lost\n')
  self.room = 10_000
  writer.write('two\n')
  writer.write('three\n')
  const [one, said, ...rest] = self.text.split('\n')
  expect([one, ...rest]).toEqual(['one', 'two', 'three', ''])
  expect(JSON.parse(said ?? '')).toMatchObject({
    level: 'warn',
    lost: 3,
    msg: '3 log lines could not be written (ENOSPC) and are lost',
  })
})

test('a line that a full disk cut off does not spoil the next one', () => {
  const { self, writer } = disk()
  self.room = 6
  writer.write('a long line\n')
  self.room = 10_000
  writer.write('whole\n')
  expect(self.text).toMatch(/^a long\n\{.*\}\nwhole\n$/)
})

test('the log waits for a reader that is busy for a moment, and waits only once for one that stands still', () => {
  const { self, writer } = disk()
  self.busy = 3
  writer.write('one\n')
  expect(self.text).toBe('one\n')
  self.busy = Number.POSITIVE_INFINITY
  writer.write('lost\n')
  const { tries } = self
  for (let line = 0; line < 1_000; line += 1) writer.write('lost too\n')
  // A wait is a pause and another try: each of these lines was tried once.
  expect(self.tries - tries).toBe(1_000)
})

test('a log whose file refuses every write throws nothing and leaves the file as it is', () => {
  const before = readFileSync(import.meta.filename, 'utf8')
  const log = createLog({ position: 'desk-1', level: 'info', to: openSync(import.meta.filename, 'r') })
  expect(() => {
    for (let line = 0; line < 100; line += 1) log.info('x')
  }).not.toThrow()
  expect(readFileSync(import.meta.filename, 'utf8')).toBe(before)
})

test('lines after a rotation are in the new file, and those while its folder is missing in the old one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-log-'))
  const file = join(folder, 'logs', 'mizani.log')
  mkdirSync(join(folder, 'logs'))
  const opened = openLogFile(file)
  const log = createLog({ position: null, level: 'info', to: opened.ok ? opened.value : 1 })
  const texts = (path: string) => readFileSync(path, 'utf8').match(/(?<="msg":")[^"]*/g)
  log.info('one')
  renameSync(file, `${file}.1`)
  log.info('two')
  rmSync(file)
  log.info('three')
  renameSync(join(folder, 'logs'), join(folder, 'moved'))
  log.info('four')
  expect(texts(join(folder, 'moved', 'mizani.log.1'))).toEqual(['one'])
  expect(texts(join(folder, 'moved', 'mizani.log'))).toEqual(['three', 'four'])
})

test('a line for people has time, level, position and sentence, and cannot control the terminal', async () => {
  const readable = await readableLines()
  const shown = (fields: object) => readable(`${JSON.stringify({ level: 'warn', time: 0, ...fields })}\n`)
  const line = shown({ position: 'desk-1', msg: 'fills wait', count: 3 })
  expect(stripVTControlCharacters(line)).toMatch(/^\r\[\d\d:\d\d:\d\d\] WARN: desk-1: fills wait\n$/)
  expect(line.startsWith('\r\u001B[2K')).toBe(true)
  expect(shown({ msg: 'a\u001B[2Jb\u0007' })).toContain('a\uFFFD[2Jb\uFFFD')
  expect(stripVTControlCharacters(shown({ msg: 'no position' }))).toContain('WARN: no position\n')
})
