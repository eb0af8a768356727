import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, validatorCompiler } from 'fastify-type-provider-zod'
import type { ConsoleOptions } from './options.ts'
import type { Guard } from '../auth/guard.ts'

/**
 * Lets routes check what they are asked by zod schemas, and makes the OpenAPI document of the same. Answers
 * are written as they are: that they are as described is a test's to say, not every request's.
 */
export async function describeApi(
  app: FastifyInstance,
  { version }: Pick<ConsoleOptions, 'version'>,
): Promise<void> {
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'mizani',
        description: 'What a market-making daemon sees, quotes and holds, and what a person may ask of it.',
        version,
      },
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'http.token of the configuration. Reads on loopback need none.',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
  })
}

/** GET /api/docs/openapi.json. */
export function documentRoute(app: FastifyInstance, guard: Guard): void {
  app.get(
    '/api/docs/openapi.json',
    { onRequest: async (request) => guard.checkRead(request), schema: { hide: true } },
    async () => app.swagger(),
  )
}
