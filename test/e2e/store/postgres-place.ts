import { expect } from 'vitest'
import type { StoreFailure } from '../../../src/store/failure.ts'
import type { PostedStore } from '../../../src/store/journal/posted-store.ts'
import { openReader } from '../../../src/store/open-reader.ts'
import type { PostgresPlace } from '../../../src/store/place.ts'
import { freshPlace } from '../../contract/store/both-stores.ts'
import { valueOf } from '../../unit/store/store-fixture.ts'
import { eventOf, isFill, observationsOf } from './written.ts'

export const freshPostgres = () => freshPlace('PostgreSQL') as PostgresPlace

/** The same position, as another machine sees it. */
export function elsewhere(place: PostgresPlace): PostgresPlace {
  return { ...place, folder: freshPlace('SQLite') as string }
}

/** Appends what every process of these tests agrees on. */
export function write(store: PostedStore, from: number, to: number): void {
  for (let seq = from; seq <= to; seq++) {
    store.append(seq, eventOf(seq))
    store.project(seq, observationsOf(seq))
  }
}

export function failureOf(store: PostedStore): Promise<StoreFailure> {
  return new Promise((resolve) => store.onFailure(resolve))
}

/** What must hold however its writers ended: every event once, every fill once. Returns the last number. */
export function inspect(place: PostgresPlace): number {
  const reader = valueOf(openReader(place))
  const last = reader.lastSeq()
  const events = [...reader.journal(Math.max(1, reader.firstSeq()))]
  expect(events.map(({ event }) => event)).toEqual(events.map(({ seq }) => eventOf(seq)))
  expect(events.at(-1)?.seq ?? 0).toBe(last)
  const ids = [...reader.rows('fills')].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  reader.close()
  return last
}

export function fillsOf(place: PostgresPlace): readonly unknown[] {
  const reader = valueOf(openReader(place))
  const ids = [...reader.rows('fills')].map(({ id }) => id)
  reader.close()
  return ids
}

export const fillsUpTo = (last: number) =>
  Array.from({ length: last }, (_, index) => index + 1)
    .filter(isFill)
    .map((seq) => `f-${seq}`)
