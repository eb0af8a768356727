import { err, ok, type Result } from '../../base/result.ts'
import type { StoreFailure } from '../failure.ts'
import { placeText, type PostgresPlace } from '../place.ts'
import { DEPOSED, FAILED_OVER, HOLDER_LIVES } from './failure.ts'

/**
 * What all positions of a database share. A daemon that finds an older version brings it to this one while others trade on it,
 * and one of an older version may come later or go on beside it. Therefore:
 *
 * - What an older daemon calls keeps its name, its arguments and what it means. Where that is not possible the new thing gets a new
 *   name, and `OLDEST_BESIDE` rises, so that older daemons that start are refused; one that holds a position continues.
 * - An upgrade adds tables and replaces functions. It changes no table that is there: that lock would wait for a `pg_dump`, and
 *   each holder's sign of life would wait behind it.
 * - An older daemon never puts its own functions over newer ones.
 */
export const SHARED_VERSION = 4

/** The oldest version whose daemons may use this schema; version 0 had no version row. */
const OLDEST_BESIDE = 0

/**
 * Who may write, for all positions of a database. `fence` changes only when a position is granted to another holder, `beat`
 * with each sign of life: were they one table, an append that shares the fence would wait for signs of life. `standby` has who
 * waits to take a position over, each with a counter of its own, so that a holder that leaves in order leaves to it. `wait` has how
 * long the holder's own terms have others wait, a duration. No column of them
 * holds a time, because no two clocks agree. A number carries PostgreSQL's timeline in its upper half: a server that
 * was promoted in a fail-over may have lost the last grants, so that every number of before is void there.
 *
 * An append calls `hold` in its own transaction: a daemon that was deposed can write nothing, and sends nothing, because an
 * effect leaves only after its event is durable (`daemon/runtime/position/position-loop.ts`).
 *
 * `signer` and `signed` have what the signers of a position share in self-custody (`signer-rows.ts`).
 */
const FENCES = `
CREATE TABLE IF NOT EXISTS mizani.fence (position text PRIMARY KEY, n bigint NOT NULL);
CREATE TABLE IF NOT EXISTS mizani.beat (
  position text PRIMARY KEY, holder text, n bigint NOT NULL, count bigint NOT NULL);
CREATE OR REPLACE FUNCTION mizani.timeline() RETURNS bigint LANGUAGE sql AS $$
  SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint $$;
CREATE OR REPLACE FUNCTION mizani.hold(who text, wanted bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM mizani.fence WHERE position = who AND n = wanted FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the fence is no longer %', wanted USING ERRCODE = '${DEPOSED}';
  END IF;
  IF (wanted >> 32) < mizani.timeline() THEN
    RAISE EXCEPTION 'the fence % is of a timeline before', wanted USING ERRCODE = '${FAILED_OVER}';
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
  position text, holder text, count bigint NOT NULL, PRIMARY KEY (position, holder));
CREATE TABLE IF NOT EXISTS mizani.wait (position text PRIMARY KEY, n bigint NOT NULL, wait_ms bigint NOT NULL);
CREATE TABLE IF NOT EXISTS mizani.signer (
  position text, wallet text, solver text, stop_at bigint, PRIMARY KEY (position, wallet));
CREATE TABLE IF NOT EXISTS mizani.signed (
  position text, wallet text, salt text, record text NOT NULL, PRIMARY KEY (position, wallet, salt));`

/** Daemons that start at once upgrade one after the other; the later ones find the upgrade done. */
const ONE_AT_A_TIME = 'SELECT pg_advisory_xact_lock(727274)'

const VERSION_ROW = `CREATE TABLE IF NOT EXISTS mizani.version (
  is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one), version integer NOT NULL, oldest integer NOT NULL)`

/** One message, so one transaction. Checks again under the lock, because a newer daemon may have been faster. */
const UPGRADE: readonly string[] = [
  ONE_AT_A_TIME,
  'CREATE SCHEMA IF NOT EXISTS mizani',
  VERSION_ROW,
  `DO $upgrade$ BEGIN
    IF EXISTS (SELECT FROM mizani.version WHERE version >= ${SHARED_VERSION}) THEN RETURN; END IF;
    EXECUTE $fences$${FENCES}$fences$;
    INSERT INTO mizani.version VALUES (true, ${SHARED_VERSION}, ${OLDEST_BESIDE})
      ON CONFLICT (is_one) DO UPDATE SET version = excluded.version, oldest = excluded.oldest;
  END $upgrade$`,
]

/** The column is null if the table does not exist. */
const IS_VERSIONED = `SELECT to_regclass('mizani.version')::text AS there`
const READ_VERSION = 'SELECT version, oldest FROM mizani.version'

type Versions = { readonly version: number; readonly oldest: number }

type Send = (
  statements: readonly string[],
) => Promise<readonly { readonly rows: readonly Record<string, unknown>[] }[]>

/**
 * Upgrades the shared schema to this version. Leaves a newer schema unchanged, and refuses it unless it serves this
 * daemon too. Throws PostgreSQL's errors.
 */
export async function readySharedSchema(
  send: Send,
  place: PostgresPlace,
): Promise<Result<null, StoreFailure>> {
  let found = await readVersions(send)
  if (found.version < SHARED_VERSION) {
    await send(UPGRADE)
    found = await readVersions(send)
  }
  return found.oldest <= SHARED_VERSION ? ok(null) : err(refusedBy(found, place))
}

async function readVersions(send: Send): Promise<Versions> {
  const none = { version: 0, oldest: 0 }
  const [there] = await send([IS_VERSIONED])
  if ((there?.rows[0]?.['there'] ?? null) === null) return none
  const [row] = await send([READ_VERSION])
  return (row?.rows[0] as Versions | undefined) ?? none
}

function refusedBy({ version, oldest }: Versions, place: PostgresPlace): StoreFailure {
  return {
    kind: 'newer-version',
    message:
      `a newer mizani has brought what the positions in ${placeText(place)} share (schema mizani) to version ${version}, ` +
      `which serves daemons from version ${oldest} on, and this one has version ${SHARED_VERSION}: start the newer mizani`,
  }
}
