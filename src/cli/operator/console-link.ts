import { err, ok, type Result } from '../../base/result.ts'
import { SIGN_IN_KEY_PATH, signInKeyAnswer } from '../../daemon/console/auth/sign-in.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { contactOrExplain } from '../load-or-explain.ts'
import type { DaemonOptions } from '../options.ts'
import { fail, type OutputFormat, print } from '../output/print.ts'
import { askDaemonAt, type DaemonPlace } from '../../daemon/console/ask-daemon.ts'
import { findDaemon } from './daemon-client.ts'

/** Prints the URL of the console with a fresh key, which signs in one browser tab. */
export async function printConsoleLink(options: OutputFormat & DaemonOptions): Promise<void> {
  const contact = await contactOrExplain(options, { isStop: true })
  if (contact === null) return
  const link = await consoleLink(findDaemon(contact))
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
