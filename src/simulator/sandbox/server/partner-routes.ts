import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { VenueModel } from '../model.ts'
import { issueAgent } from '../partner/agents/agents.ts'
import {
  announceNext,
  type Controlled,
  fundWallet,
  patchSettings,
  payIn,
  setReceiver,
  setState,
} from '../partner/control/control.ts'

const Target = z.object({ kind: z.string(), id: z.string(), state: z.string() })

const CALLS = {
  settings: patchSettings,
  next: announceNext,
  pay: payIn,
  fund: fundWallet,
  webhooks: setReceiver,
}

/** The part of the control API that changes the partner API. `sync` brings the venue up to now. */
export function addPartnerRoutes(app: FastifyInstance, model: VenueModel, sync: () => void): void {
  const send = (reply: FastifyReply, done: Controlled) =>
    done.ok
      ? reply.send({ ok: true, now: model.state.now })
      : reply.status(done.error.status).send({ error: done.error.sentence, code: done.error.code })
  for (const [name, call] of Object.entries(CALLS)) {
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
