import { setTimeout } from 'node:timers/promises'
import { openTapeWriter } from '../../../src/store/tape/writer/writer.ts'

/**
 * A process to be killed: records fills with the ids `<name>-0`, `<name>-1` ... and says on stdout, a line
 * each, the number up to which they were flushed.
 */
const [folder = '', name = ''] = process.argv.slice(2)
const opened = await openTapeWriter(folder, { rotateMs: 1 })
if (!opened.ok) throw new Error(opened.error)
const writer = opened.value
writer.onFailure((message) => {
  throw new Error(message)
})
const start = Date.now()
for (let i = 0; ; i++) {
  const t = start + i
  writer.append({ type: 'rate', t, mid: 2_568n * 10n ** 18n, rateUpdatedAt: null, quotable: null })
  writer.append({
    type: 'fill',
    t: t - 1_000 * (i % 3),
    id: `${name}-${i}`,
    from: 'USDC',
    to: 'NTZS',
    amountIn: BigInt(i),
    amountOut: BigInt(i),
    protocolFee: null,
    feesEarned: null,
    txHash: null,
    seenAt: t,
  })
  if (i % 20 === 0) {
    await writer.flush()
    process.stdout.write(`${i}\n`)
    await setTimeout(2)
  }
}
