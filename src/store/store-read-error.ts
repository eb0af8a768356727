import type { StoreFailure } from './store.ts'

/**
 * The store could not be read on. An iterator has no other way to say so in the middle; `exportRows`
 * turns it into a value, others catch it where they iterate.
 */
export class StoreReadError extends Error {
  override name = 'StoreReadError'
  readonly failure: StoreFailure

  constructor(failure: StoreFailure) {
    super(failure.message)
    this.failure = failure
  }
}
