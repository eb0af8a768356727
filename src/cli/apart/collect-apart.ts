import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { bareEnv } from '../../base/threads/first-message.ts'
import type { ApartCommand, ApartOptions } from '../apart-commands.ts'
import { HANGS } from '../../research/jobs/apart/hang.ts'
import { inThread } from './run-apart.ts'

/** Larger than any result; reading stops there. */
const MOST_CHARACTERS = 32 * 1_024 * 1_024
const MAX_HEAP_MB = 1_024

/**
 * Returns the JSON document of a command that runs in a separate thread, without this process's environment. The error is
 * the command's message, or why its thread ended.
 */
export async function collectApart<Name extends ApartCommand>(
  command: Name,
  options: ApartOptions[Name],
  withinMs: Ms,
): Promise<Result<unknown, string>> {
  let text = ''
  const { exitCode, failure } = await inThread({
    command,
    options: { ...options, json: true },
    terminals: { stdout: {}, stderr: {} },
    hangs: HANGS,
    read: ({ stdout, stderr }) => {
      // Progress messages of the command have no reader here.
      stderr.resume()
      return [collected(stdout, (chunk) => (text = `${text}${chunk}`.slice(0, MOST_CHARACTERS)))]
    },
    limits: { env: bareEnv(), resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } },
    withinMs,
  })
  if (failure !== null) return err(failure.split('\n', 1)[0] ?? failure)
  const answer = documentOf(text)
  if (answer === undefined) return err(`the command printed no JSON document (exit code ${exitCode})`)
  return exitCode === 0 ? ok(answer) : err(problemOf(answer, exitCode))
}

function collected(from: NodeJS.ReadableStream, take: (chunk: string) => void): Promise<void> {
  return new Promise((resolve) => {
    from.setEncoding('utf8')
    from.on('data', take)
    from.once('end', resolve)
    from.once('close', resolve)
  })
}

function documentOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Truncated or invalid JSON: the caller reports that there is no document.
    return undefined
  }
}

function problemOf(answer: unknown, exitCode: number): string {
  const { error } = (answer ?? {}) as { readonly error?: unknown }
  return typeof error === 'string' ? error : `exit code ${exitCode}`
}
