import { z } from 'zod'
import { ANSWER_SCHEMAS } from './answer-schemas.ts'

/** The answers of a route that gives text of one of these types: what goes wrong is said in JSON all the same. */
export function textAnswers(types: readonly string[]): object {
  const text = { schema: z.string() }
  return {
    200: { description: 'As asked', content: Object.fromEntries(types.map((type) => [type, text])) },
    default: {
      description: 'What is wrong',
      content: { 'application/json': { schema: ANSWER_SCHEMAS.error } },
    },
  }
}
