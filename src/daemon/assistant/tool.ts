import type { z } from 'zod'
import type { Result } from '../../base/result.ts'
import type { AssistantPorts } from './ports.ts'

/** A tool: its description for the client, and its action. */
export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Strict: unknown arguments are refused. */
  readonly input: z.ZodObject
  /** A proposal is stored for a person to decide; all other tools only read. */
  readonly isProposal: boolean
  /** The arguments match `input`; `client` is the name that the calling program gives itself. Errors are sentences. */
  readonly run: (ports: AssistantPorts, asked: never, client: string) => Promise<Result<unknown, string>>
}

/** Returns a tool that only reads. */
export function readTool<Input extends z.ZodObject>(
  name: string,
  title: string,
  description: string,
  input: Input,
  run: (ports: AssistantPorts, asked: z.output<Input>) => Promise<Result<unknown, string>>,
): Tool {
  return { name, title, description, input, isProposal: false, run }
}

/** Returns a tool that stores a proposal with the daemon until a person decides. */
export function proposalTool<Input extends z.ZodObject>(
  name: string,
  title: string,
  description: string,
  input: Input,
  run: (ports: AssistantPorts, asked: z.output<Input>, client: string) => Promise<Result<unknown, string>>,
): Tool {
  return { name, title, description, input, isProposal: true, run }
}
