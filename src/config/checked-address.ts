import { validate } from 'ox/Address'
import { z } from 'zod'
import type { Hex } from '../rfq/rfq-order.ts'

const ZERO = /^0x0{40}$/i

/**
 * An address that money depends on, as it is written: forty hex digits whose mixed case, where there is any, is
 * the right checksum (EIP-55), and not zero.
 */
export const writtenAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'not an EVM address; 0x and 40 hex digits in quotes would be right')
  .refine((text) => !ZERO.test(text), 'the zero address; an address of somebody would be right')
  .refine(
    (text) => isOneCase(text) || validate(text),
    'its checksum is wrong, so a digit may be; copy the address again, or write it in lower case',
  )

/** The same, in lower case from here on. */
export const checkedAddress = writtenAddress.transform((text) => text.toLowerCase() as Hex)

function isOneCase(text: string): boolean {
  const digits = text.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase()
}
