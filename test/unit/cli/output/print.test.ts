import { afterEach, expect, test, vi } from 'vitest'
import {
  fail,
  print,
  printOutcome,
  printProgress,
  printStyled,
  printWarning,
  writeJson,
  writeLine,
  writeNote,
} from '../../../../src/cli/output/print.ts'
import { commandsNothing } from '../../../support/terminal-text.ts'

afterEach(() => {
  process.exitCode = 0
  vi.restoreAllMocks()
})

test.each([
  [0, 'stdout'],
  [3, 'stderr'],
] as const)(
  'an answer with exit code %i commands no terminal, and its lines stay lines',
  (exitCode, stream) => {
    let said = ''
    vi.spyOn(process[stream], 'write').mockImplementation((text) => Boolean((said += String(text))))
    const answer = 'lifted: halted by a\u001B[2J\u0007\u202Eb: c\nand this'
    printOutcome({}, { command: 'resume', position: 'desk-1', via: 'daemon', exitCode, answer })
    expect(said).toBe('desk-1: lifted: halted by a\uFFFD[2J\uFFFD\uFFFDb: c\nand this\n')
  },
)

const HOSTILE = 'a\u001B[2Jb\u009B2Jc\u202Ed\re\u0007'

test.each<[string, (voice: { readonly json: boolean }) => void]>([
  ['an answer', (voice) => print(voice, HOSTILE, { said: HOSTILE })],
  ['a coloured answer', (voice) => printStyled(voice, HOSTILE, { said: HOSTILE })],
  ['a failure', (voice) => fail(voice, 1, HOSTILE, { said: HOSTILE })],
  ['a document', () => writeJson({ said: HOSTILE })],
  ['a line', () => writeLine(HOSTILE)],
  ['a note', () => writeNote(HOSTILE)],
  ['a warning', () => printWarning(HOSTILE)],
  ['progress', () => printProgress(HOSTILE)],
])('%s commands no terminal, as text and as JSON', (_what, say) => {
  for (const json of [false, true]) {
    let said = ''
    for (const stream of ['stdout', 'stderr'] as const)
      vi.spyOn(process[stream], 'write').mockImplementation((text) => Boolean((said += String(text))))
    say({ json })
    expect([said, commandsNothing(said)]).toEqual([said, true])
    if (said.startsWith('{')) expect(JSON.parse(said)).toMatchObject({ said: HOSTILE })
  }
})
