import { err, ok, type Result } from '../../base/result.ts'
import { SIGN_IN_KEY_PATH, signInKeyAnswer } from '../../console/auth/sign-in.ts'
import { readContact } from '../../config/load/contact.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { fail, type OutputFormat, print } from '../output/print.ts'
import { askDaemonAt, type DaemonPlace } from '../operator/ask-daemon.ts'
import { findDaemon } from '../operator/find-daemon.ts'

/** Prints the address of the console with a fresh key, which signs one browser tab in. */
export async function printConsoleLink(options: OutputFormat & { readonly config: string }): Promise<void> {
  const link = await consoleLink(findDaemon(readContact(options.config, process.env)))
  if (!link.ok) return fail(options, EXIT_CODE.refused, `the address was not made: ${link.error}`)
  print(options, link.value, { url: link.value })
}

/** Returns the address of a daemon's console with a fresh key for the token. The error is a sentence. */
export async function consoleLink(place: DaemonPlace): Promise<Result<string, string>> {
  const answer = await askDaemonAt(place, 'POST', SIGN_IN_KEY_PATH, {})
  if (answer === null) return err(`no daemon answers at ${place.url}; start \`mizani run\` first`)
  const issued = signInKeyAnswer.safeParse(answer.body)
  if (answer.status === 200 && issued.success) return ok(`${place.url}/#key=${issued.data.key}`)
  const { message, error } = (answer.body ?? {}) as { readonly message?: string; readonly error?: string }
  return err(message ?? error ?? `the daemon at ${place.url} answered ${answer.status}`)
}
