import { escapeIdentifier, escapeLiteral } from 'pg'
import { schemaOf, type PostgresPlace } from '../place.ts'
import { DEPOSED, HOLDER_LIVES } from './failure.ts'

/**
 * Who may write, for all positions of a database. `fence` changes only when a position is granted to another holder, `beat`
 * with each sign of life: were they one table, an append that shares the fence would wait for signs of life. `standby` has who
 * waits to take a position over, each with a counter of its own, so that a holder that leaves in order leaves to it. No column
 * holds a time, because no two clocks agree. A number carries PostgreSQL's timeline in its upper half: a server that
 * was promoted in a fail-over may have lost the last grants, so that every number of before is void there.
 *
 * An append calls `hold` in its own transaction: a daemon that was deposed can write nothing, and sends nothing, because an
 * effect leaves only after its event is durable (`runtime/position/loop.ts`).
 */
const FENCES = `
CREATE SCHEMA IF NOT EXISTS mizani;
CREATE TABLE IF NOT EXISTS mizani.fence (position text PRIMARY KEY, n bigint NOT NULL);
CREATE TABLE IF NOT EXISTS mizani.beat (
  position text PRIMARY KEY, holder text, n bigint NOT NULL, count bigint NOT NULL);
CREATE OR REPLACE FUNCTION mizani.timeline() RETURNS bigint LANGUAGE sql AS $$
  SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint $$;
CREATE OR REPLACE FUNCTION mizani.hold(who text, wanted bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM mizani.fence
    WHERE position = who AND n = wanted AND (wanted >> 32) >= mizani.timeline() FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the fence is not % any more', wanted USING ERRCODE = '${DEPOSED}';
  END IF;
END $$;
CREATE OR REPLACE FUNCTION mizani.take(who text, taker text, seen bigint, seen_count bigint)
  RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE granted bigint := greatest(seen + 1, (mizani.timeline() << 32) + 1);
BEGIN
  UPDATE mizani.fence SET n = granted WHERE position = who AND n = seen;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'another daemon was faster' USING ERRCODE = '${HOLDER_LIVES}';
  END IF;
  UPDATE mizani.beat SET holder = taker, n = granted, count = 0
    WHERE position = who AND n = seen AND count = seen_count;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'its holder lives' USING ERRCODE = '${HOLDER_LIVES}';
  END IF;
  RETURN granted;
END $$;
CREATE OR REPLACE FUNCTION mizani.field(body text, name text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN body::json ->> name;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN RETURN NULL;
END $$;
CREATE TABLE IF NOT EXISTS mizani.standby (
  position text, holder text, count bigint NOT NULL, PRIMARY KEY (position, holder))`

/** Two daemons that start for the first time make the tables one after the other. */
const ONE_AT_A_TIME = 'SELECT pg_advisory_xact_lock(727274)'

/** Makes what all positions share, where it is missing. */
export const MAKE_FENCES: readonly string[] = [ONE_AT_A_TIME, FENCES]

/** Whether all of it is there; the column is null where it is not. */
export const FENCES_THERE = `SELECT to_regclass('mizani.standby')::text AS there`

/** What a candidate sees of a position: equal rows for long enough mean that its holder is gone. */
export type Seen = {
  readonly n: number
  readonly count: number
  /** Null = nobody: it was released. */
  readonly holder: string | null
  /** PostgreSQL's. */
  readonly timeline: number
}

export function addPosition({ position }: PostgresPlace): readonly string[] {
  const who = escapeLiteral(position)
  return [
    `INSERT INTO mizani.fence VALUES (${who}, 0) ON CONFLICT DO NOTHING`,
    `INSERT INTO mizani.beat VALUES (${who}, NULL, 0, 0) ON CONFLICT DO NOTHING`,
  ]
}

export function lookAt({ position }: PostgresPlace): string {
  return `SELECT fence.n AS n, count, holder, mizani.timeline() AS timeline
    FROM mizani.fence JOIN mizani.beat USING (position) WHERE position = ${escapeLiteral(position)}`
}

/** Grants the position, if it is as it was seen. Who else stands by announces that again. */
export function takeOver(
  { position }: PostgresPlace,
  holder: string,
  { n, count }: Seen,
): readonly [take: string, forget: string] {
  const who = escapeLiteral(position)
  return [
    `SELECT mizani.take(${who}, ${escapeLiteral(holder)}, ${n}, ${count}) AS n`,
    `DELETE FROM mizani.standby WHERE position = ${who}`,
  ]
}

/** A sign of life of one that stands by. */
export function announce({ position }: PostgresPlace, holder: string): string {
  return `INSERT INTO mizani.standby AS known VALUES (${escapeLiteral(position)}, ${escapeLiteral(holder)}, 1)
    ON CONFLICT (position, holder) DO UPDATE SET count = known.count + 1`
}

export function standByNoMore({ position }: PostgresPlace, holder: string): string {
  return `DELETE FROM mizani.standby WHERE position = ${escapeLiteral(position)} AND holder = ${escapeLiteral(holder)}`
}

/** Who stands by, with its counter; those that have died as well. */
export function whoStandsBy({ position }: PostgresPlace): string {
  return `SELECT holder, count FROM mizani.standby WHERE position = ${escapeLiteral(position)}`
}

/** The rows of `whoStandsBy`. */
export function countsOf(rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, number> {
  return new Map(rows.map((row) => [String(row['holder']), Number(row['count'])]))
}

/** The same of several positions, for one that only watches: it asks nothing that a replica could not answer. */
export function lookAtAll(positions: readonly string[]): string {
  return `SELECT position, fence.n AS n, count, holder FROM mizani.fence JOIN mizani.beat USING (position)
    WHERE position IN (${positions.map((name) => escapeLiteral(name)).join(', ')})`
}

export function whoStandsByAll(positions: readonly string[]): string {
  return `SELECT position, holder, count FROM mizani.standby
    WHERE position IN (${positions.map((name) => escapeLiteral(name)).join(', ')})`
}

/** A sign of life; no row = deposed. */
export function beat({ position }: PostgresPlace, n: number): string {
  return `UPDATE mizani.beat SET count = count + 1
    WHERE position = ${escapeLiteral(position)} AND n = ${n} AND (${n}::bigint >> 32) >= mizani.timeline()`
}

/** The next one need not wait. */
export function release({ position }: PostgresPlace, n: number): string {
  return `UPDATE mizani.beat SET holder = NULL WHERE position = ${escapeLiteral(position)} AND n = ${n}`
}

/** Takes back what was released, no row = somebody took it, or a fail-over has voided `n`; who is about to take it finds it held. */
export function reclaim({ position }: PostgresPlace, holder: string, n: number): string {
  return `UPDATE mizani.beat SET holder = ${escapeLiteral(holder)}, count = count + 1
    WHERE position = ${escapeLiteral(position)} AND n = ${n} AND (${n}::bigint >> 32) >= mizani.timeline()`
}

/** The first statements of everything that a holder writes. */
export function underFence(place: PostgresPlace, n: number): readonly string[] {
  return [inSchema(place), `SELECT mizani.hold(${escapeLiteral(place.position)}, ${n})`]
}

/** Names of tables are those of the position, in this transaction. */
export function inSchema(place: PostgresPlace): string {
  return `SET LOCAL search_path TO ${escapeIdentifier(schemaOf(place))}`
}
