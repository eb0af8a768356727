import { z } from 'zod'
import { dollarNumber, partnerEndpoint, param } from '../kit/endpoint.ts'
import {
  dollarsDown,
  id,
  maybe,
  moment,
  ratio,
  readExpiringQuote,
  shillings,
  words,
} from '../kit/read-answer.ts'

const VALID_MS = 60_000

/** A till or a bill instead of a phone. */
const rampDestination = z.strictObject({
  kind: param.choice(['lipa', 'bill'], 'a till or a bill'),
  payNumber: param.text('number of the till').optional(),
  utilityCode: param.text('code of the biller').optional(),
  utilityRef: param.text('reference at the biller').optional(),
})

/** `usdcAmount` is the float's debit in base units, `tzsAmount` the exact net to the recipient in shillings. */
const quote = z.object({
  quoteId: id,
  usdcAmount: dollarsDown,
  tzsAmount: shillings,
  feeTzs: maybe(shillings),
  rateUsdTzs: maybe(ratio),
  expiresAt: moment,
  recipientName: words,
})

/** POST /ramp/quote. `expiresAt` is on our clock, at most 60 s away. */
export const quoteRamp = partnerEndpoint({
  route: 'POST /ramp/quote',
  summary: 'Prices dollars of the float against shillings of a phone, a till or a bill. Valid 60 s.',
  needs: 'ramp',
  deadline: 'ramp',
  params: z.strictObject({
    direction: param.choice(['onramp', 'offramp'], 'onramp: shillings to dollars'),
    tzsAmount: param.shillings('whole shillings, net to the recipient of an offramp').optional(),
    usdcAmount: param.dollars('dollars of the float, offramp only').optional(),
    phoneNumber: param.text('the phone that pays or is paid').optional(),
    destination: rampDestination.optional(),
  }),
  toRequest: ({ usdcAmount, tzsAmount, ...rest }, { rampFields }) => {
    const dollarAmount = usdcAmount === undefined ? undefined : dollarNumber(usdcAmount)
    return rampFields === 'amount'
      ? { body: { ...rest, amount: tzsAmount ?? dollarAmount } }
      : { body: { ...rest, tzsAmount, usdcAmount: dollarAmount } }
  },
  answer: readExpiringQuote(quote, VALID_MS),
  command: {
    resource: 'ramp',
    verb: 'quote',
    example: '--direction offramp --tzs-amount 900000 --phone-number 255712345678',
  },
})
