import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../../../../src/daemon/telemetry/log/log.ts'
import { commandsNothing, HOSTILE_TEXT } from '../../../../support/terminal-text.ts'

function captured(level = 'info') {
  const written: string[] = []
  const log = createLog({ position: 'desk-1', level, to: { write: (line) => void written.push(line) } })
  return { log, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>), written }
}

describe('createLog', () => {
  test('a line is one JSON object with level, time, position, event and message in words', () => {
    const { log, lines } = captured()
    log.info({ event: 'midChanged', mid: '2600' }, 'mid 2600')
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        position: 'desk-1',
        event: 'midChanged',
        mid: '2600',
        msg: 'mid 2600',
      },
    ])
  })

  test('a line commands no terminal, and keeps every value', () => {
    const { log, lines, written } = captured()
    fc.assert(
      fc.property(HOSTILE_TEXT, (text) => {
        log.info({ [text]: text, err: new Error(text) }, text)
        expect(lines().at(-1)).toMatchObject({ msg: text, [text]: text, err: { message: text } })
        expect(written.at(-1)?.indexOf('\n')).toBe((written.at(-1)?.length ?? 0) - 1)
        expect(commandsNothing(written.at(-1) ?? '')).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  test('the level of the configuration decides what is written', () => {
    const { log, lines } = captured('warn')
    log.info('not this')
    log.warn('this')
    expect(lines().map(({ msg }) => msg)).toEqual(['this'])
  })

  test.each([
    ['a field', { apiKey: 'mm_live_1' }],
    ['a header', { request: { headers: { Authorization: 'Bearer mm_live_1' } } }],
    ['a header of another name', { headers: { 'X-API-Key': 'mm_live_1' } }],
    ['an environment', { env: { MIZANI_API_KEY: 'mm_live_1', MIZANI_HTTP_TOKEN: 'mm_live_1' } }],
    ['a list', { tries: [{ token: 'mm_live_1' }, { password: 'mm_live_1' }] }],
    ['deep down', { a: { b: { c: { d: { privateKey: 'mm_live_1' } } } } }],
    ['an error', { err: Object.assign(new Error('no'), { request: { authorization: 'mm_live_1' } }) }],
  ])('a secret in %s is redacted', (_where, fields) => {
    const { log, written } = captured()
    log.info(fields, 'x')
    expect(written.join()).not.toContain('mm_live_1')
    expect(written.join()).toContain('[redacted]')
  })

  test('a secret bound to a child log is redacted', () => {
    const { log, written } = captured()
    log.child({ apiKey: 'mm_live_1' }).info('x')
    expect(written.join()).not.toContain('mm_live_1')
  })

  test('bigint is written as text, exact to the last unit', () => {
    const { log, lines } = captured()
    log.info({ amount: 123456789012345678901234567890n, list: [1n], deep: { n: 2n } }, 'x')
    expect(lines()[0]).toMatchObject({
      amount: '123456789012345678901234567890',
      list: ['1'],
      deep: { n: '2' },
    })
  })

  test('a value that contains itself is cut off instead of throwing', () => {
    const { log, lines } = captured()
    const circle: Record<string, unknown> = { n: 1n }
    circle['again'] = circle
    log.info({ circle }, 'x')
    expect(JSON.stringify(lines())).toContain('[too deep]')
  })

  test('a worker thread writes to the standard output of the process, up to its last line', async () => {
    const module = new URL('../../../../../src/daemon/telemetry/log/log.ts', import.meta.url).href
    const code = `
      const { Worker, isMainThread } = require('node:worker_threads')
      if (isMainThread) new Worker(__filename).on('exit', () => process.exit(0))
      else import(${JSON.stringify(module)}).then(({ createLog }) => {
        createLog({ position: 'w', level: 'info' }).info('from a worker')
        process.exit(0)
      })`
    const folder = mkdtempSync(join(tmpdir(), 'log-'))
    writeFileSync(join(folder, 'main.cjs'), code)
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.cjs')])
    rmSync(folder, { recursive: true })
    expect(JSON.parse(stdout)).toMatchObject({ position: 'w', msg: 'from a worker' })
  })
})
