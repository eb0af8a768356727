import type { PartnerDeposit } from '../model/records.ts'

/** The accounts that payers pay into. Clients render them from the answer. */
const BANK = {
  institution: 'Sandbox Bank',
  accountNumber: '0150000000001',
  accountName: 'Shilling Token Collections',
}
const TILL = { lipaNamba: '5550001', accountName: BANK.accountName }

/** What the payer has to do, by the method. Source: contract, deposit. */
export function instructionsOf({ method, amountTzs, reference, phone }: PartnerDeposit): string | object {
  const amount = Number(amountTzs)
  switch (method) {
    case 'mobile_money':
      return `Approve the payment of TZS ${amount} on the phone ${phone}.`
    case 'card':
      return 'Pay on the page of paymentUrl.'
    case 'bank_transfer':
      return {
        ...BANK,
        reference,
        amountTzs: amount,
        note: 'Pay exactly this amount and put the reference in the description of the transfer.',
      }
    case 'lipa_namba':
      return {
        ...TILL,
        amountTzs: amount,
        payFromPhone: phone,
        note: 'Pay exactly this amount from this phone; its network may add a fee of its own.',
      }
  }
}
