import { EventEmitter } from 'node:events'
import cliTruncate from 'cli-truncate'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createScreen,
  type ScreenContent,
  type Screen,
  terminalFeatures,
} from '../../../../src/cli/output/screen.ts'
import { positionsContent, statusContent } from '../../../../src/cli/inspect/status/content.ts'
import { tableRow } from '../../../../src/cli/output/tables.ts'
import { ESCAPE, listenForKeys } from '../../../../src/cli/output/keys.ts'
import { terminalEmulator, type TerminalEmulator } from '../../../support/terminal-emulator.ts'
import { exampleView, unprovenBooks } from '../../daemon/telemetry/example-view.ts'

/** A style: colour, weight, or back to plain. */
const STYLE_CODE = String.raw`${ESCAPE}\[[\d;]*m`

type Desk = {
  readonly screen: Screen
  readonly terminal: TerminalEmulator
  readonly writes: string[]
  readonly resize: (columns: number, rows: number) => void
}

const screens: Screen[] = []

afterEach(() => {
  for (const screen of screens.splice(0)) screen.end()
  vi.useRealTimers()
})

function desk(
  { columns = 100, rows = 30, ownPage = true, isTTY = true } = {},
  env: Record<string, string> = {},
): Desk {
  const terminal = terminalEmulator(columns, rows)
  const writes: string[] = []
  const output = Object.assign(new EventEmitter(), {
    isTTY,
    columns,
    rows,
    write(text: string) {
      writes.push(text)
      if (isTTY) terminal.write(text)
      return true
    },
  })
  const screen = createScreen(output as never, { ownPage, env })
  screens.push(screen)
  return {
    screen,
    terminal,
    writes,
    resize(toColumns, toRows) {
      terminal.resize(toColumns, toRows)
      Object.assign(output, { columns: toColumns, rows: toRows })
      output.emit('resize')
    },
  }
}

const text = (...lines: string[]): ScreenContent => ({ lines: () => lines, line: () => lines.join(' | ') })
const example = (changes: Parameters<typeof exampleView>[0] = {}): ScreenContent =>
  statusContent({ view: exampleView(changes), note: null })

