import type { z } from 'zod'
import type { Result } from '../../base/result.ts'
import type { AssistantPorts } from './ports.ts'

/** One tool: what a client is shown of it, and what it does. */
export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Strict: an argument that the tool does not know is refused. */
  readonly input: z.ZodObject
  /** A proposal is stored for a person; all other tools only read. */
  readonly isProposal: boolean
  /** The arguments are those of `input`; `client` is what the caller's program calls itself. The error is a sentence. */
  readonly run: (ports: AssistantPorts, asked: never, client: string) => Promise<Result<unknown, string>>
}

/** A tool that reads. */
export function readTool<Input extends z.ZodObject>(
  name: string,
  title: string,
  description: string,
  input: Input,
  run: (ports: AssistantPorts, asked: z.output<Input>) => Promise<Result<unknown, string>>,
): Tool {
  return { name, title, description, input, isProposal: false, run }
}

/** A tool that leaves a proposal with the daemon, where it waits for a person. */
export function proposalTool<Input extends z.ZodObject>(
  name: string,
  title: string,
  description: string,
  input: Input,
  run: (ports: AssistantPorts, asked: z.output<Input>, client: string) => Promise<Result<unknown, string>>,
): Tool {
  return { name, title, description, input, isProposal: true, run }
}
