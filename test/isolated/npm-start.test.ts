import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { test } from 'vitest'

// The one test of the first tier that runs the program in real time: the command that a newcomer types first.

test('npm start reports a fill, and Ctrl-C ends it with a summary', async () => {
  // The promised times are measured by .ci/run, where nothing else runs.
  const times = ['--first-fill-ms', '90000', '--keep-running-ms', '0', '--exit-ms', '25000']
  await promisify(execFile)(process.execPath, ['.ci/start-check.mjs', ...times])
})
