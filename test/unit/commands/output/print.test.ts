import { afterEach, expect, test, vi } from 'vitest'
import { printOutcome } from '../../../../src/commands/output/print.ts'

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
