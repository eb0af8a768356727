import { confirm } from '@clack/prompts'
import { printable } from '../../base/printable.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, type OutputFormat } from './print.ts'

/**
 * Asks for confirmation of something irreversible, unless `--yes` is given. Returns false if it was not confirmed or
 * there is no terminal, after printing the reason and setting the exit code. `flags`: what a script has to add.
 */
export async function confirmed(
  options: OutputFormat & { readonly yes?: boolean },
  question: string,
  flags = '--yes',
): Promise<boolean> {
  if (options.yes === true) return true
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const message = `nothing was sent: the command asks for confirmation, and there is no terminal; add ${flags}`
    fail(options, EXIT_CODE.usage, message)
    return false
  }
  const said = await confirm({ message: printable(question), initialValue: false, output: process.stderr })
  if (said === true) return true
  fail(options, EXIT_CODE.failed, 'nothing was sent: it was not confirmed')
  return false
}