describe('a watched status on a terminal', () => {
  test('has a page of its own without a cursor, and gives the first one back as it was', () => {
    const { screen, terminal } = desk()
    terminal.write('$ mizani status --watch\r\n')
    screen.show(example())
    expect([terminal.page(), terminal.cursor().shown]).toEqual(['other', false])
    expect(terminal.screen()[0]).toMatch(/^desk-1 +ACTIVE/)
    screen.end()
    expect([terminal.page(), terminal.cursor()]).toEqual(['first', { shown: true, row: 1, column: 0 }])
    expect(terminal.screen()).toEqual(['$ mizani status --watch'])
  })

  test('draws with one write, and at no moment of it is a line empty that was full before and after', () => {
    const { screen, terminal, writes } = desk()
    screen.show(example())
    screen.show(example({ mid: '2601' }))
    expect(writes).toHaveLength(2)
    const before = terminal.screen()
    const step = terminalEmulator(100, 30)
    step.write(writes[0] ?? '')
    const tokens = new RegExp(String.raw`${ESCAPE}\[[?\d;]*[A-Za-z]|[^]`, 'gu')
    for (const token of (writes[1] ?? '').match(tokens) ?? []) {
      step.write(token)
      expect(step.screen().filter((line) => line === '')).toEqual([])
      expect(step.screen().length).toBeGreaterThanOrEqual(before.length)
    }
    expect(step.screen()).toEqual(before)
  })

  test('leaves nothing of a longer drawing behind, in lines and below them', () => {
    const { screen, terminal } = desk()
    screen.show(text('a long line of which nothing stays', 'another', 'a third'))
    screen.show(text('short'))
    expect(terminal.screen()).toEqual(['short'])
  })

  test('draws anew at once when the size changes, smaller and larger, and only while it is shown', () => {
    const { screen, terminal, writes, resize } = desk({ columns: 100, rows: 30 })
    screen.show(example({ reasons: ['mid-step: the mid moved by 200 bps at once, which is more than 150'] }))
    const wide = terminal.screen()
    resize(50, 12)
    expect(terminal.screen()).toHaveLength(12)
    expect(terminal.screen().at(-1)).toMatch(/^… \d+ more lines: /)
    expect(Math.max(...terminal.screen().map((line) => line.length))).toBeLessThanOrEqual(50)
    resize(100, 30)
    expect(terminal.screen()).toEqual(wide)
    screen.end()
    const count = writes.length
    resize(60, 20)
    expect(writes).toHaveLength(count)
  })

  test('cuts lines and never wraps them, also with wide letters, styles and in any window', () => {
    const line = fc.string({
      unit: fc.constantFrom('a', 'ß', '漢', '字', 'é', 'e\u0301', '👍', ' ', '-'),
      maxLength: 60,
    })
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 14 }),
        fc.boolean(),
        (lines, columns, rows, ownPage) => {
          const { screen, terminal } = desk({ columns, rows: rows + (ownPage ? 0 : 1), ownPage })
          screen.show(text(...lines))
          const fits = lines.length <= rows
          const kept = (fits ? lines : lines.slice(0, rows - 1)).map((one) =>
            cliTruncate(one, columns).trimEnd(),
          )
          const shown = terminal.screen()
          expect(shown.slice(0, fits ? undefined : rows - 1)).toEqual(
            fits ? kept.slice(0, kept.findLastIndex((one) => one !== '') + 1) : kept,
          )
          screen.show(text('x'))
          expect(terminal.screen()).toEqual(['x'])
          screen.end()
        },
      ),
      { numRuns: 300 },
    )
  })

  test('shows states in their colours, and in none with NO_COLOR', () => {
    const halted = example({ tradingState: 'HALTED', reasons: ['operator: looks odd'] })
    const coloured = desk()
    coloured.screen.show(halted)
    expect(coloured.terminal.styleAt(0, 13)).toContain('31')
    coloured.screen.show(example())
    expect(coloured.terminal.styleAt(0, 13)).toContain('32')
    const plain = desk({}, { NO_COLOR: '1' })
    plain.screen.show(halted)
    expect(plain.terminal.styleAt(0, 13)).toBe('')
    expect(plain.writes.join('')).not.toMatch(new RegExp(STYLE_CODE))
    expect(plain.terminal.screen()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^desk-1 +HALTED/) as string]),
    )
  })

  test('does not obey what a venue or a strategy says', () => {
    const { screen, terminal } = desk()
    const evil = '\u001B]0;owned\u0007\u001B[2J\u009B31m\r\nHALTED \u202Elive'
    screen.show(
      example({
        name: 'desk\u001B[H',
        reasons: [evil],
        strategy: { use: evil, params: {}, suspended: evil },
        reconciliation: unprovenBooks('break', evil),
      }),
    )
    // The emulator throws at codes that a status does not need; the others would have moved the text.
    expect(terminal.screen()[0]).toMatch(/^desk�\[H +ACTIVE/)
    expect(terminal.screen()[1]).toMatch(/^ {2}why +�\]0;owned��\[2J�31m\\nHALTED �live/)
  })

  test('a terminal that does not know its size gets 80 columns and 24 rows', () => {
    const { screen, terminal } = desk({ columns: 0, rows: 0 })
    terminal.resize(80, 24)
    screen.show(example())
    expect(terminal.screen()[0]).toMatch(/^desk-1 +ACTIVE/)
  })
})

describe('a status below other output, as npm start has it', () => {
  test('is redrawn in place, restores line wrap in the same write and hides no cursor', () => {
    const { screen, terminal, writes } = desk({ ownPage: false })
    terminal.write('a greeting\r\n')
    screen.show(text('one', 'two', 'three'))
    screen.show(text('uno', 'due'))
    expect(terminal.screen()).toEqual(['a greeting', 'uno', 'due'])
    screen.end()
    expect(terminal.cursor()).toEqual({ shown: true, row: 3, column: 0 })
    expect(writes.join('')).not.toMatch(/\?(25l|1049h)/)
    for (const write of writes) expect(write.endsWith('\u001B[?7h\u001B[?2026l')).toBe(true)
  })

  test('begins at the top after a change of size, wherever lines went', () => {
    const { screen, terminal, resize } = desk({ ownPage: false, rows: 6 })
    for (let line = 0; line < 9; line += 1) terminal.write('before\r\n')
    screen.show(text('one', 'two'))
    resize(40, 4)
    expect(terminal.screen()).toEqual(['one', 'two'])
    screen.show(text('one', 'two', 'three', 'four', 'five'))
    screen.show(text('one', 'two', 'three', 'four', 'five'))
    expect(terminal.screen()).toEqual(['one', 'two', '… 3 more lines: make the window taller'])
  })
})

