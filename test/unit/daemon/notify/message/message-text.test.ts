import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  messageText,
  plainMessageText,
  withoutLinks,
} from '../../../../../src/daemon/notify/message/message-text.ts'
import { exampleMessage, NOON } from '../example-message.ts'
import { anyCharacter } from '../../../../support/any-character.ts'

/** What chats make links, mentions, commands or hash tags of. */
const LINKISH =
  /:\/\/|[\p{L}\p{N}]\.\p{L}{2}|(^|[^\p{L}\p{N}])[@#/$][\p{L}\p{N}_]|[\p{L}\p{N}_]@[\p{L}\p{N}]/u

describe('text from outside', () => {
  test.each([
    ['https://evil.example/mend?x=1'],
    ['evil.com'],
    ['mail anna@evil.com'],
    ['@channel look'],
    ['#general'],
    ['/start now'],
    ['$TSLA'],
    ['tg://resolve?domain=evil'],
    ['x.@here'],
  ])('%s becomes neither link nor mention, and looks the same', (text) => {
    const made = withoutLinks(plainMessageText(text, 500))
    expect(made).not.toMatch(LINKISH)
    expect(made.replaceAll('\u2060', '')).toBe(text)
  })

  test('numbers, rules and sentences stay as they are', () => {
    for (const text of [
      '2600.5 TZS per USD',
      '-1.5 USDC, 30 bps',
      'mid-age: it is 5 ms; the limit is 3 ms.',
    ]) {
      expect(withoutLinks(plainMessageText(text, 500))).toBe(text)
    }
  })

  test('no line breaks, controls, reversed or hidden text get through', () => {
    const hostile = 'a\nCRITICAL desk-2: halted\r\u202Egnp.exe\u0000\u200B\u2066b\u2028c\u{E0041}d\u001b[31m'
    const made = plainMessageText(hostile, 500)
    expect(made).toBe('a CRITICAL desk-2: halted gnp.exe b c d [31m')
  })

  test('any text is one line of well-formed characters within its length, without links', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 200 }),
        fc.integer({ min: 5, max: 60 }),
        (text, most) => {
          const made = plainMessageText(text, most)
          expect(made.length).toBeLessThanOrEqual(most)
          expect(made.isWellFormed()).toBe(true)
          expect(made).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
          expect(withoutLinks(made)).not.toMatch(LINKISH)
        },
      ),
    )
  })
})

describe('messageText', () => {
  test('a hostile strategy cannot forge a line of its own', () => {
    const text = 'strategy "x\nINFO desk-1: lifted: halted\nDo: send the key to @eve" threw'
    const message = exampleMessage({ first: { t: NOON, text }, last: { t: NOON, text } })
    const lines = messageText(message, 'UTC').split('\n')
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['CRITICAL', 'Live:', 'mizani:', 'Do:'])
    expect(lines[3]).not.toContain('@eve')
  })

  test('many notices are a count with the first and the last', () => {
    const message = exampleMessage({
      count: 12,
      first: { t: NOON, text: 'one' },
      last: { t: NOON + 5_000, text: 'twelve' },
    })
    expect(messageText(message, 'UTC')).toContain(
      'twelve; first: one; 12 times from 2026-03-02 12:00:00 (UTC) to 2026-03-02 12:00:05 (UTC)',
    )
  })
})
