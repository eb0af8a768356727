/** One element of DER: its tag, its content, and how many bytes it takes with its head. */
export type DerElement = { readonly tag: number; readonly content: Buffer; readonly size: number }

/** Tags that a time-stamp is made of. Source: ITU-T X.690. */
export const DER = {
  integer: 0x02,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  time: 0x18,
  sequence: 0x30,
  boolean: 0x01,
  explicit0: 0xa0,
} as const

export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const digits = length.toString(16)
  const long = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const head = length < 0x80 ? Buffer.from([length]) : Buffer.from([0x80 | long.length, ...long])
  return Buffer.concat([Buffer.from([tag]), head, content])
}

/** The element at the beginning. Throws RangeError where the bytes end too early. */
export function readDer(bytes: Buffer): DerElement {
  const [tag, first] = [bytes.at(0), bytes.at(1)]
  if (tag === undefined || first === undefined) throw new RangeError('the bytes end too early')
  const more = first < 0x80 ? 0 : first & 0x7f
  if (more > 4 || first === 0x80) throw new RangeError('a length that no time-stamp has')
  const length = more === 0 ? first : bytes.readUIntBE(2, more)
  const begin = 2 + more
  if (begin + length > bytes.length) throw new RangeError('the bytes end too early')
  return { tag, content: bytes.subarray(begin, begin + length), size: begin + length }
}

/** All elements of a content. Throws RangeError where the bytes end too early. */
export function readAllDer(content: Buffer): readonly DerElement[] {
  const elements: DerElement[] = []
  for (let at = 0; at < content.length;) {
    const element = readDer(content.subarray(at))
    elements.push(element)
    at += element.size
  }
  return elements
}
