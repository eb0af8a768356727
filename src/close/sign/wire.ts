/** Reads the binary form of SSH: big-endian lengths before strings. Source: RFC 4251 section 5. Throws RangeError beyond the end. */
export class WireReader {
  private at = 0
  private readonly bytes: Buffer

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes)
  }

  take(length: number): Buffer {
    const end = this.at + length
    if (end > this.bytes.length) throw new RangeError('the bytes end too early')
    const taken = this.bytes.subarray(this.at, end)
    this.at = end
    return taken
  }

  number(): number {
    return this.take(4).readUInt32BE()
  }

  string(): Buffer {
    return this.take(this.number())
  }

  text(): string {
    return this.string().toString('utf8')
  }

  /** A positive integer, without the zero byte that keeps it positive. */
  integer(): Buffer {
    const bytes = this.string()
    return bytes[0] === 0 ? bytes.subarray(1) : bytes
  }

  isAtEnd(): boolean {
    return this.at === this.bytes.length
  }
}

export function wireNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function wireString(value: Uint8Array | string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([wireNumber(bytes.length), bytes])
}

/** The shortest form of a positive integer; a zero byte before a first bit that would make it negative. */
export function wireInteger(value: Uint8Array): Buffer {
  const first = value.findIndex((byte) => byte !== 0)
  const digits = first < 0 ? Buffer.alloc(0) : Buffer.from(value.subarray(first))
  return wireString((digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), digits]) : digits)
}
