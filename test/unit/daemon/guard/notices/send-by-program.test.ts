import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { sendByProgram } from '../../../../../src/daemon/guard/notices/send-by-program.ts'
import { outgoingNotice } from './outgoing-notice.ts'

// The program that sends notices is a script here.

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mizani-send-'))))

const notice = (id: string) => outgoingNotice({ id })

function program(body: string): readonly string[] {
  const script = join(folder, 'notify.mjs')
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs'
     import { text } from 'node:stream/consumers'
     const { notices } = JSON.parse(await text(process.stdin))
     writeFileSync(${JSON.stringify(join(folder, 'seen'))}, JSON.stringify({ args: process.argv.slice(2), notices }))
     const print = (line) => process.stdout.write(line + '\\n')
     ${body}`,
  )
  return [process.execPath, script]
}

describe('A process that sends notices', () => {
  test('is given them on its standard input, and answers with a line a notice', async () => {
    const send = sendByProgram(
      program(`print(JSON.stringify({ id: 'a', left: [], why: null }))
               print(JSON.stringify({ id: 'b', left: ['0/slack', '1/webhook'], why: 'slack: 503' }))`),
    )
    expect(await send([notice('a'), notice('b')])).toEqual([
      { id: 'a', left: [], why: null },
      { id: 'b', left: ['0/slack', '1/webhook'], why: 'slack: 503' },
    ])
    expect(JSON.parse(readFileSync(join(folder, 'seen'), 'utf8'))).toEqual({
      args: ['notify', 'send', '--batch'],
      notices: [notice('a'), notice('b')],
    })
  })

  test.each([
    ['prints what is no answer', `print('oops'); print('null'); print('{"id":"a","left":"none"}')`],
    ['answers for a notice that it was not given', `print('{"id":"z","left":[]}')`],
    ['fails', 'process.exit(1)'],
  ])('that %s has sent nothing', async (_, body) => {
    expect(await sendByProgram(program(body))([notice('a')])).toEqual([])
  })

  test('that cannot be started has sent nothing', async () => {
    expect(await sendByProgram([join(folder, 'not-there')])([notice('a')])).toEqual([])
  })
})
