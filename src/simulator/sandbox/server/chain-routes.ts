import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { DAY_MS } from '../../../base/time.ts'
import type { VenueChain } from '../chain/connect-chain.ts'

const Fill = z.strictObject({
  orderHash: z.string(),
  /** Base units of the taker's token; default: what is left. */
  takerAmount: z
    .string()
    .regex(/^[0-9]{1,39}$/)
    .optional(),
})
const Mine = z.strictObject({ blocks: z.int().min(1).max(10_000).default(1) })
const Advance = z.strictObject({
  ms: z
    .number()
    .min(0)
    .max(366 * DAY_MS),
})

/** What tests and demos do to the chain beneath the venue, under /sandbox/chain. */
export function addChainRoutes(app: FastifyInstance, venueChain: VenueChain): void {
  const { chain, fill, settle } = venueChain
  app.post('/sandbox/chain/fill', async (request, reply) => {
    const wanted = Fill.safeParse(request.body)
    if (!wanted.success) return reply.status(400).send({ error: z.prettifyError(wanted.error) })
    const { orderHash, takerAmount } = wanted.data
    const done = await orNull(fill(orderHash, takerAmount === undefined ? null : BigInt(takerAmount)))
    if (done === null) return reply.status(503).send({ error: 'the chain does not answer' })
    if (done === 'unknown-order') return reply.status(404).send({ error: `no order ${orderHash} was taken` })
    if (!done.ok) return { filled: false, ...done.error }
    const { txHash, takerAmount: taken, makerAmount: given } = done.value
    return { filled: true, txHash, takerAmount: taken.toString(), makerAmount: given.toString() }
  })
  app.post('/sandbox/chain/mine', async (request, reply) => {
    const wanted = Mine.safeParse(request.body ?? {})
    if (!wanted.success) return reply.status(400).send({ error: z.prettifyError(wanted.error) })
    await chain.mine(wanted.data.blocks)
    await settle()
    return { block: Number(await chain.client.getBlockNumber()) }
  })
  app.post('/sandbox/chain/advance', async (request, reply) => {
    const wanted = Advance.safeParse(request.body)
    if (!wanted.success) return reply.status(400).send({ error: z.prettifyError(wanted.error) })
    await chain.advance(wanted.data.ms)
    await settle()
    return { now: await chain.now() }
  })
}

/** Null where the chain does not answer. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch {
    return null
  }
}
