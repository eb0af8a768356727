import { EXIT_CODE } from './exit-code.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs work that can be left and gone on with: the first signal asks it to come to an end, a second one ends
 * the process as it is.
 */
export async function leaveOnSignal<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const leaving = new AbortController()
  const hear = (): void => {
    if (leaving.signal.aborted) process.exit(EXIT_CODE.failed)
    process.stderr.write('\nleaving; once more to leave at once\n')
    leaving.abort()
  }
  for (const signal of SIGNALS) process.on(signal, hear)
  try {
    return await work(leaving.signal)
  } finally {
    for (const signal of SIGNALS) process.off(signal, hear)
  }
}
