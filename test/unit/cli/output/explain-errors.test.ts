import { Command } from 'commander'
import { expect, test, vi } from 'vitest'
import { explainErrors, refuseUnknownCommand } from '../../../../src/cli/output/explain-errors.ts'
import { numberOption } from '../../../../src/cli/options.ts'
import { captured } from '../../../support/captured.ts'

/** What these words print before a command runs, and the code that they end the process with; null = they run. */
async function typed(words: readonly string[], isJson = false) {
  let code: number | null = null
  const printed = await captured(() => {
    vi.spyOn(process, 'exit').mockImplementation((given) => {
      code = Number(given)
      throw new Error('exit')
    })
    const program = explainErrors(new Command('mizani'), '(a hint)', isJson)
    program.command('withdraw').requiredOption('--amount <tokens>')
    program.command('run').requiredOption('--config <file>')
    program.command('model').argument('[words...]')
    program.command('guard').command('status')
    try {
      refuseUnknownCommand(program, words)
      program.parse(words, { from: 'user' })
    } catch {
      // Ended, with the code above.
    }
  })
  return { ...printed, code }
}

test.each([
  [['withdrawl', '--help'], "unknown command 'withdrawl'\n(Did you mean withdraw?)"],
  [['guard', 'sttus'], "unknown command 'guard sttus'\n(Did you mean guard status?)"],
  [['help', 'wthdraw'], "unknown command 'wthdraw'\n(Did you mean withdraw?)"],
  [['help', 'nope'], "unknown command 'nope'\n"],
])('%j ends with 2 and names the nearest command', async (words, message) => {
  const { err, code } = await typed(words)
  expect([err.includes(message), err.includes('(a hint)'), code]).toEqual([true, true, 2])
})

test('without a configuration the error names the file that is missing and what writes one', async () => {
  const { err, code } = await typed(['run'])
  expect(err).toContain(
    'error: there is no mizani.yaml in this folder: name a configuration with --config FILE; `mizani init` writes a first configuration\n',
  )
  expect(code).toBe(2)
})

test.each([[['model', 'any', 'words']], [['guard', 'status']], [['guard', '--help']], [['help', 'guard']]])(
  '%j names no unknown command',
  async (words) => {
    const { text, code } = await typed(words)
    expect([text.includes('unknown'), code === null || code === 0]).toEqual([false, true])
  },
)

test.each([[['withdraw']], [['withdraw', '--amuont', '5']], [['guard', 'sttus']]])(
  'with --json the error of %j is one document and nothing else',
  async (words) => {
    const { out, err, code } = await typed(words, true)
    expect([Object.keys(JSON.parse(out) as object), err, code]).toEqual([['error', 'exitCode'], '', 2])
  },
)

test('the help of a number shows its bounds before its default', () => {
  const program = explainErrors(new Command('mizani'), '(a hint)', false)
  const command = program
    .command('sweep')
    .option('--splits <n>', 'splits', numberOption({ whole: true, min: 1, max: 50 }), 4)
    .option('--seed <n>', 'seed', numberOption({ min: 0.5, max: Number.MAX_SAFE_INTEGER }))
    .option('--out <folder>', 'folder', 'sweep')
  expect(command.options.map((option) => command.createHelp().optionDescription(option))).toEqual([
    'splits; a whole number from 1 to 50 (default: 4)',
    'seed; a number from 0.5 up',
    'folder (default: "sweep")',
  ])
})
