import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printable, printableJson, printableLines, printableStyled } from '../../../src/base/printable.ts'
import { commandsNothing, HOSTILE_TEXT } from '../../support/terminal-text.ts'

test('no text commands a terminal: a line stays one line, and lines stay lines', () => {
  fc.assert(
    fc.property(HOSTILE_TEXT, (text) => {
      expect(printable(text)).not.toMatch(/[\n\t]/)
      expect(commandsNothing(printable(text))).toBe(true)
      expect(commandsNothing(printableLines(text))).toBe(true)
      expect(printableLines(text).split('\n')).toHaveLength(text.split('\n').length)
      const uncoloured = stripVTControlCharacters(printableStyled(text))
      expect(commandsNothing(uncoloured)).toBe(true)
    }),
  )
})

test('a line break in a line is shown as an escape', () => {
  expect(printable('theft\nof keys\r\nby x\u0007')).toBe('theft\\nof keys\\nby x\uFFFD')
})

test('letters of every script, joined emoji and colours of our own lines stay', () => {
  const text = 'Zuhura Ömer 李娜 عائشة नमस्ते 👩\u200D👩\u200D👧 e\u0301\n\tnext'
  expect(printableLines(text)).toBe(text)
  expect(printableStyled('\u001B[31mbad\u001B[39m')).toBe('\u001B[31mbad\u001B[39m')
})

test('JSON keeps its value, and its text commands no terminal', () => {
  fc.assert(
    fc.property(fc.dictionary(HOSTILE_TEXT, HOSTILE_TEXT, { maxKeys: 3 }), (value) => {
      for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
        expect(JSON.parse(printableJson(json))).toEqual(JSON.parse(json))
        expect(commandsNothing(printableJson(json))).toBe(true)
      }
    }),
  )
})
