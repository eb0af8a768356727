import { FUZZ_BUGS, fuzzBatch } from '../fuzz/fuzz-answers.ts'
import type { FaultWorld } from '../fault-world.ts'

const READ = 'test/property/venue/any-answer.ts'
const FUZZ = 'test/campaign/fuzz/fuzz-answers.ts'

/** A thousand answers that were spoilt on their way, where a day of the other worlds is lived. */
export const ANSWERS: FaultWorld = {
  name: 'answers',
  about:
    'spoilt answers have replaced, removed, doubled or added fields, truncated texts or other statuses. A third goes to a running position and to a treasury at the partner API. The rest goes through the translation of every endpoint of the venue, including those of orders',
  faults: [],
  invariants: [
    { name: 'no-throw', claim: 'no answer causes an exception', checkedBy: FUZZ },
    {
      name: 'exact',
      claim: 'every parsed amount is exact, above zero and of a known token',
      checkedBy: READ,
    },
    {
      name: 'balances',
      claim: 'the entries booked from answers balance, spreads are legal, and no unrequested write is sent',
      checkedBy: 'test/world/simulate.ts',
    },
    {
      name: 'once',
      claim: 'a treasury sends nothing twice, whatever the answer',
      checkedBy: 'test/world/treasury/watch.ts',
    },
  ],
  canaries: [
    {
      name: 'throws',
      breaks: 'no-throw',
      does: 'throws where an answer cannot be read',
      finds: /thrown while .* is read/,
      needs: [],
    },
    {
      name: 'wrong-unit',
      breaks: 'exact',
      does: 'reads a balance as a number of dollars',
      finds: /a balance of USDC is read as 1/,
      needs: [],
    },
    {
      name: 'books-off-balance',
      breaks: 'balances',
      does: 'posts every fill with one base unit more',
      finds: /makes -?1 of/,
      needs: [],
    },
    {
      name: 'sends-twice',
      breaks: 'once',
      does: 'sends every money call of a treasury a second time under another key',
      finds: /took effect 2 times|took effect twice/,
      needs: [],
    },
  ],
  async live({ seed, canary }) {
    return { faults: {}, seen: await fuzzBatch(seed, FUZZ_BUGS.find((bug) => bug === canary) ?? null) }
  },
}
