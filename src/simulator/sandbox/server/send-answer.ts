import type { FastifyReply } from 'fastify'
import type { VenueResponse } from '../api/request.ts'
import type { VenueClock } from './venue-clock.ts'

/**
 * Sends the model's answer at its moment of virtual time: complete, corrupted, as a stream, or not at all.
 * `arrivedAt` is when the model took the request.
 */
export async function sendAnswer(
  reply: FastifyReply,
  response: VenueResponse,
  clock: VenueClock,
  arrivedAt: number,
): Promise<unknown> {
  if (response.drop !== null) return drop(reply, response)
  if (response.delayMs > 0 && !(await clock.until(arrivedAt + response.delayMs))) {
    return drop(reply, { ...response, dropHow: 'reset' })
  }
  if (response.stream !== undefined) return sendStream(reply, response, clock, arrivedAt + response.delayMs)
  const text = bodyText(response)
  if (response.truncate === true) return sendHalf(reply, response, text)
  const type =
    typeof response.body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  const headers = text === '' ? response.headers : { 'content-type': type, ...response.headers }
  return reply
    .status(response.status)
    .headers(headers)
    .send(text === '' ? undefined : text)
}

function bodyText({ rawBody, body }: VenueResponse): string {
  if (rawBody !== undefined) return rawBody
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function drop(reply: FastifyReply, { dropHow }: VenueResponse): FastifyReply {
  reply.hijack()
  // A hung request stays open until its caller gives up or the server closes.
  if (dropHow === 'reset') reply.raw.destroy()
  return reply
}

function sendHalf(reply: FastifyReply, response: VenueResponse, text: string): FastifyReply {
  reply.hijack()
  const bytes = Buffer.from(text)
  reply.raw.writeHead(response.status, {
    'content-type': 'application/json; charset=utf-8',
    ...response.headers,
    'content-length': bytes.length,
  })
  reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => reply.raw.destroy())
  return reply
}

async function sendStream(
  reply: FastifyReply,
  { status, headers, stream = [] }: VenueResponse,
  clock: VenueClock,
  startedAt: number,
): Promise<FastifyReply> {
  reply.hijack()
  reply.raw.writeHead(status, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    ...headers,
  })
  for (const { afterMs, data } of stream) {
    if (afterMs > 0 && !(await clock.until(startedAt + afterMs))) break
    if (reply.raw.destroyed) break
    reply.raw.write(`data: ${JSON.stringify(data)}\n\n`)
  }
  reply.raw.end()
  return reply
}
