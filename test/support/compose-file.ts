import { z } from 'zod'

const DURATION = /^\d+s$/
/** Every key that is used, so that a misspelt one is not silently without effect. */
const serviceSchema = z.strictObject({
  image: z.string().regex(/:v?\d+(\.\d+){1,2}$/, 'a whole version'),
  build: z.strictObject({ context: z.literal('.'), target: z.literal('runtime') }).optional(),
  pull_policy: z.literal('build').optional(),
  profiles: z
    .array(z.enum(['live', 'sandbox']))
    .min(1)
    .optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  user: z.string().regex(/^[1-9]\d*:\d+$/, 'a number, and not root'),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  restart: z.literal('unless-stopped'),
  pids_limit: z.number().int().positive(),
  ulimits: z.object({ core: z.literal(0) }),
  mem_limit: z.string().regex(/^\d+[mg]$/),
  cpus: z.number().positive(),
  stop_grace_period: z.string().regex(DURATION),
  logging: z.strictObject({
    driver: z.literal('json-file'),
    options: z.strictObject({ 'max-size': z.string(), 'max-file': z.string() }),
  }),
  healthcheck: z.strictObject({
    test: z.tuple([z.literal('CMD')], z.string()).optional(),
    interval: z.string().regex(DURATION).optional(),
    timeout: z.string().regex(DURATION).optional(),
    retries: z.number().int().optional(),
    start_period: z.string().regex(DURATION),
    start_interval: z.string().regex(DURATION).optional(),
  }),
  volumes: z.array(z.string().regex(/^[^:]+:\/[^:]+(:ro)?$/)).default([]),
  tmpfs: z.array(z.string()).default([]),
  secrets: z.array(z.string()).default([]),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/, 'this machine only')).default([]),
  networks: z.strictObject({ default: z.strictObject({ aliases: z.array(z.string()) }) }).optional(),
  network_mode: z
    .string()
    .regex(/^service:\w+$/)
    .optional(),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.looseObject({}))]).default([]),
})
export type ComposeService = z.infer<typeof serviceSchema>

/** A compose file with its merge keys resolved, by the name of its project. */
export function composeFile(name: string) {
  return z.looseObject({
    name: z.literal(name),
    services: z.record(z.string(), serviceSchema),
    volumes: z.record(z.string(), z.null()),
    secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
  })
}
