import { StoreReadError } from '../store/store-read-error.ts'
import { EXIT_CODE } from './exit-code.ts'
import { fail, type Voice } from './say.ts'

/** Runs what reads a store; a store that cannot be read is said and exit code 1 set. Other errors pass. */
export async function sayReadingError(voice: Voice, read: () => Promise<void>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!(error instanceof StoreReadError)) throw error
    fail(voice, EXIT_CODE.failed, error.failure.message, { kind: error.failure.kind })
  }
}
