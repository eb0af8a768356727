import { writeSync } from 'node:fs'
import { takeFileLock } from '../../../../src/base/lock/file-lock.ts'

/** Takes the lock named on the command line, says so with its process number, and keeps it until it is killed. */
const lock = takeFileLock(process.argv[2] ?? '')
writeSync(1, lock.ok ? `held by ${process.pid}\n` : 'refused\n')
setInterval(() => undefined, 60_000)
