import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { parseConfig } from '../../../daemon/config/load/parse-config.ts'
import { SecretReference } from '../../../daemon/config/source/secret.ts'
import { isLoopback } from '../../../base/loopback.ts'
import { isPlainAway } from '../../../base/outgoing.ts'
import { readKept, sinceLastDrill, STALE_MS } from '../../../store/kept-drills.ts'
import { ageText } from '../../../base/text/times.ts'
import { readLockState } from '../../../store/store-lock.ts'
import { openReader } from '../../../store/open-reader.ts'
import { storeFiles } from '../../../store/store-files.ts'
import type { CheckResult } from '../../../venue/check-result.ts'
import { daemonUrl } from '../../../daemon/config/load/contact.ts'
import { openPostgres } from '../../../store/postgres/reading/connection.ts'
import { LEAST_FREE_BYTES } from '../../../daemon/runtime/worker/watch-disk.ts'
import { placeText, type PostgresPlace } from '../../../store/place.ts'

const STORE_MS = 5_000
const LEAST_FREE_MB = LEAST_FREE_BYTES / 1e6

/**
 * Checks the daemon's requirements on this machine: its store, its log, its port, an operator's token, an unreadable
 * key, and no second daemon. `isAnswering` returns whether a daemon answers at the configured address. Changes
 * nothing.
 */
export async function* checkEnvironment(
  config: LoadedConfig,
  isAnswering: () => Promise<boolean>,
): AsyncGenerator<CheckResult, void, undefined> {
  yield storeFinding(config)
  yield* readableSecrets(config.file)
  if (config.log.file !== null) yield logFinding(config.log.file)
  if (!hasOperator(config.http) && !isLoopback(config.http.host)) yield lockedOut(config)
  if (isPlainAway(config.venue.baseUrl)) yield keyInClear()
  if (config.withdraw.enabled) yield withdrawalFinding(config)
  const drills = drillFinding(config.store.path)
  if (drills !== null) yield drills
  const lock = readLockState(config.store.path)
  const isHeld = lock.ok && lock.value.held
  if (isHeld && (await isAnswering())) {
    yield finding('daemon', 'ok', `runs and answers at ${daemonUrl(config)}`)
    return
  }
  if (isHeld) {
    const detail = `a process holds the store but does not answer at ${daemonUrl(config)}`
    yield finding(
      'daemon',
      'warn',
      detail,
      'it was started with other http settings, or it hangs: check its log',
    )
    return
  }
  yield finding('daemon', 'ok', 'no daemon runs on this store')
  yield await portFinding(config)
}

/** Yields secret files that other users of this machine can read. */
function* readableSecrets(configFile: string): Generator<CheckResult, void, undefined> {
  const parsed = parseConfig(configFile, {})
  for (const { where } of parsed.ok ? secretFiles(parsed.value.file) : []) {
    const file = resolve(dirname(resolve(configFile)), where)
    const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
    if ((mode & 0o044) === 0) continue
    const detail = `other users of this machine can read ${file} (mode ${mode.toString(8)})`
    yield finding('secret file', 'warn', detail, `chmod 600 ${file}`)
  }
}

function secretFiles(value: unknown): readonly SecretReference[] {
  if (value instanceof SecretReference) return value.kind === 'file' ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretFiles) : []
}

/** Returns when the desk last drilled; null = never, as for every new desk. */
function drillFinding(storeFolder: string): CheckResult | null {
  const kept = readKept(storeFolder)
  if (!kept.ok) return finding('drills', 'warn', kept.error)
  const since = sinceLastDrill(kept.value, Date.now())
  if (since === null) return null
  const detail = `the last one was ${ageText(since)} ago`
  if (since <= STALE_MS) return finding('drills', 'ok', detail)
  return finding('drills', 'warn', detail, '`mizani drill` shows whether the current limits still hold')
}

/** Checks that withdrawals need the approval of a second person. */
function withdrawalFinding({ withdraw, http }: LoadedConfig): CheckResult {
  if (withdraw.approvalAboveUsd === null) {
    const detail = 'withdraw.approvalAboveUsd is null: one operator token alone can withdraw'
    return finding('withdrawals', 'warn', detail, 'set it to 0 if a second person can approve')
  }
  const may = (what: 'withdraw' | 'approve') => [
    ...(http.token === null ? [] : ['operator']),
    ...http.tokens.filter((token) => token.may.includes(what)).map(({ name }) => name),
  ]
  const [askers, approvers] = [may('withdraw'), may('approve')]
  const isPossible = askers.some((asker) => approvers.some((approver) => approver !== asker))
  return isPossible
    ? finding(
        'withdrawals',
        'ok',
        `are requested by ${askers.join(', ')} and approved by another of ${approvers.join(', ')}`,
      )
    : finding(
        'withdrawals',
        'warn',
        'are on, but no two different tokens may request and approve a withdrawal',
        'add http.tokens with withdraw and approve, or set withdraw.approvalAboveUsd: null if you work alone',
      )
}