describe('where there is no terminal', () => {
  test.each([
    ['a pipe', { isTTY: false }, {}],
    ['TERM=dumb', { isTTY: true }, { TERM: 'dumb' }],
  ])('%s gets a plain line every three seconds, without a single code', (_, options, env) => {
    vi.useFakeTimers({ now: 1_000_000 })
    const { screen, writes } = desk(options, env)
    for (let second = 0; second < 7; second += 1) {
      screen.show(example())
      vi.advanceTimersByTime(1_000)
    }
    screen.end()
    expect(writes).toHaveLength(3)
    expect(writes[0]).toMatch(/^1970-01-01T.* \| ACTIVE \| bid 40 ask off bps \(confirmed\) \| .*\n$/)
    expect(writes.join('')).not.toContain('\u001B')
  })

  test('there is no colour for a pipe, TERM=dumb or NO_COLOR, and an empty NO_COLOR does not count', () => {
    const colour = (isTTY: boolean | undefined, env: Record<string, string>) =>
      terminalFeatures({ isTTY }, env).colour
    expect([colour(true, {}), colour(true, { NO_COLOR: '' })]).toEqual([true, true])
    expect([colour(false, {}), colour(undefined, {}), colour(true, { NO_COLOR: '0' })]).toEqual([
      false,
      false,
      false,
    ])
    expect(colour(true, { TERM: 'dumb' })).toBe(false)
  })
})

describe('several positions', () => {
  const halted = exampleView({ tradingState: 'HALTED', reasons: ['drawdown: 90 of 80 TZS'] })
  const list = positionsContent([
    { name: 'desk-1', seen: { view: exampleView(), note: null } },
    { name: 'desk-2', seen: { view: halted, note: 'DAEMON NOT RUNNING, as of noon' } },
    { name: 'a-name-that-is-rather-long', seen: { exitCode: 1, why: 'no daemon answers' } },
  ])

  test('are a numbered list, with what is wrong where something is', () => {
    const { screen, terminal } = desk({ columns: 120 })
    screen.show(list)
    expect(terminal.screen()).toEqual([
      '1 desk-1     ACTIVE   bid 40 ask off   dollars 56.0 %   PnL +106 TZS   fills 0   ledger reconciled',
      '2 desk-2     DAEMON NOT RUNNING, as of noon   HALTED   bid 40 ask off   dollars 56.0 %   PnL +106 TZS   fills 0',
      '             ledger reconciled   drawdown: 90 of 80 TZS',
      '3 a-name-that-is-rather-long',
      '             no daemon answers',
    ])
  })

  test('are a plain line each in a pipe', () => {
    expect(list.line().split('\n')).toEqual([
      expect.stringMatching(/^desk-1 \| 1970.*ACTIVE/),
      expect.stringMatching(/^desk-2 \| DAEMON NOT RUNNING, as of noon \| 1970.*HALTED/),
      'a-name-that-is-rather-long | no daemon answers',
    ])
  })
})

describe('keys', () => {
  function keyboard(isTTY: boolean) {
    const modes: boolean[] = []
    const input = Object.assign(new EventEmitter(), {
      isTTY,
      setRawMode: (isRaw: boolean) => modes.push(isRaw),
      setEncoding: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
    })
    const received: string[] = []
    const keys = listenForKeys(input as never, (key) => received.push(key))
    return { input, received, modes, keys }
  }

  test('are received one by one, an arrow as one, until it stops', () => {
    const { input, received, modes, keys } = keyboard(true)
    input.emit('data', '2\u001B[A0')
    input.emit('data', '\u0003')
    keys.stop()
    input.emit('data', 'q')
    expect(received).toEqual(['2', '\u001B[A', '0', '\u0003'])
    expect(modes).toEqual([true, false])
  })

  test('of a pipe are left alone', () => {
    const { input, received, modes } = keyboard(false)
    input.emit('data', 'q')
    expect([received, modes]).toEqual([[], []])
  })
})

describe('widths', () => {
  test('are columns, not letters', () => {
    const widths = [
      'abc',
      '漢字',
      'e\u0301',
      '👍',
      '❤\uFE0F',
      'Ａ',
      '\u200Bx',
      '\u001B[31mred\u001B[39m',
    ].map((text) => stringWidth(text))
    expect(widths).toEqual([3, 4, 1, 2, 2, 2, 1, 3])
  })

  test('a cut never has more columns than asked for, keeps its styles and ends them', () => {
    expect(cliTruncate('漢字漢字', 5)).toBe('漢字…')
    expect(cliTruncate('漢字漢字', 4)).toBe('漢…')
    expect(cliTruncate('\u001B[31mHALTED\u001B[39m now', 4)).toBe('\u001B[31mHAL…\u001B[39m')
    expect(cliTruncate('abc', 0)).toBe('')
    expect(cliTruncate('abc', 3)).toBe('abc')
  })

  test('no text makes a row wider than the terminal, in any script', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 90 })),
        fc.integer({ min: 33, max: 120 }),
        (pieces, width) => {
          for (const line of tableRow('label', pieces, { width, colour: false }))
            expect(stringWidth(line)).toBeLessThanOrEqual(width)
        },
      ),
    )
  })
})
