import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ANSWER_SCHEMAS, textAnswers } from '../answers.ts'
import type { ConsoleOptions } from '../server/options.ts'
import { findPosition, within } from '../server/ask-position.ts'
import { readRoute } from '../routes.ts'
import type { Asker, AccessControl } from '../auth/access-control.ts'
import type { PositionPort } from '../position-port.ts'
import { byTrouble } from './trouble.ts'
import { Refusal } from '../refusal.ts'

const ANSWER_WITHIN_MS = 2_000

const query = z.object({ position: z.string().optional() })

const METRICS = {
  tags: ['state'],
  summary: 'Metrics for Prometheus',
  response: textAnswers(['text/plain']),
}

function described(summary: string, answer: z.ZodType): { readonly schema: object } {
  return {
    schema: {
      tags: ['health'],
      summary,
      response: { 200: answer, 503: answer, default: ANSWER_SCHEMAS.error },
    },
  }
}

const MOST_LISTED = 20
const MOST_ALERTS = 1_000

/**
 * GET /healthz and /readyz: open everywhere, for orchestrators without a token. With many positions they list only those in trouble. A
 * fleet is alive while it answers and all of its threads can be terminated: a position that ended permanently is no reason to end the
 * others, and a restart would not bring it back.
 */
export function healthRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  const { positions, version, isFleet = false, isStuck = () => false } = options
  const readiness = joined(() =>
    positions.length > MOST_LISTED ? readyOfMany(options) : readyOfEach(options),
  )
  app.get('/healthz', described('Alive', ANSWER_SCHEMAS.health), async (_request, reply) => {
    const health = positions.map((position) => ({ position: position.name, ...position.health() }))
    const dead = health.filter((one) => !one.alive)
    const alive = isFleet ? !isStuck() : dead.length === 0
    const listed = isFleet ? dead.slice(0, MOST_LISTED) : health
    return reply.code(alive ? 200 : 503).send({ alive, version, positions: listed })
  })
  app.get('/readyz', described('Ready to trade', ANSWER_SCHEMAS.ready), async (_request, reply) => {
    const answers = await readiness()
    const waiting = answers.filter((one) => !one.ready)
    const ready = waiting.length === 0
    const listed = answers.length > MOST_LISTED ? waiting.slice(0, MOST_LISTED) : answers
    const counts = { total: answers.length, notReady: waiting.length }
    const failing = positions
      .flatMap(({ name, failingChannels }) => failingChannels?.().map((text) => `${name}: ${text}`) ?? [])
      .slice(0, MOST_LISTED)
    const channels = failing.length === 0 ? {} : { channels: failing }
    return reply.code(ready ? 200 : 503).send({ ready, ...counts, positions: listed, ...channels })
  })
}

/** Shares one call among all callers that wait for it: a flood of requests costs a position one call at a time. */
function joined<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null
  return () => (underWay ??= ask().finally(() => (underWay = null)))
}

type ReadyRow = { readonly position: string; readonly ready: boolean; readonly why: readonly string[] }

function readyOfEach(options: ConsoleOptions): Promise<readonly ReadyRow[]> {
  return Promise.all(
    options.positions.map(async (position) => {
      const answer = await ask(options, () => position.ready())
      const { ready, why } = answer ?? { ready: false, why: [silence(position)] }
      return { position: position.name, ready, why }
    }),
  )
}

/** Uses the summaries, which cost one call per worker instead of one per position. */
async function readyOfMany({ summaries }: ConsoleOptions): Promise<readonly ReadyRow[]> {
  const all = await summaries()
  return all.toSorted(byTrouble).map(({ name, ready, why }) => ({ position: name, ready, why }))
}

/** GET /metrics, /api/v1/state and /api/v1/alerts. */
export function readRoutes(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  const { positions } = options
  const scrape = joined(options.scrape)
  const onRequest = async (request: Asker) => access.checkRead(request)
  app.get(
    '/metrics',
    { onRequest, schema: { ...METRICS, security: access.readSecurity } },
    async (_request, reply) => {
      const { contentType, text } = await scrape()
      return reply.type(contentType).send(text)
    },
  )
  readRoute(app, access, '/api/v1/alerts', {
    tag: 'state',
    summary: 'Open critical alerts, and who acknowledged them; empty if alerts are not repeated',
    query,
    answer: ANSWER_SCHEMAS.alerts,
    handle({ position: name }) {
      const chosen = name === undefined ? positions : [findPosition(positions, name)]
      const rows = chosen.flatMap((one) => one.alerts().map((alert) => ({ position: one.name, ...alert })))
      return { alerts: rows.slice(0, MOST_ALERTS) }
    },
  })
  readRoute(app, access, '/api/v1/state', {
    tag: 'state',
    summary: 'What each position sees, quotes and holds',
    query,
    answer: ANSWER_SCHEMAS.state,
    async handle({ position: name }) {
      if (name !== undefined || positions.length === 1) {
        const position = findPosition(positions, name ?? null)
        const view = await ask(options, () => position.view())
        if (view === null) throw new Refusal(503, 'position-silent', silence(position))
        return view
      }
      const views = await Promise.all(
        positions.map(async (position) => {
          const view = await ask(options, () => position.view())
          return view ?? { name: position.name, error: 'position-silent', message: silence(position) }
        }),
      )
      return { positions: views }
    },
  })
}

function ask<T>(options: ConsoleOptions, asked: () => Promise<T>): Promise<T | null> {
  return within(options.answerWithinMs ?? ANSWER_WITHIN_MS, asked, options.reportError)
}

function silence({ name, health }: PositionPort): string {
  const { alive, why } = health()
  // Alive but silent on purpose: a standby.
  if (alive && why !== null) return `position ${name}: ${why}`
  return `position ${name} does not answer: ${why ?? 'it is busy or starting'}`
}