/** Returns whether a token may give commands. */
function hasOperator({ token, tokens }: LoadedConfig['http']): boolean {
  return token !== null || tokens.some(({ may }) => may.includes('operate'))
}

/** Root can write everywhere, so only the owner of the folder shows that the daemon will run as another user. */
function storeFinding(config: LoadedConfig): CheckResult {
  const found = storeState(config)
  const { path } = config.store
  const folder = existsSync(path) ? path : nearestFolder(resolve(path))
  const { bavail, bsize } = statfsSync(folder)
  const freeMb = Math.floor((bavail * bsize) / 1_000_000)
  if (found.status === 'ok' && freeMb < LEAST_FREE_MB)
    return finding(
      'store',
      'warn',
      `${found.detail}, and its disk has ${freeMb} MB free`,
      `free space: below ${LEAST_FREE_MB} MB the alert disk-low is raised, and a full disk ends the daemon`,
    )
  const { uid } = statSync(folder)
  if (found.status !== 'ok' || process.getuid?.() !== 0 || uid === 0) return found
  return finding(
    'store',
    'warn',
    `${found.detail}, and its folder belongs to user ${uid}: user ${uid} cannot use what root creates there`,
    `run check and the daemon as that user, with sudo -u '#${uid}', or set store.path to a folder of root`,
  )
}

function storeState({ store: { path, place } }: LoadedConfig): CheckResult {
  const isHere = typeof place === 'string'
  if (!existsSync(isHere ? storeFiles(path).database : path)) {
    const folder = nearestFolder(resolve(path))
    if (!canWrite(folder))
      return finding(
        'store',
        'fail',
        `${path} cannot be created: ${folder} is not writable`,
        'set store.path to a folder of this user',
      )
    if (isHere) return finding('store', 'ok', `${path} will be created by the first run`)
  } else if (!canWrite(path)) {
    return finding('store', 'fail', `${path} is not writable`, 'give this user the folder')
  }
  if (!isHere && isNew(place))
    return finding('store', 'ok', `${placeText(place)} will be created by the first run`)
  const reader = openReader(place)
  if (!reader.ok) return finding('store', 'fail', reader.error.message)
  try {
    const where = isHere ? `${path} is writable and` : placeText(place)
    return finding('store', 'ok', `${where} has ${reader.value.lastSeq()} events`)
  } finally {
    reader.value.close()
  }
}

/** Returns whether PostgreSQL answers and has no tables of the position yet. */
function isNew(place: PostgresPlace): boolean {
  const db = openPostgres(place, STORE_MS)
  try {
    return db.version() === 0
  } catch {
    // Reported by the reader.
    return false
  }
}

function logFinding(file: string): CheckResult {
  const place = existsSync(file) ? file : dirname(resolve(file))
  try {
    accessSync(place, constants.W_OK)
    if (place !== file || !statSync(file).isDirectory()) return finding('log', 'ok', `goes to ${file}`)
  } catch {
    // Reported below.
  }
  return finding(
    'log',
    'fail',
    `cannot be written to ${file}`,
    'set log.file to a file in a folder of this user',
  )
}

function lockedOut({ http: { host } }: LoadedConfig): CheckResult {
  const detail = `${host} is not loopback and there is no http.token: no request can read or command the daemon, not even halt`
  return finding('token', 'warn', detail, 'set http.token, or http.host to 127.0.0.1')
}

function keyInClear(): CheckResult {
  const detail = 'venue.baseUrl is http: the key, which can withdraw, crosses the network in plain text'
  return finding('encryption', 'warn', detail, 'use https:// in venue.baseUrl')
}

function nearestFolder(path: string): string {
  const above = dirname(path)
  return existsSync(path) || above === path ? path : nearestFolder(above)
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function portFinding({ http: { host, port } }: LoadedConfig): Promise<CheckResult> {
  const place = `${host}:${port}`
  return new Promise((resolveFinding) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const detail =
        code === 'EADDRINUSE' ? `${place} is taken by another process` : `cannot listen on ${place} (${code})`
      resolveFinding(finding('http', 'fail', detail, 'set http.host and http.port'))
    })
    server.listen(port, host, () => {
      server.close(() =>
        resolveFinding(finding('http', 'ok', port === 0 ? 'will take a free port' : `${place} is free`)),
      )
    })
  })
}

/** The result of one check. */
export function finding(
  name: string,
  status: CheckResult['status'],
  detail: string,
  hint: string | null = null,
): CheckResult {
  return { name, status, detail, hint }
}
