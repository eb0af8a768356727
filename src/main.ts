import { buildProgram } from './commands/program.ts'

await buildProgram().parseAsync(process.argv)
