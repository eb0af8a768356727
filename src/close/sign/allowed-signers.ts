import type { Ms } from '../../base/time.ts'
import { NAMESPACE } from './ssh-signature.ts'

/** A line of an allowed-signers file: who may sign with which key, for what and when. */
export type AllowedSigner = {
  readonly principals: string
  readonly blob: Buffer
  /** Patterns of namespaces; null = any. */
  readonly namespaces: readonly string[] | null
  readonly validAfter: Ms | null
  readonly validBefore: Ms | null
}

export type SignersFile = {
  readonly signers: readonly AllowedSigner[]
  /** Lines that are not understood, which therefore allow nobody. */
  readonly problems: readonly string[]
}

const KEY = /^(?<kind>(?:ssh|ecdsa|sk)-\S+)\s+(?<key>[A-Za-z0-9+/]+=*)(?:\s.*)?$/
const PRINCIPALS = /^("[^"]*"|\S+)\s+/
/** One option: `name` or `name="value"`. */
const OPTION = /^([a-z-]+)(?:="([^"]*)")?(,|\s+)/

/** Reads the file that `ssh-keygen -Y verify -f` reads. Source: ssh-keygen(1), ALLOWED SIGNERS. */
export function readSigners(text: string): SignersFile {
  const signers: AllowedSigner[] = []
  const problems: string[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const signer = readLine(line.trim())
    if (typeof signer === 'string') problems.push(`line ${index + 1} of the signers: ${signer}`)
    else signers.push(signer)
  }
  return { signers, problems }
}

/** Who may sign a close with this key at that time; null = nobody of the file. */
export function allowedSigner(signers: readonly AllowedSigner[], blob: Buffer, at: Ms): AllowedSigner | null {
  const fits = signers.find(
    (signer) =>
      signer.blob.equals(blob) &&
      (signer.namespaces === null || isInList(signer.namespaces, NAMESPACE)) &&
      (signer.validAfter === null || at >= signer.validAfter) &&
      (signer.validBefore === null || at < signer.validBefore),
  )
  return fits ?? null
}

function readLine(line: string): AllowedSigner | string {
  const principals = PRINCIPALS.exec(line)
  if (principals === null) return 'a principal and a key are expected'
  let rest = line.slice(principals[0].length)
  const options = new Map<string, string | null>()
  while (!KEY.test(rest)) {
    const option = OPTION.exec(rest)
    if (option === null) return 'an option or a key is not understood'
    options.set(option[1] ?? '', option[2] ?? null)
    rest = rest.slice(option[0].length)
  }
  const unknown = [...options.keys()].find(
    (name) => !['namespaces', 'valid-after', 'valid-before'].includes(name),
  )
  if (unknown !== undefined) return `the option ${unknown} is not supported`
  const [after, before] = [options.get('valid-after'), options.get('valid-before')].map(readTime)
  if (Number.isNaN(after) || Number.isNaN(before)) return 'a time is not like 20261122 or 20261122093000Z'
  return {
    principals: (principals[1] ?? '').replaceAll('"', ''),
    blob: Buffer.from(KEY.exec(rest)?.groups?.['key'] ?? '', 'base64'),
    namespaces: options.get('namespaces')?.split(',') ?? null,
    validAfter: after ?? null,
    validBefore: before ?? null,
  }
}

/** `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, with Z in UTC and without it in the machine's zone; NaN = none of them. */
function readTime(text: string | null | undefined): Ms | null {
  if (text === undefined) return null
  const match = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z?)$/.exec(text ?? '')
  if (match === null) return Number.NaN
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = ''] = match
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
}

/** A list of patterns as OpenSSH reads it: what one with `!` matches is out, whatever another one matches. Source: ssh_config(5), PATTERNS. */
function isInList(patterns: readonly string[], text: string): boolean {
  const isOut = patterns.some((pattern) => pattern.startsWith('!') && matches(pattern.slice(1), text))
  return !isOut && patterns.some((pattern) => !pattern.startsWith('!') && matches(pattern, text))
}

/** Patterns of SSH: `*` is any text, `?` one character. */
function matches(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text)
}
