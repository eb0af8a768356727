import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, type OutputFormat, print } from '../output/print.ts'
import { strategyTexts } from './templates.ts'

type NewStrategyOptions = OutputFormat & { readonly folder: string }

/** Writes a strategy that uses an indicator of the kit, and its test. Nothing that exists is overwritten. */
export async function newStrategy(name: string, options: NewStrategyOptions): Promise<void> {
  const { folder } = options
  const { code: text, test } = strategyTexts(name)
  const files = [
    [join(folder, `${name}.ts`), text],
    [join(folder, `${name}.test.ts`), test],
  ] as const
  const present = files.find(([file]) => existsSync(file))
  if (present !== undefined)
    return fail(options, EXIT_CODE.usage, `${present[0]} exists; nothing was written. Choose another name`)
  try {
    await mkdir(folder, { recursive: true })
    for (const [file, content] of files) await writeFile(file, content, { flag: 'wx' })
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    return fail(
      options,
      EXIT_CODE.failed,
      `${folder} cannot be written (${code ?? message}); name another --folder`,
    )
  }
  const written = files.map(([file]) => file)
  const lines = [
    `written: ${written.join(', ')}`,
    '',
    'Next:',
    '  npm test                 test it',
    '  npx mizani backtest --config mizani.yaml --tape TAPE --strategy STRATEGY',
    '                           STRATEGY: its path from the folder of mizani.yaml, with ./ before it',
  ]
  print(options, lines.join('\n'), { written })
}
