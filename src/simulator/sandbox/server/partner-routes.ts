import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { VenueModel } from '../model.ts'
import { issueAgent } from '../partner/agents/credentials.ts'
import {
  announceNext,
  type Controlled,
  fundWallet,
  patchSettings,
  payIn,
  setReceiver,
  setState,
} from '../partner/control/control.ts'
import type { PartnerWorld } from '../partner/model/partner.ts'

const Target = z.object({ kind: z.string(), id: z.string(), state: z.string() })

/** The part of the control API that is about the partner API. `sync` brings the venue up to now. */
export function addPartnerRoutes(app: FastifyInstance, model: VenueModel, sync: () => void): void {
  const calls: Readonly<Record<string, (world: PartnerWorld, body: unknown) => Controlled>> = {
    settings: patchSettings,
    next: announceNext,
    pay: payIn,
    fund: fundWallet,
    webhooks: setReceiver,
  }
  const send = (reply: FastifyReply, done: Controlled) =>
    done.ok
      ? reply.send({ ok: true, now: model.state.now })
      : reply.status(done.error.status).send({ error: done.error.sentence, code: done.error.code })
  for (const [name, call] of Object.entries(calls)) {
    app.post(`/sandbox/partner/${name}`, (request, reply) => {
      sync()
      return send(reply, call(model.partner, request.body))
    })
  }
  app.post('/sandbox/partner/agents', (request, reply) => {
    sync()
    const issued = issueAgent(model.partner, request.body)
    return issued.ok ? reply.send(issued.value) : reply.status(issued.error.status).send(issued.error.body)
  })
  app.post('/sandbox/partner/:kind/:id/:state', (request, reply) => {
    sync()
    return send(reply, setState(model.partner, Target.parse(request.params), request.body))
  })
}
