import { readFile } from 'node:fs/promises'
import { isAddress } from 'viem'
import { err, ok, type Result } from '../../base/result.ts'
import { MAX_UINT128, type Hex, type RfqOrder } from '../../core/rfq/rfq-order.ts'

type Kind = 'address' | 'amount' | 'uint64' | 'uint256' | 'bytes32'

const FIELDS: { readonly [field in keyof RfqOrder]: Kind } = {
  makerToken: 'address',
  takerToken: 'address',
  makerAmount: 'amount',
  takerAmount: 'amount',
  maker: 'address',
  taker: 'address',
  txOrigin: 'address',
  pool: 'bytes32',
  expiry: 'uint64',
  salt: 'uint256',
}
const NAMES = Object.keys(FIELDS) as (keyof RfqOrder)[]
const NO_POOL: Hex = `0x${'0'.repeat(64)}`
const MOST = { amount: MAX_UINT128, uint64: (1n << 64n) - 1n, uint256: (1n << 256n) - 1n } as const
const BITS = { amount: 128, uint64: 64, uint256: 256 } as const

/** Reads a file with one order as JSON. The error is a line with the file and the field. */
export async function readOrderFile(path: string): Promise<Result<RfqOrder, string>> {
  const order = parseOrder(await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => error))
  return order.ok ? order : err(`${path}: ${order.error}`)
}

/** Parses an order with whole numbers as decimal strings; `pool` defaults to zero and is the only optional field. */
export function parseOrder(text: string | NodeJS.ErrnoException): Result<RfqOrder, string> {
  if (typeof text !== 'string') return err(`cannot be read (${text.code ?? text.name})`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return err('is not JSON')
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return err('is not a JSON object')
  const given = { pool: NO_POOL, ...json } as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find((field) => !Object.hasOwn(FIELDS, field))
  if (unknown !== undefined)
    return err(`${JSON.stringify(unknown)} is not a field of an order; the fields are ${NAMES.join(', ')}`)
  const values: Record<string, Hex | bigint> = {}
  for (const name of NAMES) {
    const value = parseField(given[name], FIELDS[name])
    if (!value.ok) return err(`${name} ${value.error}`)
    values[name] = value.value
  }
  return ok(values as unknown as RfqOrder)
}

/** Returns the address in lower case. The error describes the problem without the field's name. */
export function parseAddress(text: unknown): Result<Hex, string> {
  if (typeof text !== 'string' || !isAddress(text, { strict: false }))
    return err('is not an address; expected 0x and 40 hex digits')
  // Single-case text has no checksum; in mixed case a wrong letter is detected.
  const digits = text.slice(2)
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!isOneCase && !isAddress(text)) return err('has a wrong checksum, so at least one letter is mistyped')
  const address = text.toLowerCase() as Hex
  return /^0x0+$/.test(address) ? err('is the zero address') : ok(address)
}

function parseField(value: unknown, kind: Kind): Result<Hex | bigint, string> {
  if (value === undefined) return err('is missing')
  if (kind === 'address') return parseAddress(value)
  if (kind !== 'bytes32') return parseWhole(value, kind)
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)
    ? ok(value.toLowerCase() as Hex)
    : err('is not 32 bytes; expected 0x and 64 hex digits')
}

function parseWhole(value: unknown, kind: keyof typeof MOST): Result<bigint, string> {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return err('is too big for an exact JSON number; write it as a decimal string')
  const text = typeof value === 'number' ? String(value) : value
  // 80 digits hold every uint256; the limit avoids computing with a megabyte of digits.
  if (typeof text !== 'string' || !/^(0|[1-9]\d{0,79})$/.test(text))
    return err('is not a whole number; expected a decimal string such as "1000000"')
  const whole = BigInt(text)
  if (whole > MOST[kind]) return err(`does not fit uint${BITS[kind]}`)
  return kind === 'amount' && whole === 0n ? err('is zero') : ok(whole)
}
