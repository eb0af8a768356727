import { escapeIdentifier, escapeLiteral } from 'pg'
import type { Ms } from '../../base/time.ts'
import { schemaOf, type PostgresPlace } from '../place.ts'

/** Returns PostgreSQL's timeline, in the upper half of a number. */
export function timelineOf(n: number): number {
  return Math.floor(n / 2 ** 32)
}

/** A candidate's view of a position: if it stays equal for long enough, the holder is gone. */
export type SeenFence = {
  readonly n: number
  readonly count: number
  /** Null = released. */
  readonly holder: string | null
  /** PostgreSQL's. */
  readonly timeline: number
  /** How long the holder's terms make others wait; null = its version did not record it. */
  readonly waitMs: Ms | null
}

export function addPosition({ position }: PostgresPlace): readonly string[] {
  const who = escapeLiteral(position)
  return [
    `INSERT INTO mizani.fence VALUES (${who}, 0) ON CONFLICT DO NOTHING`,
    `INSERT INTO mizani.beat VALUES (${who}, NULL, 0, 0) ON CONFLICT DO NOTHING`,
  ]
}

export function lookAt({ position }: PostgresPlace): string {
  return `SELECT fence.n AS n, count, holder, mizani.timeline() AS timeline, wait_ms AS "waitMs"
    FROM mizani.fence JOIN mizani.beat USING (position)
    LEFT JOIN mizani.wait ON wait.position = fence.position AND wait.n = fence.n
    WHERE fence.position = ${escapeLiteral(position)}`
}

/**
 * Grants the position if it is unchanged since it was seen; `waitMs`: how long others must wait for this holder. Other
 * standbys must announce themselves again.
 */
export function takeOver(
  { position }: PostgresPlace,
  holder: string,
  { n, count }: SeenFence,
  waitMs: Ms,
): readonly [take: string, wait: string, forget: string] {
  const who = escapeLiteral(position)
  return [
    `SELECT mizani.take(${who}, ${escapeLiteral(holder)}, ${n}, ${count}) AS n`,
    `INSERT INTO mizani.wait SELECT position, n, ${Math.ceil(waitMs)} FROM mizani.fence WHERE position = ${who}
      ON CONFLICT (position) DO UPDATE SET n = excluded.n, wait_ms = excluded.wait_ms`,
    `DELETE FROM mizani.standby WHERE position = ${who}`,
  ]
}

/** Announces a standby, or renews its announcement. */
export function announce({ position }: PostgresPlace, holder: string): string {
  return `INSERT INTO mizani.standby AS known VALUES (${escapeLiteral(position)}, ${escapeLiteral(holder)}, 1)
    ON CONFLICT (position, holder) DO UPDATE SET count = known.count + 1`
}

export function standByNoMore({ position }: PostgresPlace, holder: string): string {
  return `DELETE FROM mizani.standby WHERE position = ${escapeLiteral(position)} AND holder = ${escapeLiteral(holder)}`
}

/** Returns the standbys with their counters, including dead ones. */
export function whoStandsBy({ position }: PostgresPlace): string {
  return `SELECT holder, count FROM mizani.standby WHERE position = ${escapeLiteral(position)}`
}

/** Parses the rows of `whoStandsBy`. */
export function countsOf(rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, number> {
  return new Map(rows.map((row) => [String(row['holder']), Number(row['count'])]))
}

/** Returns the query for several positions of an observer, which even a replica can answer. */
export function lookAtAll(positions: readonly string[]): string {
  return `SELECT position, fence.n AS n, count, holder FROM mizani.fence JOIN mizani.beat USING (position)
    WHERE position IN (${positions.map((name) => escapeLiteral(name)).join(', ')})`
}

export function whoStandsByAll(positions: readonly string[]): string {
  return `SELECT position, holder, count FROM mizani.standby
    WHERE position IN (${positions.map((name) => escapeLiteral(name)).join(', ')})`
}

/** Returns the statement that renews the lease; no row = deposed. */
export function beat({ position }: PostgresPlace, n: number): string {
  return `UPDATE mizani.beat SET count = count + 1
    WHERE position = ${escapeLiteral(position)} AND n = ${n} AND (${n}::bigint >> 32) >= mizani.timeline()`
}

/** Releases the position, so that the next holder need not wait. */
export function releaseFence({ position }: PostgresPlace, n: number): string {
  return `UPDATE mizani.beat SET holder = NULL WHERE position = ${escapeLiteral(position)} AND n = ${n}`
}

/** Reclaims a released position; no row = another daemon took it, or a fail-over voided `n`. Candidates find it held. */
export function reclaim({ position }: PostgresPlace, holder: string, n: number): string {
  return `UPDATE mizani.beat SET holder = ${escapeLiteral(holder)}, count = count + 1
    WHERE position = ${escapeLiteral(position)} AND n = ${n} AND (${n}::bigint >> 32) >= mizani.timeline()`
}

/** Returns the first statements of every write by the holder. */
export function underFence(place: PostgresPlace, n: number): readonly string[] {
  return [inSchema(place), `SELECT mizani.hold(${escapeLiteral(place.position)}, ${n})`]
}

/** Makes table names refer to the position's schema in this transaction. */
export function inSchema(place: PostgresPlace): string {
  return `SET LOCAL search_path TO ${escapeIdentifier(schemaOf(place))}`
}
