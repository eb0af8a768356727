import { getAddress } from 'viem'
import type { Random } from '../../../../base/random.ts'
import type { PartnerWorld } from '../model/partner.ts'

/** A uuid of the world's own random stream: equal options and equal calls give equal ids. */
export function newId({ random }: PartnerWorld): string {
  const text = hexText(random, 32)
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-a${text.slice(17, 20)}-${text.slice(20)}`
}

export function newAddress({ random }: PartnerWorld): string {
  return getAddress(`0x${hexText(random, 40)}`)
}

export function newTxHash({ random }: PartnerWorld): string {
  return `0x${hexText(random, 64)}`
}

/** `prefix` and `length` characters that are hard to confuse, for references and receipts. */
export function newCode({ random }: PartnerWorld, prefix: string, length: number): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  let text = prefix
  for (let i = 0; i < length; i++) text += letters[Math.floor(random() * letters.length)]
  return text
}

function hexText(random: Random, length: number): string {
  let text = ''
  for (let i = 0; i < length; i += 8) {
    text += Math.floor(random() * 4_294_967_296)
      .toString(16)
      .padStart(8, '0')
  }
  return text
}
