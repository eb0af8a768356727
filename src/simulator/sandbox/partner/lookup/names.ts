/** The registered names of numbers: deterministic, so that a lookup, a quote and a payment agree. */

const FIRST = ['AMINA', 'BARAKA', 'CHRISTINA', 'DAUDI', 'ESTER', 'FARAJI', 'GRACE', 'HAMISI', 'IRENE', 'JUMA']
const LAST = ['KIMARO', 'LYIMO', 'MASANJA', 'MUSHI', 'MWAKYUSA', 'NGOWI', 'RASHIDI', 'SWAI', 'TARIMO', 'URIO']
const TRADES = ['DUKA LA DAWA', 'MGAHAWA', 'SOKO', 'BIASHARA', 'VIFAA', 'HOTELI', 'MATUNDA', 'NGUO']

/** The mobile networks, as lookups and tills name them. */
export const NETWORKS = ['vodacom', 'airtel', 'tigo', 'halotel', 'ttcl'] as const
type Network = (typeof NETWORKS)[number]

const PREFIXES: Readonly<Record<Network, readonly string[]>> = {
  vodacom: ['74', '75', '76'],
  airtel: ['68', '69', '78'],
  tigo: ['65', '67', '71', '77'],
  halotel: ['61', '62'],
  ttcl: ['73'],
}

/** The network of a phone in the form `255XXXXXXXXX`; an unassigned prefix belongs to the largest network. */
export function networkOfPhone(phone: string): Network {
  return NETWORKS.find((network) => PREFIXES[network].includes(phone.slice(3, 5))) ?? 'vodacom'
}

/** A number with this ending has no registered name. Source: contract, magic values. */
function isNameless(digits: string): boolean {
  return digits.endsWith('00')
}

/** The registered holder of a phone, a bank account or a biller's reference; null if none is registered. */
export function personBehind(digits: string): string | null {
  if (isNameless(digits)) return null
  const hash = hashOf(digits)
  return `${pick(FIRST, hash)} ${pick(LAST, hash >>> 8)}`
}

type Till = { readonly name: string | null; readonly network: Network | null }

/**
 * The registry of tills, five to eight digits. A number that begins with 9 is registered without its network, so a
 * payment must name it; a number that begins with 0 is not registered and has no name.
 */
export function findTill(payNumber: string): Till {
  const hash = hashOf(payNumber)
  const network = NETWORKS[hash % 3] as Network
  if (payNumber.startsWith('0')) return { name: null, network }
  const name = isNameless(payNumber) ? null : `${pick(LAST, hash)} ${pick(TRADES, hash >>> 8)}`
  return { name, network: payNumber.startsWith('9') ? null : network }
}

export function isPayNumber(text: string): boolean {
  return /^\d{5,8}$/.test(text)
}

function pick(words: readonly string[], hash: number): string {
  return words[hash % words.length] as string
}

/** FNV-1a, 32 bits, unsigned. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
