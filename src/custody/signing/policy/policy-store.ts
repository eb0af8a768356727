import { closeSync, fchmodSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { decodeJson, encodeJson } from '../../../base/codec.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { isBusy, takeFileLock, type FileLock } from '../../../base/lock/file-lock.ts'
import type { Ms } from '../../../base/time.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { emptyPolicyState, type PolicyState, type SignedRecord } from './policy-state.ts'

/** The wallet whose signatures a file counts, pinned by the first write. */
type PolicyOwner = { readonly wallet: Hex; readonly chainId: number; readonly exchange: Hex }

/** Returns the same text for equal owners. */
export function policyOwnerText({ wallet, chainId, exchange }: PolicyOwner): string {
  return `${wallet.toLowerCase()} on chain ${chainId} at ${exchange.toLowerCase()}`
}

/** The signer's memory on disk. Each method returns once its write is on disk, and throws if writing fails. */
export type PolicyStore = {
  /** Changed in place by `put` and `forget`. */
  readonly state: PolicyState
  /** Reads the solver and the stop that a command may have written in the meantime. */
  readonly refresh: () => void
  readonly put: (records: readonly SignedRecord[]) => void
  readonly forget: (salts: readonly bigint[]) => void
  readonly pinSolver: (solver: Hex) => void
  readonly setStopAt: (stopAt: Ms | null) => void
  readonly close: () => void
}

/** `sign`: the one process that signs. `note`: a concurrent command that only writes a stop or a solver. */
export type PolicyUse = 'sign' | 'note'

const VERSION = '1'
const WAIT_MS = 5_000
const LOCK_WAIT_MS = 250
const HELD = 'another process signs with it; stop that one first'

/**
 * Opens the file of one wallet on one exchange; null keeps everything in memory. Refuses a second process that wants to
 * sign with the same file; the operating system releases the lock when the process ends, even by kill -9.
 */
export function openPolicyStore(
  path: string | null,
  owner: PolicyOwner,
  use: PolicyUse = 'sign',
): Result<PolicyStore, string> {
  let lock: FileLock | null = null
  let db: DatabaseSync | null = null
  try {
    if (path !== null) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      for (const file of [path, `${path}.lock`]) ownerOnly(file)
      if (use === 'sign') lock = lockFile(`${path}.lock`)
    }
    db = openDatabase(path)
    const mine = policyOwnerText(owner)
    const problem = ownerProblem(db, mine)
    if (problem !== null) throw new Error(problem)
    return ok(storeOf(db, lock, mine))
  } catch (error) {
    db?.close()
    lock?.release()
    return err(`the signer's own file ${path ?? ''} cannot be used: ${wordsOf(error)}`)
  }
}

function storeOf(db: DatabaseSync, lock: FileLock | null, owner: string): PolicyStore {
  const state = load(db)
  const note = (key: string, value: string | null) => {
    claim(db, owner)
    setMeta(db, key, value)
  }
  return {
    state,
    refresh() {
      state.solver = meta(db, 'solver') as Hex | null
      state.stopAt = stopOf(meta(db, 'stopAt'))
    },
    put(records) {
      if (records.length === 0) return
      const highest = records.reduce((high, { order }) => (order.salt > high ? order.salt : high), -1n)
      const lastSalt = state.lastSalt !== null && state.lastSalt > highest ? state.lastSalt : highest
      db.exec('BEGIN IMMEDIATE')
      try {
        const insert = db.prepare('INSERT OR REPLACE INTO signed (salt, record) VALUES (?, ?)')
        for (const record of records) insert.run(record.order.salt.toString(), encodeJson(record))
        note('lastSalt', lastSalt.toString())
        db.exec('COMMIT')
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
      for (const record of records) state.signed.set(record.order.salt.toString(), record)
      state.lastSalt = lastSalt
    },
    forget(salts) {
      if (salts.length === 0) return
      const remove = db.prepare('DELETE FROM signed WHERE salt = ?')
      for (const salt of salts) remove.run(salt.toString())
      for (const salt of salts) state.signed.delete(salt.toString())
    },
    pinSolver(solver) {
      note('solver', solver.toLowerCase())
      state.solver = solver.toLowerCase() as Hex
    },
    setStopAt(stopAt) {
      note('stopAt', stopAt === null ? null : String(stopAt))
      state.stopAt = stopAt
    },
    close() {
      db.close()
      lock?.release()
    },
  }
}

/** Creates the file, or corrects its mode, so that only its owner can read it. */
function ownerOnly(path: string): void {
  const file = openSync(path, 'a', 0o600)
  try {
    fchmodSync(file, 0o600)
  } finally {
    closeSync(file)
  }
}

function lockFile(path: string): FileLock {
  const lock = takeFileLock(path, LOCK_WAIT_MS)
  if (lock.ok) return lock.value
  throw new Error(HELD)
}

/** In WAL mode with `synchronous = FULL` a commit returns once it is on disk. */
function openDatabase(path: string | null): DatabaseSync {
  const db = new DatabaseSync(path ?? ':memory:', { timeout: WAIT_MS })
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  db.exec('CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT')
  db.exec('CREATE TABLE IF NOT EXISTS signed (salt TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT')
  return db
}

/** Returns why the file is not this wallet's; null = it is, or has no owner yet. */
function ownerProblem(db: DatabaseSync, mine: string): string | null {
  const version = meta(db, 'version')
  if (version === null) return null
  if (version !== VERSION) return `it has version ${version}, but this program supports ${VERSION}`
  const owner = meta(db, 'owner')
  return owner === mine
    ? null
    : `it counts the signatures of ${owner}, but the configuration has ${mine}; move it away once none of its orders can be filled`
}

function claim(db: DatabaseSync, mine: string): void {
  if (meta(db, 'version') !== null) return
  setMeta(db, 'owner', mine)
  setMeta(db, 'version', VERSION)
}

function load(db: DatabaseSync): PolicyState {
  const state = emptyPolicyState()
  for (const row of db.prepare('SELECT salt, record FROM signed').all())
    state.signed.set(String(row['salt']), decodeJson(String(row['record'])) as SignedRecord)
  const lastSalt = meta(db, 'lastSalt')
  state.lastSalt = lastSalt === null ? null : BigInt(lastSalt)
  state.solver = meta(db, 'solver') as Hex | null
  state.stopAt = stopOf(meta(db, 'stopAt'))
  return state
}

/** A text that is not a time stops at once. */
function stopOf(text: string | null): Ms | null {
  if (text === null) return null
  const stopAt = Number(text)
  return Number.isFinite(stopAt) ? stopAt : 0
}

function meta(db: DatabaseSync, key: string): string | null {
  const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(key)
  return row === undefined ? null : String(row['value'])
}

function setMeta(db: DatabaseSync, key: string, value: string | null): void {
  if (value === null) db.prepare('DELETE FROM meta WHERE key = ?').run(key)
  else db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value)
}

function wordsOf(error: unknown): string {
  return isBusy(error) ? HELD : (error as Error).message
}
