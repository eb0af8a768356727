import { readFile } from 'node:fs/promises'
import { decodeJson, encodeJson } from '../../../base/codec.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { replaceFile } from '../../../base/files/replace-file.ts'
import { withFileLock } from '../../../base/lock/file-lock.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'

/** One version of a transaction: the original, or a replacement with higher fees. */
export type TransactionVersion = {
  readonly hash: Hex
  /** The signed bytes, which can be resent without the key. */
  readonly raw: Hex
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly sentAt: Ms
}

/** Our transaction, not yet final. */
export type TrackedTransaction = {
  readonly nonce: number
  readonly purpose: string
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
  /** Newest last; any version may be mined. */
  readonly versions: readonly [TransactionVersion, ...TransactionVersion[]]
  /** The block that contains it; null = not mined. */
  readonly mined: { readonly hash: Hex; readonly block: bigint; readonly isReverted: boolean } | null
  /** Its gas has been reported, and is not reported again after a reorganisation. */
  readonly isGasTold: boolean
}

/** Our unconfirmed transactions, on disk before the network has them. */
export type TransactionStore = {
  readonly all: () => readonly TrackedTransaction[]
  /** Adds the transaction or replaces the one with the same nonce. Resolves once it is on disk. */
  readonly put: (transaction: TrackedTransaction) => Promise<Result<void, string>>
  readonly remove: (nonce: number) => Promise<Result<void, string>>
  /**
   * Runs `work` with the transactions on disk while no other process uses them: a command may send from the wallet of a
   * running daemon.
   */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<Result<T, string>>
}

type Owner = { readonly chainId: number; readonly account: Hex }

const VERSION = 1

/**
 * Opens the file of one wallet on one chain; null keeps the transactions in memory. An unreadable file or another
 * wallet's is an error and stays unchanged: it may contain transactions that are still mined later.
 */
export async function openTransactionStore(
  path: string | null,
  owner: Owner,
): Promise<Result<TransactionStore, string>> {
  const loaded = path === null ? ok([]) : await load(path, owner)
  if (!loaded.ok) return loaded
  let transactions: readonly TrackedTransaction[] = loaded.value
  async function keep(next: readonly TrackedTransaction[]): Promise<Result<void, string>> {
    const file = { version: VERSION, ...owner, transactions: next }
    const written = path === null ? ok(undefined) : await write(path, `${encodeJson(file)}\n`)
    if (written.ok) transactions = next
    return written
  }
  const without = (nonce: number) => transactions.filter((kept) => kept.nonce !== nonce)
  return ok({
    all: () => transactions,
    put: (one) => keep([...without(one.nonce), one].sort((a, b) => a.nonce - b.nonce)),
    remove: (nonce) => keep(without(nonce)),
    exclusively: async (work) => {
      if (path === null) return ok(await work())
      const worked = await withFileLock(`${path}.lockdb`, async () => {
        const now = await load(path, owner)
        if (!now.ok) return now
        transactions = now.value
        return ok(await work())
      })
      return worked.ok ? worked.value : worked
    },
  })
}

async function write(path: string, text: string): Promise<Result<void, string>> {
  try {
    await replaceFile(path, text)
    return ok(undefined)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return err(`${path} cannot be written (${code ?? message})`)
  }
}

async function load(path: string, owner: Owner): Promise<Result<readonly TrackedTransaction[], string>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? ok([]) : err(`${path} cannot be read (${code ?? 'unknown error'})`)
  }
  const file = parse(text)
  if (file === null) {
    return err(
      `${path} is not a file of transactions, or is damaged; it may contain unconfirmed transactions, so inspect it before you move it away`,
    )
  }
  const isOurs = file.chainId === owner.chainId && file.account === owner.account
  if (isOurs || file.transactions.length === 0) return ok(file.transactions)
  return err(
    `${path} has ${file.transactions.length} transactions of wallet ${file.account} on chain ${file.chainId} that are not final, but this is wallet ${owner.account} on chain ${owner.chainId}; run with the former rfq section until they are final, or inspect the file before you move it away`,
  )
}

type File = Owner & { readonly version: number; readonly transactions: readonly TrackedTransaction[] }

/** Returns null if this program did not write the file. */
function parse(text: string): File | null {
  try {
    const file = decodeJson(text) as Partial<File> | null
    if (file?.version !== VERSION || typeof file.chainId !== 'number' || typeof file.account !== 'string')
      return null
    const { transactions } = file
    return Array.isArray(transactions) && transactions.every(isKept) ? (file as File) : null
  } catch {
    return null
  }
}

function isKept(value: unknown): value is TrackedTransaction {
  const kept = value as Partial<TrackedTransaction> | null
  return (
    Number.isSafeInteger(kept?.nonce) &&
    typeof kept?.purpose === 'string' &&
    [kept.to, kept.data].every(isHex) &&
    typeof kept.gas === 'bigint' &&
    typeof kept.isGasTold === 'boolean' &&
    (kept.mined === null || (isHex(kept.mined?.hash) && typeof kept.mined?.block === 'bigint')) &&
    Array.isArray(kept.versions) &&
    kept.versions.length > 0 &&
    kept.versions.every(isVersion)
  )
}

function isVersion(value: unknown): value is TransactionVersion {
  const version = value as Partial<TransactionVersion> | null
  return (
    [version?.hash, version?.raw].every(isHex) &&
    typeof version?.maxFeePerGas === 'bigint' &&
    typeof version.maxPriorityFeePerGas === 'bigint' &&
    typeof version.sentAt === 'number'
  )
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]*$/.test(value)
}
