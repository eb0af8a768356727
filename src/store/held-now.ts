import { setTimeout as pause } from 'node:timers/promises'
import type { Ms } from '../base/time.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { StoreFailure } from './failure.ts'
import { folderOf, placeText, type PostgresPlace, type StorePlace } from './place.ts'
import { openLeaseReader } from './postgres/read-leases.ts'
import { HOLD_TERMS } from './postgres/terms.ts'
import { readLockState } from './store-lock.ts'

const READ_MS = 5_000

/**
 * Returns whether a daemon may still write to a store: it holds the lock here or, with PostgreSQL, the position
 * anywhere. A holder whose counter has not moved for `waitMs` counts as gone.
 */
export async function isHeldNow(
  place: StorePlace,
  waitMs: Ms = HOLD_TERMS.waitMs,
): Promise<Result<boolean, StoreFailure>> {
  const lock = readLockState(folderOf(place))
  if (!lock.ok) return lock
  if (lock.value.held || typeof place === 'string') return ok(lock.value.held)
  return isHeldInPostgres(place, waitMs)
}

async function isHeldInPostgres(place: PostgresPlace, waitMs: Ms): Promise<Result<boolean, StoreFailure>> {
  const reader = openLeaseReader(place.url)
  const holder = async () => {
    const read = await reader.read([place.position], READ_MS)
    if (read.ok) return ok(read.value.find(({ position }) => position === place.position) ?? null)
    const message = `the holder of the position in ${placeText(place)} cannot be read (${read.error})`
    return err<StoreFailure>({ kind: 'io', message })
  }
  try {
    const first = await holder()
    if (!first.ok) return first
    if (first.value === null || first.value.holder === null) return ok(false)
    await pause(waitMs)
    const second = await holder()
    if (!second.ok) return second
    const { fence, count } = first.value
    const stands = second.value?.fence === fence && second.value.count === count
    return ok(second.value !== null && second.value.holder !== null && !stands)
  } finally {
    await reader.close()
  }
}
