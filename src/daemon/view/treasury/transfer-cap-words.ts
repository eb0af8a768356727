import { decimalText } from '../../../base/text/numbers.ts'

type TransferCapsView = {
  readonly perTransaction: string | null
  readonly perDay: string | null
  readonly usedToday: string
}

/** Returns the venue's limits on shilling transfers, one phrase each. */
export function transferCapWords({ perTransaction, perDay, usedToday }: TransferCapsView): string[] {
  const day = `${decimalText(usedToday, 0)} of ${decimalText(perDay ?? '0', 0)} NTZS in 24 h`
  return [
    ...(perTransaction === null ? [] : [`transfers of up to ${decimalText(perTransaction, 0)} NTZS`]),
    ...(perDay === null ? [] : [day]),
  ]
}
